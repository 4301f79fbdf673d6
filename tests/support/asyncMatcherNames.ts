import * as matchers from '../../matchers/index.ts'

/** The names of the matchers that must be awaited. */
export const asyncMatcherNames: readonly string[] = Object.entries(matchers)
  .filter(([, matcher]) => 'awaited' in matcher)
  .map(([name]) => name)
