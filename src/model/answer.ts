import { isDeepStrictEqual } from 'node:util'
import type { Checked } from '../core/document.ts'
import type { ModelAnswer } from './types.ts'

/**
 * Reads the data that a model was asked for, however it is wrapped: as data, as the whole text, in one fence around everything, or
 * between words. `check` is that of the document. Nothing is repaired, and two different values between words are none.
 */
export function readJson<T>(answer: ModelAnswer, check: (value: unknown) => Checked<T>): Checked<T> {
  const given = answer.json === undefined ? undefined : check(answer.json)
  if (given !== undefined && 'value' in given) return given

  const text = withoutThoughts(answer.text.trim())
  const whole = parse(text) ?? parse(fenced(text))
  if (whole !== undefined) return firstOf(given, check(whole.value))

  const found = objectsIn(text).map(check)
  const values = found.flatMap((each) => ('value' in each ? [each.value] : []))
  const last = values.at(-1)
  if (last === undefined) {
    const none = { problem: text === '' ? 'an empty answer' : 'no JSON object in the answer' }
    return firstOf(given, ...found, none)
  }
  return values.every((value) => isDeepStrictEqual(value, last))
    ? { value: last }
    : { problem: 'two different answers' }
}

/** The value, if there is one, else the first problem. */
function firstOf<T>(...checked: readonly (Checked<T> | undefined)[]): Checked<T> {
  const known = checked.filter((each) => each !== undefined)
  return known.find((each) => 'value' in each) ?? known[0] ?? { problem: 'no answer' }
}

/** Local models often write down what they think before they answer. */
function withoutThoughts(text: string): string {
  return text.replace(/^<think(?:ing)?>[^]*?<\/think(?:ing)?>/, '').trim()
}

function fenced(text: string): string | undefined {
  return /^```[^\n`]*\n([^]*)```$/.exec(text)?.[1]
}

function parse(text: string | undefined): { value: unknown } | undefined {
  if (text === undefined) return undefined
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Characters that are searched for objects: the search is quadratic at worst, and an answer is shorter. */
const mostWork = 4_000_000

/** Every object in a text that is not part of another one. */
function objectsIn(text: string): unknown[] {
  const found: unknown[] = []
  const start = /\{\s*["}]/g
  let work = 0
  for (let hit = start.exec(text); hit !== null && work < mostWork; hit = start.exec(text)) {
    const end = endOf(text, hit.index)
    work += (end ?? text.length) - hit.index
    const parsed = end === undefined ? undefined : parse(text.slice(hit.index, end))
    if (parsed !== undefined) found.push(parsed.value)
    // Text that is not JSON may contain JSON; in JSON there is nothing more to find.
    start.lastIndex = parsed === undefined || end === undefined ? hit.index + 1 : end
  }
  return found
}

/** The index after the brace that closes the one at `from`; braces in strings do not count. */
function endOf(text: string, from: number): number | undefined {
  let depth = 0
  let quoted = false
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (quoted) {
      if (character === '\\') at++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at + 1
  }
  return undefined
}
