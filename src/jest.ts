/**
 * Set-up file for Jest: `setupFilesAfterEnv: ['expect-a2a/jest']`. Registers the matchers, their types, a snapshot serializer and
 * the fences, and closes after each file what it opened.
 */
import { createRequire } from 'node:module'
import * as matchers from '../matchers/index.ts'
import { A2AUsageError } from './core/errors.ts'
import type { A2AMatchers, A2AReplyMatchers } from './runners/matcherTypes.ts'
import { registerInJest } from './runners/register.ts'

registerInJest(jestGlobals() as never, matchers)

function jestGlobals(): unknown {
  if ('expect' in globalThis && 'afterEach' in globalThis) return globalThis
  try {
    // With `injectGlobals: false`. Jest itself answers this name, so nothing needs to be installed.
    return createRequire(import.meta.url)('@jest/globals')
  } catch (cause) {
    throw new A2AUsageError(
      'BAD_USE',
      'expect-a2a/jest is a set-up file for Jest and was loaded outside of it.',
      {
        cause,
        fix: "Name it in the Jest configuration: setupFilesAfterEnv: ['expect-a2a/jest'].",
      },
    )
  }
}

// `@jest/globals`, and the package `expect` alone.
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends A2AMatchers, A2AReplyMatchers<R> {}
}

// The globals of `@types/jest`.
declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace jest {
    interface Matchers<R, T = {}> extends A2AMatchers, A2AReplyMatchers<R> {}
  }
}

export type { A2AMatchers, A2AReplyMatchers }
