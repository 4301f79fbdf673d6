import { count, isAsymmetric, isRecord, isRegExp, show } from '../phrases.ts'

/** `equal`: exactly the expected value. `part`: at least the expected members, lists in any order. */
export type Compare = 'equal' | 'part'

/**
 * The first difference between `actual` and `expected` as one phrase; undefined if there is no difference.
 * `expected` may contain asymmetric matchers and regular expressions anywhere; an undefined property counts as absent.
 */
export function difference(
  expected: unknown,
  actual: unknown,
  how: Compare,
  path: string,
): string | undefined {
  if (isAsymmetric(expected))
    return expected.asymmetricMatch(actual) ? undefined : not(path, expected, actual)
  if (isRegExp(expected)) {
    return typeof actual === 'string' && test(expected, actual) ? undefined : not(path, expected, actual)
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return not(path, expected, actual)
    return how === 'equal' ? differentList(expected, actual, path) : missingItem(expected, actual, path)
  }
  if (isRecord(expected)) {
    if (!isRecord(actual)) return not(path, expected, actual)
    return differentObject(expected, actual, how, path)
  }
  return Object.is(expected, actual) ? undefined : not(path, expected, actual)
}

/** Tests a regular expression without its state (flags g and y). */
export function test(expression: RegExp, text: string): boolean {
  return new RegExp(expression.source, expression.flags.replace(/[gy]/g, '')).test(text)
}

function differentList(
  expected: readonly unknown[],
  actual: readonly unknown[],
  path: string,
): string | undefined {
  for (const [i, item] of expected.entries()) {
    if (i >= actual.length) break
    const found = difference(item, actual[i], 'equal', `${path}[${i}]`)
    if (found !== undefined) return found
  }
  if (expected.length === actual.length) return undefined
  return `${path} has ${count(actual.length, 'item')}, not ${expected.length}`
}

function missingItem(
  expected: readonly unknown[],
  actual: readonly unknown[],
  path: string,
): string | undefined {
  const missing = expected.find((item) =>
    actual.every((candidate) => difference(item, candidate, 'part', '') !== undefined),
  )
  return missing === undefined ? undefined : `${path} has no ${show(missing)}, but is ${show(actual)}`
}

function differentObject(
  expected: Record<string, unknown>,
  actual: Record<string, unknown>,
  how: Compare,
  path: string,
): string | undefined {
  for (const [key, value] of Object.entries(expected)) {
    if (value === undefined && actual[key] === undefined) continue
    const found = difference(value, actual[key], how, join(path, key))
    if (found !== undefined) return found
  }
  if (how === 'part') return undefined
  const extra = Object.keys(actual).find((key) => actual[key] !== undefined && expected[key] === undefined)
  return extra === undefined
    ? undefined
    : `${join(path, extra)} is ${show(actual[extra])}, but was not expected`
}

function not(path: string, expected: unknown, actual: unknown): string {
  const problem = isRegExp(expected) ? `does not match ${show(expected)}` : `is not ${show(expected)}`
  return actual === undefined ? `${path} is missing` : `${path} ${problem}, but is ${show(actual)}`
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
