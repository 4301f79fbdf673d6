import { orAborted, throwIfAborted } from '../core/abort.ts'
import type { Transcript } from '../transcript/types.ts'
import { A2AUsageError } from '../core/errors.ts'
import type { CriterionResult, ParsedCriterion } from './types.ts'

/** The result of a criterion that nothing has decided. */
export function undecided(criterion: ParsedCriterion, reason: string): CriterionResult {
  const { key, id, kind, text, weight, required } = criterion
  return { key, id, kind, text, weight, required, verdict: 'unknown', reason, evidence: [], votes: [] }
}

/**
 * Decides a criterion by its function. It is met by a truthy value; it is not met by a falsy value, by a result whose `success` or
 * `pass` is false, or by a failing assertion. Throws A2AUsageError `BAD_USE` if the function is at fault, and the reason of an
 * aborted signal.
 */
export async function runCheck(
  criterion: ParsedCriterion,
  transcript: Transcript,
  signal: AbortSignal,
): Promise<CriterionResult> {
  const { check, id } = criterion
  if (check === undefined) return undecided(criterion, 'not judged')
  const blamed = `the check of criterion "${id}"`
  const decided = (met: boolean, reason: string): CriterionResult => ({
    ...undecided(criterion, reason),
    verdict: met ? 'met' : 'not_met',
  })
  throwIfAborted(signal)
  let returned: unknown
  try {
    returned = await orAborted((async () => check(transcript))(), signal)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (isAssertion(error)) return decided(false, `its assertion failed: ${error.message}`)
    throw new A2AUsageError('BAD_USE', `${blamed} threw ${String(error)}.`, {
      cause: error,
      fix: 'Fix the function: an error in it says nothing about the agent.',
    })
  }
  if (returned === undefined) {
    throw new A2AUsageError('BAD_USE', `${blamed} returned nothing.`, {
      fix: 'Return true or false; a function with its own assertions should end with `return true`.',
    })
  }
  const met = Boolean(returned) && !saysNo(returned)
  return decided(met, `its function returned ${shown(returned)}`)
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

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}
