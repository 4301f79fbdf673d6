import { isRegExp } from '../core/guards.ts'
import { nearest } from '../core/nearest.ts'

export { isRecord, isRegExp } from '../core/guards.ts'

const longest = 120

/** A value for a sentence: texts in quotes, data as JSON, shortened to one line. */
export function show(value: unknown, most: number = longest): string {
  if (value === undefined) return 'undefined'
  if (typeof value === 'string') return quote(value, most)
  if (typeof value === 'function') return value.name === '' ? 'a function' : `the function ${value.name}`
  if (typeof value !== 'object' || value === null) return String(value)
  if (isRegExp(value)) return String(value)
  if (isAsymmetric(value)) return nameAsymmetric(value)
  let json: string
  try {
    json = JSON.stringify(value, (_key, inner: unknown) =>
      isAsymmetric(inner) ? nameAsymmetric(inner) : isRegExp(inner) ? String(inner) : inner,
    )
  } catch {
    // Circular, or contains a bigint.
    json = String(value)
  }
  return json.length > most ? `${json.slice(0, most)}…` : json
}

/** A text in quotes, on one line, shortened. */
export function quote(text: string, most: number = longest): string {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text
  return JSON.stringify(shown)
}

/** `1 skill`, `2 skills` */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

/** An asymmetric matcher, such as `expect.stringContaining(…)`, of any runner. */
export interface Asymmetric {
  asymmetricMatch(value: unknown): boolean
  toAsymmetricMatcher?(): string
  toString(): string
}

export function isAsymmetric(value: unknown): value is Asymmetric {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<Asymmetric>).asymmetricMatch === 'function'
  )
}

function nameAsymmetric(matcher: Asymmetric): string {
  // `Any<String>` and `StringContaining "x"` come from the first, the bare kind from the second.
  return matcher.toAsymmetricMatcher?.() ?? String(matcher)
}

/** `a`, `a and b`, `a, b and c` */
export function listed(items: readonly string[]): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`
}

/** ` Did you mean "echo"?`, or an empty string if no known word is similar. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  return near === undefined ? '' : ` Did you mean "${near}"?`
}
