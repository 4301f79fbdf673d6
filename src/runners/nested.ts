import type { MatcherThis } from './types.ts'

/**
 * Refuses `expect.toX()` within another matcher: runners read `pass` off the promise, so it would never match, and negated
 * always. Throws a TypeError at once.
 */
export function refuseNesting(self: MatcherThis | undefined, matcher: string): void {
  // '' in a direct call, 'resolves' or 'rejects' after those.
  if (typeof self?.promise === 'string') return
  throw new TypeError(
    `[error] ${matcher} cannot be used inside another matcher, because it has to wait for the agent.\n\n` +
      `Instead of expect.${matcher}(…) or expect.not.${matcher}(…) write:\n` +
      `  await expect(agent).${matcher}(…)\n  await expect(agent).not.${matcher}(…)`,
  )
}
