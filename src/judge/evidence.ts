import type { TranscriptEntry } from '../transcript/types.ts'
import { factsOf } from './harnessFacts.ts'
import { unmarked } from './fence.ts'
import type { ClaimedQuote } from './answer.ts'
import type { Evidence } from './types.ts'

/** Whose words a quote may come from. */
export type Speaker = 'agent' | 'user' | 'anybody'

/** Finds quotes in a conversation. */
export interface QuoteFinder {
  /** The quote with the turn that really contains it: the named turn first; not verified if no turn does. */
  find(claimed: ClaimedQuote, speaker: Speaker): Evidence
}

/** Words that prove nothing on their own. */
const emptyWords = new Set(
  'the and you your not yes for was are has have had but can will der die das und ist nicht les des une est pas los las por que con una'.split(
    ' ',
  ),
)

/** A text as quotes are compared: spaces, quotes, dashes, case, emphasis and invisible characters make no difference. */
export function normalise(text: string): string {
  return (
    text
      .normalize('NFKC')
      // Through capitals, which make "ß" and "ss" the same.
      .toUpperCase()
      .toLowerCase()
      .normalize('NFKC')
      .replaceAll(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u061c]/gu, '')
      .replaceAll(/[“”„‟«»‹›‘’‚‛′″´`"「」『』〝〞]/gu, "'")
      .replaceAll(/[‐‑‒–—―−⁃]/gu, '-')
      .replaceAll(/[*]|~~|__/gu, '')
      .replaceAll(/\.{3,}/gu, '...')
      .replaceAll(/\s+/gu, ' ')
      .trim()
  )
}

/** Makes a finder for a conversation. Quotes are looked for in what the judge is shown: texts, artifacts, data, reasons, and task states. */
export function quoteFinder(entries: readonly TranscriptEntry[]): QuoteFinder {
  const known = new Map<TranscriptEntry, Texts>()
  // Most quotes are in the turn they name, so most of a conversation is never read.
  const textsIn = (entry: TranscriptEntry): Texts => {
    const texts = known.get(entry) ?? textsOf(entry)
    known.set(entry, texts)
    return texts
  }
  return {
    find: ({ turn, quote }, speaker) => {
      const fitting = entries.filter(({ from }) => speaker === 'anybody' || from === speaker)
      const here = fitting.filter((entry) => entry.turn === turn)
      const elsewhere = fitting.filter((entry) => entry.turn !== turn)
      // If several other turns contain it, take the nearest.
      elsewhere.sort((a, b) => Math.abs(a.turn - turn) - Math.abs(b.turn - turn))
      const forms = readings(quote)
      const found = [...here, ...elsewhere].find((entry) => forms.some((one) => stands(one, textsIn(entry))))
      return { turn: found?.turn ?? turn, quote, verified: found !== undefined }
    },
  }
}

interface Texts {
  texts: string[]
  /** JSON of data, without spaces and quotes. */
  data: string[]
}

function textsOf(entry: TranscriptEntry): Texts {
  const texts: string[] = [entry.text, ...factsOf(entry)]
  const data: string[] = []
  const add = (text: string | undefined): void => {
    if (text !== undefined) texts.push(text)
  }
  const addData = (parts: readonly unknown[] = []): void => {
    for (const part of parts) {
      data.push(squeezed(normalise(unmarked(JSON.stringify(part) ?? ''))))
      leaves(part, add)
    }
  }
  const addFiles = (files: TranscriptEntry['files'] = []): void => {
    for (const { name, mediaType, url } of files) [name, mediaType, url].forEach(add)
  }
  addData(entry.data)
  addFiles(entry.files)
  for (const artifact of entry.artifacts ?? []) {
    add(artifact.name)
    add(artifact.text)
    addData(artifact.data)
    addFiles(artifact.files)
  }
  add(entry.reason)
  add(entry.error?.message)
  // An artifact often repeats the text of the answer.
  return { texts: [...new Set(texts)].map((text) => normalise(unmarked(text))), data }
}

function leaves(value: unknown, add: (text: string) => void): void {
  if (typeof value === 'string') add(value)
  else if (typeof value === 'number') add(String(value))
  else if (typeof value === 'object' && value !== null) {
    for (const one of Object.values(value)) leaves(one, add)
  }
}

/** Forms of a quote: as it is, or unescaped if it was copied from JSON, each also without surrounding quotes and punctuation. */
function readings(quote: string): string[] {
  const plain = normalise(quote)
  const forms = [plain, normalise(unescaped(quote)), normalise(unmarked(quote))]
  return [
    ...new Set(forms.flatMap((form) => [form, form.replace(/^[' ]+|[' .,;:!?。、！？]+$/gu, '')])),
  ].filter((form) => form !== '')
}

function unescaped(quote: string): string {
  if (!quote.includes('\\')) return quote
  try {
    return String(JSON.parse(`"${quote.replaceAll(/(?<!\\)"/g, '\\"')}"`))
  } catch {
    return quote
  }
}

