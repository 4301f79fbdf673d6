import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createGuard } from '../../src/simulator/guards.ts'
import type { TranscriptEntry } from '../../src/transcript/types.ts'
import { keyOf, keyOfSaid, wordsOf } from '../../src/simulator/normalizeText.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('words', () => {
  const byUnicode = (text: string): string[] =>
    [...new Intl.Segmenter('en', { granularity: 'word' }).segment(text)].flatMap(({ segment, isWordLike }) =>
      isWordLike === true ? [segment] : [],
    )

  test.each([
    ["Don't you see it?", ["don't", 'you', 'see', 'it']],
    ['It is #4411, at 14:20 (1,234.50 EUR).', ['it', 'is', '4411', 'at', '14', '20', '1,234.50', 'eur']],
    ['e.g. well-known snake_case "quoted"', ['e.g', 'well', 'known', 'snake_case', 'quoted']],
    ['Zażółć gęślą jaźń', ['zażółć', 'gęślą', 'jaźń']],
    ['', []],
  ])('%j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  test('are those of Unicode, whatever is between them', () => {
    const sign = fc.constantFrom(...Array.from('ab19 \t\n\r.,:;\'"_-#/\\()[]{}<>%$&*+=?!@^`|~é日'))
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(sign).map((signs) => signs.join('')),
          fc.string(),
        ),
        (text) => {
          const small = text.normalize('NFKC').toLowerCase()
          fc.pre(!/\p{Cf}/u.test(small))
          expect(wordsOf(small)).toEqual(byUnicode(small))
        },
      ),
      { numRuns: 2_000 },
    )
  })
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
    const entry = { text: 'Où est ma commande ?' }
    keyOfSaid(entry)
    keyOfSaid(entry)
    expect(segment).toHaveBeenCalledTimes(1)
  })
})

describe('one guard for a whole conversation', () => {
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
      'the reference "AB-1234-XY" is not in the facts, the goal, the persona or the conversation',
    ])
    entries.push(agent(1, 'Your reference is AB-1234-XY.'))
    expect(guard('My reference is AB-1234-XY')).toEqual({ hits: [], notes: [] })
    expect(guard('I was charged twice for it').hits).toEqual([expect.objectContaining({ guard: 'repeat' })])
  })

  test('splits no answer of the agent into words where nothing is repeated', () => {
    const entries = [user(1, 'I was charged twice'), agent(1, 'Je suis désolé. De quelle commande ?')]
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment')
    const guard = createGuard({ ...about, entries: () => entries })
    guard('La commande passée lundi dernier')
    expect(segment.mock.calls.map(([text]) => text)).not.toContain(entries[1]?.text.toLowerCase())
    const after = segment.mock.calls.length
    guard('La commande passée mardi dernier')
    expect(segment.mock.calls.slice(after)).toEqual([['la commande passée mardi dernier']])
  })
})
