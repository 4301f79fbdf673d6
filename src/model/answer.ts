import { isDeepStrictEqual } from 'node:util'
import type { ModelAnswer } from './types.ts'

/** What was read from an answer, or why nothing was. */
export type Reading = { value: unknown } | { problem: string }

/**
 * Reads the data that a model was asked for, however it wrapped it: as data, as the whole text, in one fence around everything, or
 * among words. `fits` says what is wrong with a value, or undefined. Nothing is repaired, and of two different values that fit
 * among words none is taken.
 */
export function readJson(answer: ModelAnswer, fits: (value: unknown) => string | undefined): Reading {
  let problem: string | undefined
  const wrong = (value: unknown): boolean => {
    const found = fits(value)
    if (found !== undefined) problem ??= found
    return found !== undefined
  }
  if (answer.json !== undefined && !wrong(answer.json)) return { value: answer.json }

  const text = withoutThoughts(answer.text.trim())
  const whole = parse(text) ?? parse(fenced(text))
  if (whole !== undefined) return wrong(whole.value) ? { problem: problem ?? '' } : whole
  const fitting = objectsIn(text).filter((value) => !wrong(value))
  const last = fitting.at(-1)
  if (last === undefined)
    return { problem: problem ?? (text === '' ? 'an empty answer' : 'no JSON object in the answer') }
  return fitting.every((value) => isDeepStrictEqual(value, last))
    ? { value: last }
    : { problem: 'two different answers' }
}

/** Models that run locally often write what they think before what they answer. */
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

/** Characters that are looked at for objects; what is longer is no answer, and the search is quadratic at worst. */
const mostWork = 4_000_000

/** Every object in a text that stands in no other one. */
function objectsIn(text: string): unknown[] {
  const found: unknown[] = []
  const start = /\{\s*["}]/g
  let work = 0
  for (let hit = start.exec(text); hit !== null && work < mostWork; hit = start.exec(text)) {
    const end = endOf(text, hit.index)
    work += (end ?? text.length) - hit.index
    const parsed = end === undefined ? undefined : parse(text.slice(hit.index, end))
    if (parsed !== undefined) found.push(parsed.value)
    // Within what is no JSON there may be some; within JSON there is nothing to look for.
    start.lastIndex = parsed === undefined || end === undefined ? hit.index + 1 : end
  }
  return found
}

/** The place after the brace that closes the one at `from`; braces in strings close nothing. */
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
