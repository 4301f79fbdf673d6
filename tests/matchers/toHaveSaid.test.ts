import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { failureOf, misuse, taskReply } from './support.ts'
import { brokenRun, heldRun } from './runs.ts'

const run = heldRun()

test('passes for words, patterns and data of the agent', () => {
  expect(run).toHaveSaid('What is your order number?')
  expect(run).toHaveSaid('What is your order number?', { exact: true, turn: 1 })
  expect(run).toHaveSaid(/refunded\.$/)
  expect(run).toHaveSaid(expect.stringContaining('refunded'))
  expect(run).toHaveSaid((text: string) => text.startsWith('One of'))
  expect(run).toHaveSaid({ refunded: true })
  expect(run).toHaveSaid('#4411', { by: 'user' })
  expect(run).not.toHaveSaid('I was charged twice')
  expect(run).not.toHaveSaid('order number', { turn: 2 })
})

test('fails with what was said', async () => {
  expect(await failureOf(() => expect(run).toHaveSaid(/5 to 7 days/))).toBe(
    `[failed] expect(run).toHaveSaid(/5 to 7 days/)

Agent:    Helpdesk (http://127.0.0.1:<port>)
Expected: an agent that said something that matches /5 to 7 days/
Received: 2 messages of the agent, none of which matches   conversation/not-said

Conversation
  ended after 2 of 2 turns: the script ended · <n> ms

Transcript
   1 user   I was charged twice
     agent  What is your order number? (task 1 input-required)
   2 user   It is order #4411
     agent  One of the two charges for order #4411 has been refunded. (artifact "refund"; data {"refunded":true})`,
  )
})

test('under .not fails with the words', async () => {
  const message = await failureOf(() => expect(run).not.toHaveSaid(/order number/i, { turn: 1 }))
  expect(message).toContain('[failed] expect(run).not.toHaveSaid(/order number/i, { turn: 1 })')
  expect(message).toContain(
    'Expected: not an agent that said something in turn 1 that matches /order number/i\nReceived: turn 1: "What is your order number?"',
  )
})

describe('an interrupted conversation', () => {
  test.each([
    ['error', false],
    ['error', true],
    ['invalid', false],
    ['invalid', true],
  ] as const)('%s: is inconclusive for missing words (.not: %s)', async (outcome, not) => {
    const broken = brokenRun(outcome)
    const message = await failureOf(() =>
      (not ? expect(broken).not : expect(broken)).toHaveSaid('5 to 7 days'),
    )
    expect(message).toContain(`[${outcome}] expect(run)`)
    expect(message).toContain('Received: turn 3: connection refused\nFix:      Start the agent.')
  })

  test('still contains what was said', () => {
    expect(brokenRun('error')).toHaveSaid('refunded')
  })
})

describe('misuse', () => {
  test.each([
    [
      'an agent',
      'http://127.0.0.1:1',
      ['x'],
      'toHaveSaid checks what converse() returned, but received an agent.\nFix:   Run a conversation first: expect(await converse(agent, { … })).toHaveSaid(…).',
    ],
    [
      'a promise',
      Promise.resolve(run),
      ['x'],
      'received a promise.\nFix:   Await it first: expect(await converse(agent, { … })).toHaveSaid(…).',
    ],
    ['a reply', taskReply('completed'), ['x'], 'received a reply.\nFix:   Run a conversation first'],
    ['nothing to look for', run, [], 'toHaveSaid() cannot compare with undefined'],
    ['an empty text', run, [''], 'every text contains ""'],
    ['a turn that never happened', run, ['x', { turn: 9 }], 'turn 9 does not exist; the conversation has 2.'],
    ['another speaker', run, ['x', { by: 'bot' }], 'toHaveSaid(): `by` must be "agent" or "user"'],
    ['a schema that takes its time', run, [async () => true], 'toHaveSaid() is synchronous'],
  ])('%s', async (_, given, args, text) => {
    expect(await failureOf(() => misuse(expect(given), 'toHaveSaid')(...args))).toContain(text)
    expect(await failureOf(() => misuse(expect(given).not, 'toHaveSaid')(...args))).toContain(text)
  })
})
