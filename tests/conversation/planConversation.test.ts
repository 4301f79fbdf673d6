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
    [undefined, 'converse(): `options` must be an object; received undefined.'],
    [
      {},
      'converse(): there is nothing to say: `persona`, `goal`, `openingMessage` and `script` are all missing. Give a persona and a goal for a simulated user, or a script of fixed messages.',
    ],
    [{ script: [] }, 'nothing to say'],
    [{ goal: '  ' }, 'converse(): `goal` must be a string that is not blank; received "  ".'],
    [{ gaol: 'x' }, 'converse(): there is no option `gaol`. Did you mean `goal`?'],
    [{ goal: 'x', maxTurns: 0 }, '`maxTurns` must be a whole number of at least 1; received 0. It counts'],
    [
      { goal: 'x', maxTurns: 2.4 },
      'converse(): `maxTurns` must be a whole number of at least 1; received 2.4. It counts the messages of the user, the opening included. Use 2.',
    ],
    [
      { goal: 'x', maxTurns: Number.NaN },
      'converse(): `maxTurns` must be a whole number of at least 1; received NaN.',
    ],
    [
      { goal: 'x', minTurns: 5, maxTurns: 3 },
      'converse(): `minTurns` (5) is more than `maxTurns` (3). Set maxTurns to 5 or more, or minTurns to 3 or less.',
    ],
    [
      { openingMessage: '' },
      'converse(): `openingMessage` must be a string that is not blank, or an array of strings and parts; received "".',
    ],
    [
      { script: ['hi', ' '] },
      'converse(): `script[1]` is empty: an empty message is never sent. Leave the turn out.',
    ],
    [
      { script: 'hello' },
      'converse(): `script` must be an array of turns, such as ["Hello", "Goodbye"]; received "hello".',
    ],
    [
      { script: [[]] },
      'converse(): `script[0]` is empty: an empty message is never sent. Leave the turn out.',
    ],
    [
      { script: [7] },
      'converse(): `script[0]` must be a message, a function or { simulate: 3 }; received 7.',
    ],
    [
      { script: [null] },
      'converse(): `script[0]` must be a message, a function or { simulate: 3 }; received null.',
    ],
    [
      { goal: 'x', script: [{ simulate: 0 }] },
      'converse(): `script[0].simulate` must be a whole number of at least 1; received 0.',
    ],
    [
      { goal: 'x', script: [{ simulate: 1, by: 'x' }] },
      'converse(): `script[0]` has no key `by`. Write { simulate: 3 } and nothing else.',
    ],
    [
      { script: [{ simulate: 2 }] },
      'converse(): `script` has { simulate: 2 }, but nothing describes the simulated user. Give persona or goal as well.',
    ],
    [
      { goal: 'x', facts: { a: {} } },
      'converse(): `facts` must be an object of strings, numbers and booleans, or an array of strings; received { a }.',
    ],
    [
      { goal: 'x', facts: [''] },
      'converse(): `facts` must be an object of strings, numbers and booleans, or an array of strings; received an array of 1.',
    ],
    [
      { goal: 'x', turnTimeoutMs: 0 },
      'converse(): `turnTimeoutMs` must be a positive number of milliseconds; received 0.',
    ],
    [{ goal: 'x', onAgentError: 'ignore' }, '"fail" or "error"'],
    [{ goal: 'x', stopWhen: true }, 'converse(): `stopWhen` must be a function; received true.'],
    [
      { goal: 'x', simulator: { modle: 'm' } },
      'converse(): there is no option `simulator.modle`. Did you mean `simulator.model`? Options: model, temperature, check.',
    ],
    [
      { goal: 'x', simulator: { check: 'maybe' } },
      'converse(): `simulator.check` must be "on-failure", "always" or "never"; received "maybe".',
    ],
    [
      { goal: 'x', budget: { token: 5 } },
      'converse(): there is no option `budget.token`. Did you mean `budget.tokens`? Options: tokens, usd.',
    ],
    [
      { goal: 'x', cassette: 'auto' },
      'converse(): `cassette` must be "off", "record", "replay" or "refresh-misses" or an object; received "auto".',
    ],
    [
      { goal: 'x', cassette: { mode: 'play' } },
      'converse(): `cassette.mode` must be "off", "record", "replay" or "refresh-misses"; received "play".',
    ],
    [{ goal: 'x', successCriteria: ['c'] }, 'converse(): there is no option `successCriteria`.'],
  ])('%j', (options, message) => {
    expect(refusal(() => conversation(options))).toContain(message)
  })
})

describe('options of toPassConversation are refused', () => {
  test.each<[object, string]>([
    [
      { threshold: 80 },
      'toPassConversation(): `threshold` must be a number from 0 to 1; received 80. Use 0.8, not 80.',
    ],
    [
      { successCriteria: { must: 'x' } },
      'toPassConversation(): `successCriteria` must be a string with one criterion per line, or an array of criteria; received { must }.',
    ],
    [{ threshold: -1 }, '`threshold` must be a number from 0 to 1; received -1.'],
    [{ threshold: '0.8' }, 'toPassConversation(): `threshold` must be a number from 0 to 1; received "0.8".'],
    [{ passRate: 75, trials: 4 }, 'Use 0.75, not 75.'],
    [
      { passRate: 0, trials: 4 },
      'toPassConversation(): `passRate` must be a number above 0 and up to 1; received 0.',
    ],
    [{ trials: 0 }, '`trials` must be a whole number of at least 1; received 0.'],
    [
      { trials: 2.5 },
      'toPassConversation(): `trials` must be a whole number of at least 1; received 2.5. Use 3.',
    ],
    [
      { trialConcurrency: 0 },
      'toPassConversation(): `trialConcurrency` must be a whole number of at least 1; received 0.',
    ],
    [
      { maxInvalid: -1 },
      'toPassConversation(): `maxInvalid` must be a whole number of at least 0; received -1.',
    ],
    [
      { judge: { vote: 3 } },
      'toPassConversation(): there is no option `judge.vote`. Did you mean `judge.votes`? Options: model, temperature, votes, counterfactual.',
    ],
    [{ judge: { votes: 2 } }, 'toPassConversation(): `judge.votes` must be "auto", 1, 3 or 5; received 2.'],
    [
      { successCriteria: undefined },
      'toPassConversation(): `successCriteria` must be a string with one criterion per line, or an array of criteria; received undefined.',
    ],
    [
      { successCriteria: 7 },
      'toPassConversation(): `successCriteria` must be a string with one criterion per line, or an array of criteria; received 7.',
    ],
    [
      { unknownAs: 'met' },
      'toPassConversation(): `unknownAs` must be "inconclusive" or "not_met"; received "met".',
    ],
    [{ beforeTrial: 'reset' }, 'toPassConversation(): `beforeTrial` must be a function; received "reset".'],
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

  test('does not change the options', () => {
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
      'goal repeats criterion c1 word for word: the simulated user may say it to the agent, and then the agent is no longer judged on its own words.',
      'facts repeats criterion c2 word for word: the simulated user may say it to the agent, and then the agent is no longer judged on its own words.',
    ])
    expect(leakWarnings({ goal: 'Move the flight without a fee.', facts: [] }, criteria)).toEqual([])
  })
})
