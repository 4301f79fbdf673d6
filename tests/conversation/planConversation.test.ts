import { describe, expect, test } from 'vitest'
import { leakWarnings, planPass, planConversation } from '../../src/conversation/planConversation.ts'
import type { ConversationOptions } from '../../src/conversation/types.ts'
import type { A2AError } from '../../src/core/errors.ts'

const conversation = (options: unknown) => planConversation('converse', options as ConversationOptions)
const passing = (options: object) =>
  planPass('toPassConversation', { goal: 'g', successCriteria: ['c'], ...options })

function refusal(of: () => unknown): string {
  try {
    of()
  } catch (error) {
    const { name, code, message, fix } = error as A2AError
    expect({ name, code }).toEqual({ name: 'A2AUsageError', code: 'BAD_OPTIONS' })
    return fix === undefined ? message : `${message} ${fix}`
  }
  throw new Error('nothing was refused')
}

describe('options of a conversation are refused', () => {
  test.each<[unknown, string]>([
    [undefined, 'converse needs options.'],
    [
      {},
      'converse has nothing to say: it was given neither persona, goal, openingMessage nor script. Give a persona and a goal for a simulated user, or a script of fixed messages.',
    ],
    [{ script: [] }, 'nothing to say'],
    [{ goal: '  ' }, '"goal" of converse must be a string that is not blank'],
    [{ gaol: 'x' }, 'converse has no option "gaol". Did you mean "goal"?'],
    [
      { goal: 'x', maxTurns: 0 },
      '"maxTurns" of converse must be a whole number of at least 1, but is 0. It counts',
    ],
    [
      { goal: 'x', maxTurns: 2.4 },
      'but is 2.4. It counts the messages of the user, the opening included. Use 2.',
    ],
    [{ goal: 'x', maxTurns: Number.NaN }, 'but is NaN.'],
    [
      { goal: 'x', minTurns: 5, maxTurns: 3 },
      'minTurns 5 of converse is more than maxTurns 3. Set maxTurns to 5 or more, or minTurns to 3 or less.',
    ],
    [{ openingMessage: '' }, '"openingMessage" of converse must be a string that is not blank'],
    [{ script: ['hi', ' '] }, 'turn 2 in the script of converse is empty'],
    [
      { script: 'hello' },
      '"script" of converse must be a list of turns, such as ["Hello", "Goodbye"], but is "hello".',
    ],
    [{ script: [[]] }, 'turn 1 in the script of converse is empty'],
    [{ script: [7] }, 'turn 1 in the script of converse must be a message, a function or { simulate: 3 }'],
    [{ script: [null] }, 'but is null.'],
    [
      { goal: 'x', script: [{ simulate: 0 }] },
      '"simulate" of turn 1 in the script of converse must be a whole number of at least 1, but is 0.',
    ],
    [{ goal: 'x', script: [{ simulate: 1, by: 'x' }] }, 'has no key "by"'],
    [
      { script: [{ simulate: 2 }] },
      'the script of converse has { simulate: 2 }, but nothing says who the simulated user is. Give persona or goal as well.',
    ],
    [{ goal: 'x', facts: { a: {} } }, '"facts" of converse must be an object of strings'],
    [{ goal: 'x', facts: [''] }, '"facts" of converse must be'],
    [{ goal: 'x', turnTimeoutMs: 0 }, '"turnTimeoutMs" of converse must be a number of milliseconds above 0'],
    [{ goal: 'x', onAgentError: 'ignore' }, '"fail" or "error"'],
    [{ goal: 'x', stopWhen: true }, '"stopWhen" of converse must be a function'],
    [{ goal: 'x', simulator: { modle: 'm' } }, 'simulator has no option "modle". Did you mean "model"?'],
    [{ goal: 'x', simulator: { check: 'maybe' } }, '"check" of simulator must be'],
    [{ goal: 'x', budget: { token: 5 } }, 'budget has no option "token". Did you mean "tokens"?'],
    [{ goal: 'x', cassette: 'auto' }, '"cassette"'],
    [{ goal: 'x', cassette: { mode: 'play' } }, '"mode"'],
    [{ goal: 'x', successCriteria: ['c'] }, 'converse has no option "successCriteria"'],
  ])('%j', (options, message) => {
    expect(refusal(() => conversation(options))).toContain(message)
  })
})

