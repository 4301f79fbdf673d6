import { describe, expect, test } from 'vitest'
import { defineReplyMatcher } from '../../src/runners/defineMatcher.ts'
import { text, flag } from '../../src/core/validate.ts'
import { self, thrown, verdict } from './fakes.ts'

const reply = { isA2AReply: true, text: 'Hello' }
const toSay = defineReplyMatcher<[words: string, options?: { exact?: boolean }]>({
  name: 'toSay',
  args: [{ name: 'words', kind: text }],
  options: { exact: flag },
  check: (received, [words]) =>
    verdict({
      outcome: received.text.includes(words) ? 'passed' : 'failed',
      agent: 'Fake',
      expected: `a reply that contains "${words}"`,
      received: `"${received.text}"`,
    }),
})

test('returns a result synchronously, with the message for its polarity', () => {
  expect(toSay.call(self(), reply, 'Hell').pass).toBe(true)
  const result = toSay.call(self({ isNot: true }), reply, 'Hell')
  expect(result.pass).toBe(true)
  expect(result.message()).toMatchInlineSnapshot(`
    "[failed] expect(reply).not.toSay("Hell")

    Agent:    Fake
    Expected: not a reply that contains "Hell"
    Received: "Hello""
  `)
})

describe('refuses', () => {
  test.each([
    [
      Promise.resolve(reply),
      'toSay checks what agent.send() returned, but received a promise.',
      'Await it first',
    ],
    [
      'http://127.0.0.1',
      'but received an agent.',
      'Send something first: expect(await agent.send("…")).toSay(…).',
    ],
    [{ isA2AAgent: true }, 'but received an agent.', 'Send something first'],
    [{ kind: 'task', id: '1' }, 'but received a task.', 'Pass the whole reply: what agent.send() returned.'],
    [undefined, 'but received undefined.', ''],
  ])('%o', async (received, message, fix) => {
    const error = await thrown(() => toSay.call(self({ isNot: true }), received, 'x'))
    expect(error).toMatchObject({ name: 'A2AUsageError', code: 'BAD_SUBJECT' })
    expect(error.message).toContain(message)
    expect(error.message).toContain(fix)
  })

  test('wrong arguments and options', async () => {
    const call = (...args: unknown[]): Promise<Error> =>
      thrown(() => toSay.call(self(), reply, ...(args as [string])))
    expect((await call()).message).toBe(
      '[error] expect(reply).toSay()\n\nError: toSay(): `words` must be a string; received undefined.',
    )
    expect((await call(7)).message).toContain('toSay(): `words` must be a string; received 7.')
    expect((await call('x', { exakt: true })).message).toContain(
      'toSay(): there is no option `exakt`. Did you mean `exact`?',
    )
  })
})

test('accepts a task if declared, and uses the equality of the runner', () => {
  const toBe = defineReplyMatcher<[state: string], unknown>({
    name: 'toBe',
    subject: 'reply-or-task',
    args: [{ name: 'state', kind: text }],
    check: (_, [state], { equals }) => verdict({ outcome: equals('x', state) ? 'passed' : 'failed' }),
  })
  const equals = (a: unknown, b: unknown): boolean => a === 'x' && b === 'anything'
  expect(toBe.call(self({ equals }), { kind: 'task', id: '1' }, 'anything').pass).toBe(true)
  expect(() =>
    toBe.call(self(), { kind: 'task', id: '1' }, 'x', ...([{ exact: true }] as unknown as [])),
  ).toThrow('toBe(): no options are accepted; received { exact }.')
})
