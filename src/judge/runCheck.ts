import { orAborted, throwIfAborted } from '../core/abort.ts'
import type { Transcript } from '../transcript/types.ts'
import { A2AUsageError } from '../core/errors.ts'
import type { CriterionResult, ParsedCriterion } from './types.ts'

/** A criterion, before anything is known of it. */
export function undecided(criterion: ParsedCriterion, reason: string): CriterionResult {
  const { key, id, kind, text, weight, required } = criterion
  return { key, id, kind, text, weight, required, verdict: 'unknown', reason, evidence: [], votes: [] }
}

/**
 * Decides a criterion by its function. A true value is met, a false one is not, and neither is a result with `success` or `pass`
 * false, or an assertion that fails. Throws A2AUsageError `BAD_USE` where the function is at fault, and the reason of an aborted
 * signal.
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
  let said: unknown
  try {
    said = await orAborted((async () => check(transcript))(), signal)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (isAssertion(error)) return decided(false, `its assertion failed: ${error.message}`)
    throw new A2AUsageError('BAD_USE', `${blamed} threw ${String(error)}.`, {
      cause: error,
      fix: 'Fix the function: an error in it says nothing about the agent.',
    })
  }
  if (said === undefined) {
    throw new A2AUsageError('BAD_USE', `${blamed} returned nothing.`, {
      fix: 'Return true or false; a function with its own assertions should end with `return true`.',
    })
  }
  const met = Boolean(said) && !saysNo(said)
  return decided(met, `its function returned ${shown(said)}`)
}

/** The result of `safeParse` or of a custom matcher is an object, which is always truthy. */
function saysNo(said: unknown): boolean {
  const { success, pass } = said as { success?: unknown; pass?: unknown }
  return success === false || pass === false
}

function isAssertion(error: unknown): error is Error {
  const { name, matcherResult } = (error ?? {}) as { name?: string; matcherResult?: unknown }
  return matcherResult !== undefined || name === 'AssertionError' || name === 'JestAssertionError'
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}
