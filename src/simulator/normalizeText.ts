let segmenter: Intl.Segmenter | undefined

/** A text without what the eye does not see: one spelling of each character, straight quotes, no invisible characters. */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\u2018\u2019\u02bc]/g, "'")
    .replaceAll(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
}

/** Its words in small letters, also of languages that put no spaces between them. */
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

// Where only these occur, spaces and signs part words, but for the signs that join two: `don't`, `1,234.5`, `snake_case`.
const ascii = /^[\t\n\r -~]*$/
const joins = /_|[a-z\d][.:,;'][a-z\d]/

/** By the rules of Unicode, which take some ten times as long. */
function segmented(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  const found: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike === true) found.push(segment)
  }
  return found
}

/** Each run of so many words in a text, the words parted by a space. */
export function runsOf(words: readonly string[], length: number): string[] {
  const found: string[] = []
  for (let start = 0; start + length <= words.length; start++) {
    found.push(words.slice(start, start + length).join(' '))
  }
  return found
}

/** Two texts that say the same in the same words have the same key, whatever their case, spaces and punctuation. */
export function keyOf(text: string): string {
  return wordsOf(text).join(' ')
}

const keys = new WeakMap<object, { text: string; key: string }>()

/** The key of something that was said: found once, since every later turn is compared with it. */
export function keyOfSaid(entry: { readonly text: string }): string {
  const { text } = entry
  let known = keys.get(entry)
  if (known?.text !== text) {
    known = { text, key: keyOf(text) }
    keys.set(entry, known)
  }
  return known.key
}
