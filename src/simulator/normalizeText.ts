let segmenter: Intl.Segmenter | undefined

/** A text in one spelling: normalized characters, straight quotes, no invisible characters. */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\u2018\u2019\u02bc]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
}

/** Its words in lower case, also in languages without spaces between them. */
export function wordsOf(text: string): string[] {
  const small = plain(text).toLowerCase()
  if (!ascii.test(small)) return segmented(small)
  const found: string[] = []
  for (const [piece] of small.matchAll(/\S+/g)) {
    for (const word of joins.test(piece) ? segmented(piece) : (piece.match(/[a-z\d]+/g) ?? []))
      found.push(word)
  }
  return found
}

// In these characters, spaces and punctuation separate words, except punctuation inside a word: `don't`, `1,234.5`, `snake_case`.
const ascii = /^[\t\n\r -~]*$/
const joins = /_|[a-z\d][.:,;'][a-z\d]/

/** By the rules of Unicode, which takes about ten times as long. */
function segmented(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  const found: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike === true) found.push(segment)
  }
  return found
}

/** Each run of `length` words, separated by spaces. */
export function runsOf(words: readonly string[], length: number): string[] {
  const found: string[] = []
  for (let start = 0; start + length <= words.length; start++) {
    found.push(words.slice(start, start + length).join(' '))
  }
  return found
}

/** Texts with the same words have the same key, whatever their case, spaces and punctuation. */
export function keyOf(text: string): string {
  return wordsOf(text).join(' ')
}

const keys = new WeakMap<object, { text: string; key: string }>()

/** The key of an entry, computed once, because every later turn is compared with it. */
export function keyOfSaid(entry: { readonly text: string }): string {
  const { text } = entry
  let known = keys.get(entry)
  if (known?.text !== text) {
    known = { text, key: keyOf(text) }
    keys.set(entry, known)
  }
  return known.key
}
