import { isSensitiveHeader, redact } from '../core/redact.ts'
import type { Verdict } from '../checks/verdict.ts'
import { printable } from './body.ts'

const longest = 10_000
const deepest = 20
const mostMembers = 500

/**
 * The two values of a failed comparison for the diff of a runner: secrets hidden, control characters made visible, long texts
 * shortened. Empty for a verdict that is not one comparison, and for one that passed.
 */
export function comparisonOf({ outcome, comparison, secrets }: Verdict): {
  expected?: unknown
  actual?: unknown
} {
  if (comparison === undefined || outcome !== 'failed') return {}
  const { expected, actual } = comparison
  return { expected: shown(expected, secrets), actual: shown(actual, secrets) }
}

function shown(value: unknown, secrets: readonly string[], depth = 0): unknown {
  if (typeof value === 'string') {
    const text = printable(redact(value, secrets))
    return text.length > longest ? `${text.slice(0, longest)}…` : text
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth === deepest) return '…'
  if (Array.isArray(value)) return value.slice(0, mostMembers).map((one) => shown(one, secrets, depth + 1))
  // Anything but plain data, such as an asymmetric matcher, belongs to the test.
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return value
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, mostMembers)
      .map(([key, inner]) => [
        printable(redact(key, secrets)),
        isSecret(key) && typeof inner === 'string' ? '<hidden>' : shown(inner, secrets, depth + 1),
      ]),
  )
}

/** True for members such as `password`, `apiKey` and `access_token`: in text, `redact()` hides their values by the name as well. */
function isSecret(key: string): boolean {
  return isSensitiveHeader(key.replace(/([a-z\d])([A-Z])/g, '$1-$2'))
}