function stands(quote: string, { texts, data }: Texts): boolean {
  // A whole answer may be quoted, even if it is only "No.".
  const whole = (text: string): boolean => text === quote || text.replace(/[.!?。！？]+$/u, '') === quote
  if (texts.some(whole)) return true
  if (!says(quote)) return false
  if (texts.some((text) => within(text, quote, 0) >= 0)) return true
  const squeezedQuote = squeezed(quote)
  if (says(squeezedQuote) && data.some((json) => within(json, squeezedQuote, 0) >= 0)) return true
  return texts.some((text) => standsInPieces(text, quote))
}

/** Whether the words are enough to prove anything. */
function says(quote: string): boolean {
  const letters = quote.replaceAll(/[^\p{L}\p{N}]/gu, '')
  // A Chinese or Japanese character is a word, or most of one.
  const least = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(letters) ? 2 : 3
  return letters.length >= least && !emptyWords.has(letters)
}

/** A quote with something left out: the text has each piece, in that order, and each piece says something on its own. */
function standsInPieces(text: string, quote: string): boolean {
  const pieces = quote
    .split(/\[\.\.\.\]|\(\.\.\.\)|\.\.\./u)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
  if (!quote.includes('...') || pieces.length === 0 || pieces.length > 4) return false
  let from = 0
  for (const piece of pieces) {
    if (piece.length < 4 || !says(piece)) return false
    const at = within(text, piece, from)
    if (at < 0) return false
    if (from > 0 && negates(text.slice(from, at), text.slice(0, from))) return false
    from = at + piece.length
  }
  return true
}

const negation =
  /(?<![\p{L}\p{N}])(?:not|never|no|none|nor|neither|cannot|without|nicht|nie|niemals|kein\p{L}*|pas|jamais|nunca|jam[aá]s|n[aã]o|non|mai|niet|geen)(?![\p{L}\p{N}])|n't(?!\p{L})|[不没沒無无未]/u

/** Whether the words left out negate the rest of their sentence: "I will … refund" does not quote "I will never ever refund". */
function negates(leftOut: string, before: string): boolean {
  const sentences = leftOut.split(/[.!?。！？]/u)
  const isBegun = !/[.!?。！？]$/u.test(before)
  return (isBegun && negation.test(sentences[0] ?? '')) || negation.test(sentences.at(-1) ?? '')
}

/** Scripts with spaces between words; only in these can the end of a word be seen. */
const spaced = /[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{N}]/u

/** The position of a quote in a text, as whole words; -1 if it is not there: "4" is not in "4411". */
function within(text: string, quote: string, from: number): number {
  const joins = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && spaced.test(a) && spaced.test(b)
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 1)) {
    const end = at + quote.length
    if (!joins(text[at - 1], quote[0]) && !joins(quote.at(-1), text[end])) return at
  }
  return -1
}

function squeezed(text: string): string {
  return text.replaceAll(/[\s'\\]/gu, '')
}
