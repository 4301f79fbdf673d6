import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copyOf, transcriptOf } from '../../src/transcript/transcript.ts'
import type { TranscriptEntry } from '../../src/transcript/types.ts'

const conversation: TranscriptEntry[] = [
  { turn: 1, from: 'user', text: 'Refund me.', by: 'opening' },
  {
    turn: 1,
    from: 'agent',
    text: 'Which order?',
    task: { id: 't', nth: 1, state: 'input-required' },
  },
  { turn: 2, from: 'user', text: 'See here.', by: 'script', files: [{ name: 'bill.pdf', bytes: 1 }] },
  {
    turn: 2,
    from: 'agent',
    text: '',
    data: [{ refunded: true }],
    files: [{ url: 'https://shop.example/receipt' }],
    artifacts: [{ artifactId: 'a', data: [{ refunded: true }] }],
    task: { id: 't', nth: 1, state: 'completed' },
  },
]

describe('transcriptOf', () => {
  test('shows both sides, and what came besides text', () => {
    expect(transcriptOf(conversation, 'goal')).toEqual({
      entries: conversation,
      turns: 2,
      endReason: 'goal',
      text: [
        'user: Refund me.',
        'agent: Which order?',
        'user: See here. [file: bill.pdf (1 byte)]',
        'agent: [data: {"refunded":true}] [file: https://shop.example/receipt]',
      ].join('\n'),
      agentText: 'Which order?',
      userText: 'Refund me.\nSee here.',
      lastAgentText: '',
      data: [{ refunded: true }],
      files: [{ url: 'https://shop.example/receipt' }],
      artifacts: [{ artifactId: 'a', data: [{ refunded: true }] }],
      lastState: 'completed',
    })
  })

  test('shows the last word that a user did not say', () => {
    expect(transcriptOf(conversation.slice(0, 2), 'user_ended').text).toBe(
      'user: Refund me.\nagent: Which order?\nuser: [user ended the conversation]',
    )
    expect(transcriptOf(conversation.slice(0, 2), 'goal').text).not.toContain('ended')
  })

  test('shows that no answer came, and takes no error for words of the agent', () => {
    const cut = transcriptOf([
      { turn: 1, from: 'user', text: 'Hello' },
      { turn: 1, from: 'agent', text: '', error: { code: 'HTTP_STATUS', message: 'HTTP 500' } },
    ])
    expect(cut).toMatchObject({
      text: 'user: Hello\nagent: [no answer: HTTP_STATUS]',
      agentText: '',
      endReason: undefined,
    })
  })

  test('shows an entry without anything as such', () => {
    expect(transcriptOf([{ turn: 1, from: 'agent', text: '' }]).text).toBe('agent: [nothing]')
  })

  test('of nothing is empty', () => {
    expect(transcriptOf([])).toMatchObject({ turns: 0, text: '', lastAgentText: '', lastState: undefined })
  })
})

const word = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'b', ' ', '\n', 'user: ') })
const anyEntry: fc.Arbitrary<TranscriptEntry> = fc.record(
  {
    turn: fc.integer({ min: 1, max: 9 }),
    from: fc.constantFrom('user' as const, 'agent' as const),
    text: fc.oneof(fc.constant(''), word),
    // JSON has no -0 of its own.
    data: fc.array(fc.jsonValue().map(copyOf), { maxLength: 2 }),
    files: fc.array(fc.record({ name: word }, { requiredKeys: [] }), { maxLength: 2 }),
  },
  { requiredKeys: ['turn', 'from', 'text'] },
)

test('any transcript: nothing is lost, added or changed', () => {
  fc.assert(
    fc.property(fc.array(anyEntry), (entries) => {
      const before = copyOf(entries)
      const { text, turns, data, files, userText, agentText, ...rest } = transcriptOf(entries)
      expect(entries).toEqual(before)
      expect(rest.entries).toEqual(entries)
      const of = (from: string) => entries.filter((entry) => entry.from === from)
      expect(turns).toBe(of('user').length)
      expect(data).toEqual(of('agent').flatMap((entry) => entry.data ?? []))
      expect(files).toEqual(of('agent').flatMap((entry) => entry.files ?? []))
      for (const entry of entries) {
        expect(text).toContain(entry.text)
        expect(entry.from === 'user' ? userText : agentText).toContain(entry.text)
      }
    }),
  )
})

test('a copy shares nothing with what it is of', () => {
  const copy = copyOf(conversation)
  copy.forEach((entry) => Object.assign(entry, { text: 'changed' }))
  expect(conversation[0]?.text).toBe('Refund me.')
})
