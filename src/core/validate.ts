import { A2AUsageError } from './errors.ts'
import { isRecord, isRegExp, isText } from './guards.ts'
import { nearest } from './nearest.ts'

/** What one argument or option may be. */
export interface Kind {
  /** Completes "must be …". */
  readonly what: string
  accepts(value: unknown): boolean
  /** The value is never shown, not even a wrong one. */
  readonly secret?: true
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

export const text: Kind = kind('a string', (value) => typeof value === 'string')
export const filledText: Kind = kind(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
)
/** For texts that people or models read. */
export const nonBlankText: Kind = kind('a string that is not blank', isText)
export const truth: Kind = kind('true or false', (value) => typeof value === 'boolean')
export const fn: Kind = kind('a function', (value) => typeof value === 'function')
export const record: Kind = kind('an object', isRecord)
export const anything: Kind = kind('any value', () => true)
export const regExp: Kind = kind('a regular expression', isRegExp)
export const duration: Kind = kind(
  'a number of milliseconds above 0',
  (value) => typeof value === 'number' && value > 0,
)
export const wholeNumber: Kind = kind(
  'a whole number of at least 0',
  (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
)
export const countingNumber: Kind = kind(
  'a whole number of at least 1',
  (value) => typeof value === 'number' && Number.isInteger(value) && value >= 1,
)
// A Buffer is one, too.
export const bytes: Kind = kind(
  'bytes',
  (value) => Object.prototype.toString.call(value) === '[object Uint8Array]',
)

/** Secrets by the names of the card's security schemes; never shown. */
export const credentials: Kind = {
  what: 'an object of strings or functions, by the names of the security schemes',
  accepts: (value) =>
    isRecord(value) &&
    Object.keys(value).length > 0 &&
    Object.values(value).every((one) => (typeof one === 'string' && one !== '') || typeof one === 'function'),
  secret: true,
}

/** One of these strings. */
export function oneOf(...values: readonly string[]): Kind {
  return kind(listed(values.map(quote)), (value) => typeof value === 'string' && values.includes(value))
}

/** Whatever one of these accepts. */
export function either(...kinds: readonly Kind[]): Kind {
  return kind(listed(kinds.map((one) => one.what)), (value) => kinds.some((one) => one.accepts(value)))
}

/** A list of which every element is of this kind. */
export function listOf(element: Kind): Kind {
  return kind(
    `a list, each of it ${element.what}`,
    (value) => Array.isArray(value) && value.every((each) => element.accepts(each)),
  )
}

/** An object of which every value is of this kind. */
export function recordOf(element: Kind): Kind {
  return kind(
    `an object, each value of it ${element.what}`,
    (value) => isRecord(value) && Object.values(value).every((each) => element.accepts(each)),
  )
}

/**
 * Checks an options object. `owner` completes "the options of …".
 * Throws A2AUsageError `BAD_OPTIONS` that names the wrong key or value and the right ones.
 */
export function checkOptions(owner: string, value: unknown, spec: OptionsSpec): void {
  if (value === undefined) return
  const names = Object.keys(spec)
  if (names.length === 0) {
    throw new A2AUsageError('BAD_OPTIONS', `${owner} takes no options, but was given ${show(value)}.`)
  }
  if (!isRecord(value)) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      `the options of ${owner} must be an object, but are ${show(value)}.`,
      { fix: `Accepted options: ${names.join(', ')}.` },
    )
  }
  for (const [key, given] of Object.entries(value)) {
    const expected = Object.hasOwn(spec, key) ? spec[key] : undefined
    if (expected === undefined) {
      const near = nearest(key, names)
      throw new A2AUsageError(
        'BAD_OPTIONS',
        `${owner} has no option "${key}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
        { fix: `Accepted options: ${names.join(', ')}.` },
      )
    }
    // An option that is undefined is an option that was not given.
    if (given !== undefined && !expected.accepts(given)) {
      throw new A2AUsageError(
        'BAD_OPTIONS',
        `the option "${key}" of ${owner} must be ${expected.what}, but is ${expected.secret && typeof given === 'string' ? 'a string' : show(given)}.`,
      )
    }
  }
}

/** Checks the arguments before the options. Throws A2AUsageError `BAD_OPTIONS`. */
export function checkArguments(
  owner: string,
  given: readonly unknown[],
  specs: readonly ArgumentSpec[],
): void {
  for (const [index, { name, kind: expected, required = true }] of specs.entries()) {
    const value = given[index]
    if (value === undefined && !required) continue
    if (value === undefined && index >= given.length) {
      throw new A2AUsageError('BAD_OPTIONS', `${owner} needs ${name}, which must be ${expected.what}.`)
    }
    if (!expected.accepts(value)) {
      throw new A2AUsageError(
        'BAD_OPTIONS',
        `${name} of ${owner} must be ${expected.what}, but is ${show(value)}.`,
      )
    }
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return quote(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === undefined) return 'undefined'
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'symbol') return 'a symbol'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  if (tag === 'RegExp') return String(value)
  if (tag !== 'Object') return `a ${tag}`
  const keys = Object.keys(value)
  return keys.length === 0
    ? 'an empty object'
    : `an object with ${keys.slice(0, 5).join(', ')}${keys.length > 5 ? ', …' : ''}`
}

const quote = (value: string): string => JSON.stringify(value)

function listed(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? 'nothing') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`
}
