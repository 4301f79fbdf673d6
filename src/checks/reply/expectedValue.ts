import { A2AUsageError, isA2AError } from '../../core/errors.ts'
import type { Comparison } from '../verdict.ts'
import { isPromise } from '../../core/guards.ts'
import { difference, test } from './deepDifference.ts'
import { count, isAsymmetric, isRegExp, quote, show, type Asymmetric } from '../phrases.ts'

/** The part of Standard Schema v1 that we call; zod, valibot, arktype and others implement it. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    validate(value: unknown): SchemaResult | Promise<SchemaResult>
  }
}
interface SchemaResult {
  readonly issues?: readonly SchemaIssue[] | undefined
}
interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * A function that decides: a truthy result passes, a falsy one fails, and so does `{ success: false }` or `{ pass: false }`, which schema
 * libraries and runners return; `undefined` is an error, because it usually means a forgotten `return`.
 */
export type Predicate<About> = (text: string, about: About) => unknown

/**
 * What an answer may be compared with: a string (contained in the text), a RegExp, an asymmetric matcher, a Standard Schema,
 * a function, or data (equal to a data part, or to the text read as JSON).
 */
export type Expected<About> =
  | string
  | RegExp
  | Asymmetric
  | StandardSchema
  | Predicate<About>
  | readonly unknown[]
  | { readonly [key: string]: unknown }

/** An answer, or a part of one, for a comparison. */
export interface Answer<About> {
  text: string
  data: readonly unknown[]
  /** The second argument of a function. */
  about: About
}

/** Why an answer is not as expected: one phrase, and longer detail separately. */
export interface Mismatch {
  why: string
  detail?: { label: string; text: string }
  /** For the diff of the runner. */
  comparison?: Comparison
}

export interface ExpectationOptions {
  /** The name of the matcher, for messages about wrong use. */
  matcher: string
  /** A string must be the whole text, not only contained in it. Default false. */
  exact?: boolean
}

/** Completes "a reply …": `that contains "Oslo"`. */
export function phrase(expected: unknown, exact = false): string {
  if (typeof expected === 'string')
    return exact ? `that is exactly ${quote(expected)}` : `that contains ${quote(expected)}`
  if (isSchema(expected)) return `that satisfies the ${expected['~standard'].vendor} schema`
  if (isRegExp(expected) || isAsymmetric(expected)) return `that matches ${show(expected)}`
  if (typeof expected === 'function') {
    return `that satisfies ${expected.name === '' ? 'the function' : show(expected)}`
  }
  return `with the data ${show(expected)}`
}

/** Rejects values that no answer can be compared with. Throws A2AUsageError `BAD_OPTIONS`. */
export function checkExpected(expected: unknown, { matcher, exact = false }: ExpectationOptions): void {
  if (expected === '' && !exact) {
    throw new A2AUsageError('BAD_OPTIONS', `every text contains "", so ${matcher}() would compare nothing.`, {
      fix: 'Omit it to accept any text; with { exact: true } the text must be empty.',
    })
  }
  if (typeof expected === 'string') return
  if (exact) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      `the option "exact" of ${matcher}() needs an expected string, not ${show(expected)}.`,
    )
  }
  if (typeof expected === 'function' || (typeof expected === 'object' && expected !== null)) return
  throw new A2AUsageError(
    'BAD_OPTIONS',
    `${matcher}() cannot compare with ${show(expected)}; use a string, a RegExp, an asymmetric matcher, a Standard Schema, a function, an object or an array.`,
  )
}

/**
 * Compares an answer with the expected value; undefined if it matches. Asynchronous only if the schema or the function is.
 * Throws A2AUsageError `BAD_OPTIONS` for a value that cannot be compared, `BAD_USE` for a function that throws or returns nothing.
 */
export function compare<About>(
  expected: Expected<About>,
  answer: Answer<About>,
  { matcher, exact = false }: ExpectationOptions,
): Mismatch | undefined | Promise<Mismatch | undefined> {
  checkExpected(expected, { matcher, exact })
  if (typeof expected === 'string') return compareText(expected, answer.text, exact)
  if (isRegExp(expected)) {
    return test(expected, answer.text) ? undefined : { why: `the text does not match ${show(expected)}` }
  }
  if (isSchema(expected)) return fit(expected, candidates(answer))
  if (isAsymmetric(expected)) {
    const fits = candidates(answer).some(({ value }) => expected.asymmetricMatch(value))
    return fits ? undefined : { why: `neither text nor data matches ${show(expected)}` }
  }
  if (typeof expected === 'function') return ask(expected, answer, matcher)
  return compareData(expected, answer)
}

