import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { startHelpdesk } from '../../src/testing/index.ts'
import { manualSystemClock } from '../support/systemTime.ts'
import { failureOf, misuse } from './support.ts'

const refunded = {
  check: (conversation: { agentText: string }) => /refunded/.test(conversation.agentText),
  description: 'refunds',
}

describe('respects the test timeout', () => {
  test('and shows the conversation so far', async () => {
    await using helpdesk = await startHelpdesk()
    const clock = manualSystemClock()
    const message = await failureOf(() =>
      expect(helpdesk.url).toPassConversation({
        script: [
          'I was charged twice',
          () => {
            setImmediate(() => void clock.advance(2300))
            return new Promise(() => {})
          },
        ],
        successCriteria: [refunded],
        deadlineMs: 2500,
      }),
    )
    expect(message).toMatch(/^\[(inconclusive|error)\] expect\(agent\)/)
    expect(message).toContain('1 user   I was charged twice\n     agent  I can refund that.')
    expect(message).toContain('Fix:      Raise the test timeout')
  })
})

describe('misuse', () => {
  const call = misuse(expect('http://127.0.0.1:1'), 'toPassConversation')

  test.each([
    [
      'no options',
      [],
      'toPassConversation(): `successCriteria` must be a string with one criterion per line, or an array of criteria; received undefined.',
    ],
    [
      'no criteria',
      [{ script: ['Hi'] }],
      'toPassConversation(): `successCriteria` must be a string with one criterion per line, or an array of criteria; received undefined.',
    ],
    [
      'an unknown option',
      [{ script: ['Hi'], successCriterias: 'x' }],
      'toPassConversation(): there is no option `successCriterias`. Did you mean `successCriteria`?',
    ],
    [
      'a percentage',
      [{ script: ['Hi'], successCriteria: 'x', threshold: 80 }],
      'toPassConversation(): `threshold` must be a number from 0 to 1; received 80.\nFix:   Use 0.8, not 80.',
    ],
    [
      'nothing to say',
      [{ successCriteria: 'x' }],
      'toPassConversation(): there is nothing to say: `persona`, `goal`, `openingMessage` and `script` are all missing.',
    ],
  ])('%s', async (_, args, text) => {
    const message = await failureOf(() => call(...args))
    expect(message).toMatch(/^\[error\] expect\(agent\)\.toPassConversation\(/)
    expect(message).toContain(text)
  })

  test('a bare card', async () => {
    const message = await failureOf(() =>
      expect({ name: 'x', skills: [] }).toPassConversation({ script: ['Hi'], successCriteria: [refunded] }),
    )
    expect(message).toContain('toPassConversation needs an agent to call, but received only an agent card.')
  })

  test('expect.poll, which would run one conversation after the other', async () => {
    const message = await failureOf(() =>
      expect
        .poll(() => 'http://127.0.0.1:1', { timeout: 10 })
        .toPassConversation({ script: ['Hi'], successCriteria: [refunded] }),
    )
    expect(message).toContain('expect.poll calls a matcher again and again')
  })
})