describe('options of toPassConversation are refused', () => {
  test.each<[object, string]>([
    [
      { threshold: 80 },
      'the option "threshold" of toPassConversation must be a number from 0 to 1, but is 80. Use 0.8, not 80.',
    ],
    [
      { successCriteria: { must: 'x' } },
      '"successCriteria" of toPassConversation must be a string with one criterion a line, or a list of criteria, but is an object with must.',
    ],
    [{ threshold: -1 }, '"threshold" of toPassConversation must be a number from 0 to 1, but is -1.'],
    [{ threshold: '0.8' }, '"threshold" of toPassConversation must be a number, but is "0.8".'],
    [{ passRate: 75, trials: 4 }, 'Use 0.75, not 75.'],
    [
      { passRate: 0, trials: 4 },
      '"passRate" of toPassConversation is 0, so no number of failed trials would fail it.',
    ],
    [{ trials: 0 }, '"trials" of toPassConversation must be a whole number of at least 1, but is 0.'],
    [{ trials: 2.5 }, 'but is 2.5. Use 3.'],
    [{ trialConcurrency: 0 }, '"trialConcurrency"'],
    [{ maxInvalid: -1 }, '"maxInvalid"'],
    [{ judge: { vote: 3 } }, 'judge has no option "vote". Did you mean "votes"?'],
    [{ judge: { votes: 2 } }, '"votes" of judge must be "auto", 1, 3 or 5'],
    [
      { successCriteria: undefined },
      'toPassConversation needs the option "successCriteria", which says what the agent must do. Write successCriteria',
    ],
    [{ successCriteria: 7 }, '"successCriteria"'],
    [{ unknownAs: 'met' }, '"unknownAs"'],
    [{ beforeTrial: 'reset' }, '"beforeTrial" of toPassConversation must be a function'],
  ])('%j', (options, message) => {
    expect(refusal(() => passing(options))).toContain(message)
  })
})

describe('defaults', () => {
  test.each<[ConversationOptions, object]>([
    [
      { goal: 'x' },
      { maxTurns: 10, minTurns: 1, simulates: true, turnTimeoutMs: 60_000, onAgentError: 'fail' },
    ],
    [{ script: ['a', 'b'] }, { maxTurns: 2, simulates: false }],
    [
      { openingMessage: 'o', script: ['a'] },
      { maxTurns: 2, simulates: false },
    ],
    [
      { goal: 'x', script: ['a', { simulate: 2 }, 'b'] },
      { maxTurns: 4, simulates: true, simulatesOn: false },
    ],
    [
      { goal: 'x', script: Array.from({ length: 12 }, () => 'a') },
      { maxTurns: 12, simulates: false },
    ],
    [{ goal: 'x', openingMessage: 'o', maxTurns: 1 }, { simulates: false }],
    [{ goal: 'x', openingMessage: 'o', maxTurns: 2 }, { simulates: true }],
    [{ goal: 'x', script: ['a', { simulate: 1 }], maxTurns: 1 }, { simulates: false }],
    [{ goal: 'x', facts: { order: 4411, vip: true } }, { facts: ['order: 4411', 'vip: true'] }],
    [{ goal: 'x', facts: ['The order is 4411.'] }, { facts: ['The order is 4411.'] }],
  ])('%j', (options, plan) => {
    expect(conversation(options).plan).toMatchObject(plan)
  })

  test('of trials', () => {
    expect(passing({ trials: 5 }).trials).toEqual({
      threshold: 1,
      trials: 5,
      passRate: 1,
      trialConcurrency: 1,
      maxInvalid: 5,
    })
  })

  test('what is given is left as it is', () => {
    const options = Object.freeze({
      goal: 'x',
      facts: Object.freeze({ a: 1 }),
      script: Object.freeze(['a', Object.freeze({ simulate: 1 })]),
    })
    expect(conversation(options).warnings).toEqual([])
  })
})

describe('warnings', () => {
  test.each<[object, string[]]>([
    [
      { script: ['a', 'b', 'c'], maxTurns: 2, goal: undefined },
      ['maxTurns 2 ends the conversation before its script is over: that has 3 turns.'],
    ],
    [
      { goal: undefined, script: ['a'], facts: { a: 1 }, language: 'German' },
      ['no user is simulated, so facts, language have no effect: give persona or goal for a simulated user.'],
    ],
    [
      { openingMessage: 'o', maxTurns: 1, minTurns: 1 },
      ['no user is simulated, so minTurns has no effect: the fixed turns leave no room for simulated ones.'],
    ],
    [{ passRate: 0.5 }, ['passRate has no effect on one trial: set trials.']],
    [
      { trials: 3, passRate: 0.75 },
      ['passRate 0.75 of 3 trials needs all 3 of them: raise trials, or lower passRate to 0.66.'],
    ],
    [{ trials: 4, passRate: 0.75 }, []],
    [{ trials: 3 }, []],
    [{ trialConcurrency: 2 }, ['trialConcurrency has no effect on one trial: set trials.']],
  ])('%j', (options, warnings) => {
    expect(passing(options).warnings).toEqual(warnings)
  })

  test('a goal, a persona or a fact that repeats a criterion word by word', () => {
    const criteria = [
      { id: 'c1', text: 'The agent waives the fee.' },
      { id: 'c2', text: 'The agent is polite.' },
    ]
    expect(
      leakWarnings(
        { goal: 'Move the flight; the  agent waives the FEE', facts: ['the agent is polite'] },
        criteria,
      ),
    ).toEqual([
      "goal repeats criterion c1 word by word: the simulated user may say it to the agent, and what is judged is then no longer the agent's own.",
      "facts repeats criterion c2 word by word: the simulated user may say it to the agent, and what is judged is then no longer the agent's own.",
    ])
    expect(leakWarnings({ goal: 'Move the flight without a fee.', facts: [] }, criteria)).toEqual([])
  })
})
