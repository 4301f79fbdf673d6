import { afterEach, describe, expect, test, vi } from 'vitest'
import { createGuard } from '../../src/conversation/guards.ts'
import type { TranscriptEntry } from '../../src/conversation/types.ts'
import { keyOf, keyOfSaid } from '../../src/conversation/words.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the key of what was said', () => {
  test('is that of its text, also after the text has become another', () => {
    const entry = { text: 'Where is my ORDER, please?' }
    expect(keyOfSaid(entry)).toBe('where is my order please')
    entry.text = 'Thank you!'
    expect(keyOfSaid(entry)).toBe('thank you')
    expect(keyOfSaid({ text: 'Where is it?' })).toBe(keyOf('where is it'))
  })

  test('is found once', () => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment')
    const entry = { text: 'Where is my order?' }
    keyOfSaid(entry)
    keyOfSaid(entry)
    expect(segment).toHaveBeenCalledTimes(1)
  })
})

describe('one guard for a whole talk', () => {
  const user = (turn: number, text: string): TranscriptEntry => ({
    turn,
    from: 'user',
    by: 'simulator',
    text,
  })
  const agent = (turn: number, text: string): TranscriptEntry => ({ turn, from: 'agent', text })
  const about = {
    goal: 'A refund',
    facts: ['name: Mia'],
    criteria: ['The agent says that the refund is paid by Friday'],
  }

  test('sees what was said since', () => {
    const entries = [user(1, 'I was charged twice for it')]
    const guard = createGuard({ ...about, entries: () => entries })
    expect(guard('My reference is AB-1234-XY').notes).toEqual([
      'the reference "AB-1234-XY" stands neither in the facts, the goal and the persona nor in the talk',
    ])
    entries.push(agent(1, 'Your reference is AB-1234-XY.'))
    expect(guard('My reference is AB-1234-XY')).toEqual({ hits: [], notes: [] })
    expect(guard('I was charged twice for it').hits).toEqual([expect.objectContaining({ guard: 'repeat' })])
  })

  test('splits no answer of the agent into words where nothing is repeated', () => {
    const entries = [user(1, 'I was charged twice'), agent(1, 'I am sorry to hear that. Which order is it?')]
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment')
    const guard = createGuard({ ...about, entries: () => entries })
    guard('It is the one of last Monday')
    expect(segment.mock.calls.map(([text]) => text)).not.toContain(entries[1]?.text.toLowerCase())
    const after = segment.mock.calls.length
    guard('It is the one of last Tuesday')
    expect(segment.mock.calls.slice(after)).toEqual([['it is the one of last tuesday']])
  })
})
