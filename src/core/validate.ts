import { A2AUsageError, type A2AErrorDetail } from './errors.ts'
import { isRecord, isRegExp, isText } from './guards.ts'
import { nearest } from './nearest.ts'

/** What one argument or option may be. */
export interface Kind {
  /** Completes "must be …". */
  readonly what: string
  accepts(value: unknown): boolean
  /** The value is never shown, not even a wrong one. */
  readonly secret?: true
  /** An option of this kind cannot be left out. */
  readonly required?: true
  /** What to write instead of this wrong value, as a sentence. */
  advice?(value: unknown): string | undefined
  /** What is wrong within a value that has the right shape. */
  inner?(value: unknown): Problem | undefined
}

/** What is wrong with a value, or with a member of it. */
export interface Problem {
  /** The way to the member: `.votes`, `[0]`; empty for the value itself. */
  path: string
  /** Completes the sentence that begins with the path. */
  message?: string
  fix?: string
  /** A key that the options object may not have, and those that it may. */
  unknown?: { key: string; known: readonly string[] }
}

/** The keys that an options object may have. */
export type OptionsSpec = Readonly<Record<string, Kind>>

/** One argument before the options. */
export interface ArgumentSpec {
  /** As in the docs: `message`. */
  name: string
  kind: Kind
  /** Default true. */
  required?: boolean
}

const kind = (what: string, accepts: (value: unknown) => boolean): Kind => ({ what, accepts })

const isNumber = (value: unknown): value is number => typeof value === 'number'

export const text: Kind = kind('a string', (value) => typeof value === 'string')
export const filledText: Kind = kind(
  'a non-empty string',
  (value) => typeof value === 'string' && value !== '',
)
/** For texts that people or models read. */
export const nonBlankText: Kind = kind('a string that is not blank', isText)
export const flag: Kind = kind('true or false', (value) => typeof value === 'boolean')
export const fn: Kind = kind('a function', (value) => typeof value === 'function')
export const record: Kind = kind('an object', isRecord)
export const anything: Kind = kind('any value', () => true)
export const regExp: Kind = kind('a regular expression', isRegExp)
export const duration: Kind = kind(
  'a positive number of milliseconds',
  (value) => isNumber(value) && value > 0,
)
/** A duration that may also be 0. */
export const wait: Kind = kind(
  'a number of milliseconds of at least 0',
  (value) => isNumber(value) && value >= 0,
)
export const wholeNumber: Kind = kind(
  'a whole number of at least 0',
  (value) => Number.isInteger(value) && Number(value) >= 0,
)
export const countingNumber: Kind = kind(
  'a whole number of at least 1',
  (value) => Number.isInteger(value) && Number(value) >= 1,
)
/** A Buffer counts too. */
export const bytes: Kind = kind(
  'bytes',
  (value) => Object.prototype.toString.call(value) === '[object Uint8Array]',
)
export const httpUrl: Kind = kind(
  'an absolute http(s) URL such as "http://127.0.0.1:3000/a2a"',
  (value) => typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value),
)
/** Recognized by its shape: a test environment such as jsdom has its own class. */
export const abortSignal: Kind = kind(
  'an AbortSignal',
  (value) => isRecord(value) && typeof value['aborted'] === 'boolean',
)

/** One of these strings. */
export function oneOf(...values: readonly string[]): Kind {
  return {
    ...kind(alternatives(values.map(quote)), (value) => typeof value === 'string' && values.includes(value)),
    advice(value) {
      const near = typeof value === 'string' ? nearest(value, values) : undefined
      return near === undefined ? undefined : `Did you mean ${quote(near)}?`
    },
  }
}

/** A number from `least` to `most`, both included. */
export function numberFrom(least: number, most: number): Kind {
  return kind(
    `a number from ${least} to ${most}`,
    (value) => isNumber(value) && value >= least && value <= most,
  )
}

/** Accepts what one of these kinds accepts. */
export function either(...kinds: readonly Kind[]): Kind {
  return {
    ...kind(alternatives(kinds.map((one) => one.what)), (value) => kinds.some((one) => one.accepts(value))),
    inner: (value) => kinds.find((one) => one.accepts(value))?.inner?.(value),
    ...(kinds.some((one) => one.secret) && { secret: true }),
  }
}

/** An array whose elements are all of this kind. */
export function listOf(element: Kind, what = `an array, each element ${element.what}`): Kind {
  return {
    ...kind(what, Array.isArray),
    inner: (value) => first(value as unknown[], (each, at) => within(`[${at}]`, problemOf(element, each))),
  }
}

/** An object whose values are all of this kind, under any keys. */
export function recordOf(element: Kind, what = `an object, each value ${element.what}`): Kind {
  return {
    ...kind(what, isRecord),
    inner: (value) =>
      first(Object.entries(value as object), ([key, each]) => within(member(key), problemOf(element, each))),
    ...(element.secret && { secret: true }),
  }
}

/** An object of options within the options. */
export function optionsOf(spec: OptionsSpec, what = 'an object'): Kind {
  return { ...kind(what, isRecord), inner: (value) => problemIn(value as Record<string, unknown>, spec) }
}