function compareText(expected: string, text: string, exact: boolean): Mismatch | undefined {
  if (exact ? text === expected : text.includes(expected)) return undefined
  if (!exact) {
    const other = text.toLowerCase().includes(expected.toLowerCase()) ? ' (but does in a different case)' : ''
    return {
      why: `the text does not contain ${quote(expected)}${other}`,
      comparison: { expected, actual: text },
    }
  }
  let at = 0
  while (text[at] === expected[at]) at++
  return {
    why: `the text differs from character ${at + 1}`,
    detail: {
      label: `From character ${at + 1} onwards`,
      text: `expected ${quote(expected.slice(at))}\nreceived ${quote(text.slice(at))}`,
    },
    comparison: { expected, actual: text },
  }
}

interface Candidate {
  what: 'data' | 'text' | 'text read as JSON'
  value: unknown
}

/** The values that an answer may represent, the likeliest first. */
function candidates({ text, data }: Answer<unknown>): Candidate[] {
  const json = parsed(text)
  return [
    ...(data.length === 0 ? [] : [{ what: 'data' as const, value: data.length === 1 ? data[0] : data }]),
    ...(json === undefined ? [] : [{ what: 'text read as JSON' as const, value: json }]),
    { what: 'text' as const, value: text },
  ]
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function compareData(expected: object, answer: Answer<unknown>): Mismatch | undefined {
  const parts = answer.data.map((value) => value)
  if (Array.isArray(expected)) parts.push(answer.data)
  const json = parsed(answer.text)
  if (answer.data.length === 0 && json !== undefined) parts.push(json)
  if (parts.length === 0) return { why: 'it has no data part, and its text is not JSON' }
  const differences = parts.map((value) => difference(expected, value, 'equal', 'data'))
  if (differences.includes(undefined)) return undefined
  return { why: differences[0] as string, comparison: { expected, actual: parts[0] } }
}

function fit(
  schema: StandardSchema,
  values: Candidate[],
): Mismatch | undefined | Promise<Mismatch | undefined> {
  const results = values.map(({ value }) => schema['~standard'].validate(value))
  const judge = (settled: readonly SchemaResult[]): Mismatch | undefined => {
    if (settled.some(({ issues }) => issues === undefined)) return undefined
    const issues = settled[0]?.issues ?? []
    const { what } = values[0] as Candidate
    return {
      why: `its ${what} does not satisfy the schema (${count(issues.length, 'issue')})`,
      detail: { label: 'Schema issues', text: issues.map(issueLine).join('\n') },
    }
  }
  return results.some(isPromise)
    ? Promise.all(results.map((result) => Promise.resolve(result))).then(judge)
    : judge(results as SchemaResult[])
}

function issueLine({ message, path = [] }: SchemaIssue): string {
  const where = path
    .map((step) => (typeof step === 'object' ? step.key : step))
    .reduce<string>(
      (all, key) =>
        typeof key === 'number' ? `${all}[${key}]` : all === '' ? String(key) : `${all}.${String(key)}`,
      '',
    )
  return where === '' ? message : `${where}: ${message}`
}

function ask<About>(
  predicate: Predicate<About>,
  answer: Answer<About>,
  matcher: string,
): Mismatch | undefined | Promise<Mismatch | undefined> {
  const named = predicate.name !== ''
  const name = named ? show(predicate) : 'the function'
  const blamed = `${named ? name : 'the function'} passed to ${matcher}()`
  const judge = (returned: unknown): Mismatch | undefined => {
    if (returned === undefined) {
      throw new A2AUsageError('BAD_USE', `${blamed} returned nothing.`, {
        fix: 'Return true or false; a function with its own assertions should end with `return true`.',
      })
    }
    return returned && !saysNo(returned) ? undefined : { why: `${name} returned ${show(returned)}` }
  }
  const blame = (error: unknown): Mismatch => {
    if (isAssertion(error))
      return { why: `an assertion in ${name} failed`, detail: { label: 'Assertion', text: error.message } }
    if (isA2AError(error)) throw error
    // A mistake in the test must not count against the agent, least of all with `.not`.
    throw new A2AUsageError('BAD_USE', `${blamed} threw ${String(error)}.`, {
      cause: error,
    })
  }
  try {
    const returned = predicate(answer.text, answer.about)
    return isPromise(returned) ? returned.then(judge).catch(blame) : judge(returned)
  } catch (error) {
    return blame(error)
  }
}

/** The result of `safeParse` or of a custom matcher is an object, which is always truthy. */
function saysNo(returned: unknown): boolean {
  const { success, pass } = returned as { success?: unknown; pass?: unknown }
  return success === false || pass === false
}

function isAssertion(error: unknown): error is Error {
  const { name, matcherResult } = (error ?? {}) as { name?: string; matcherResult?: unknown }
  return matcherResult !== undefined || name === 'AssertionError' || name === 'JestAssertionError'
}

function isSchema(value: unknown): value is StandardSchema {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value
  )
}