/** An option that cannot be left out. */
export function required(option: Kind): Kind {
  return { ...option, required: true }
}

/** An option whose value is never shown. */
export function secret(option: Kind): Kind {
  return { ...option, secret: true }
}

const lineBreakFix = 'Trim the value: a secret read from a file often ends with a line break.'
const hasLineBreak = (value: unknown): boolean => typeof value === 'string' && /[\r\n\0]/.test(value)

/** A value that goes into an HTTP header. */
export const headerText: Kind = secret({
  ...text,
  inner: (value) =>
    hasLineBreak(value)
      ? { path: '', message: 'must not contain line breaks.', fix: lineBreakFix }
      : undefined,
})

/** Secrets by the names of the card's security schemes. */
export const credentials: Kind = recordOf(
  secret(either({ ...headerText, ...kind('a non-empty string', isText) }, fn)),
  'an object of strings or functions, by the names of the security schemes',
)

/**
 * Checks an options object. `owner` is the function called, without parentheses: `toReply`.
 * Throws A2AUsageError `BAD_OPTIONS` that names the wrong key or value and the right ones.
 */
export function checkOptions(owner: string, value: unknown, spec: OptionsSpec): void {
  const names = Object.keys(spec)
  if (names.length === 0 && value !== undefined) {
    throw badOption(owner, `no options are accepted; received ${show(value)}.`)
  }
  if (value !== undefined && !isRecord(value)) {
    throw badOption(owner, `the options must be an object; received ${show(value)}.`, optionsFix(names))
  }
  const problem = problemIn(value ?? {}, spec)
  if (problem !== undefined) throw errorOf(owner, problem)
}

/** Checks the arguments before the options. Throws A2AUsageError `BAD_OPTIONS`. */
export function checkArguments(
  owner: string,
  given: readonly unknown[],
  specs: readonly ArgumentSpec[],
): void {
  for (const [index, { name, kind: expected, required: needed = true }] of specs.entries()) {
    const value = given[index]
    if (value === undefined && !needed) continue
    const problem = within(name, problemOf(expected, value))
    if (problem !== undefined) throw errorOf(owner, problem)
  }
}

/** The error of a wrong call. `message` is the rest of the sentence that begins with the function's name. */
export function badOption(owner: string, message: string, fix?: string): A2AUsageError {
  const detail: A2AErrorDetail = fix === undefined ? {} : { fix }
  return new A2AUsageError('BAD_OPTIONS', `${owner}(): ${message}`, detail)
}

/** A value as messages about options show it: short, objects by their keys only. */
export function show(value: unknown): string {
  if (typeof value === 'string') return quote(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `an array of ${value.length}`
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  if (tag === 'RegExp') return String(value)
  if (tag !== 'Object') return `${/^[AEIOU]/.test(tag) ? 'an' : 'a'} ${tag}`
  const keys = Object.keys(value)
  if (keys.length === 0) return '{}'
  return `{ ${keys.slice(0, 5).join(', ')}${keys.length > 5 ? ', …' : ''} }`
}

function problemIn(value: Record<string, unknown>, spec: OptionsSpec): Problem | undefined {
  const known = Object.keys(spec)
  const stray = Object.keys(value).find((key) => !Object.hasOwn(spec, key))
  if (stray !== undefined) {
    return { path: '', unknown: { key: stray, known } }
  }
  return first(Object.entries(spec), ([key, option]) => {
    const each = value[key]
    // An option that is undefined counts as left out.
    if (each === undefined && option.required !== true) return undefined
    return within(member(key), problemOf(option, each))
  })
}

function problemOf(expected: Kind, value: unknown): Problem | undefined {
  if (expected.accepts(value)) return expected.inner?.(value)
  const received = expected.secret === true && typeof value === 'string' ? 'a string' : show(value)
  const fix = expected.secret === true ? undefined : expected.advice?.(value)
  return {
    path: '',
    message: `must be ${expected.what}; received ${received}.`,
    ...(fix !== undefined && { fix }),
  }
}

function errorOf(owner: string, { path, message, fix, unknown }: Problem): A2AUsageError {
  const named = (key: string): string => `\`${(path + key).replace(/^\./, '')}\``
  if (unknown === undefined) return badOption(owner, `${named('')} ${message}`, fix)
  const near = nearest(unknown.key, unknown.known)
  return badOption(
    owner,
    `there is no option ${named(member(unknown.key))}.${near === undefined ? '' : ` Did you mean ${named(member(near))}?`}`,
    optionsFix(unknown.known),
  )
}

const optionsFix = (names: readonly string[]): string => `Options: ${names.join(', ')}.`

function within(path: string, problem: Problem | undefined): Problem | undefined {
  return problem && { ...problem, path: path + problem.path }
}

function first<T>(
  items: readonly T[],
  find: (item: T, at: number) => Problem | undefined,
): Problem | undefined {
  for (const [at, item] of items.entries()) {
    const problem = find(item, at)
    if (problem !== undefined) return problem
  }
  return undefined
}

const quote = (value: string): string => JSON.stringify(value)

const member = (key: string): string => (/^[\w$-]+$/.test(key) ? `.${key}` : `[${quote(key)}]`)

export function alternatives(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? 'nothing') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`
}
