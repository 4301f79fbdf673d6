/** An `expect` with the matchers, for `node:test` and scripts: the one of the package `expect`, which must be installed. */
import { createRequire } from 'node:module'
import * as matchers from '../matchers/index.ts'
import { A2AUsageError } from './core/errors.ts'
import type { A2AMatchers, A2AReplyMatchers } from './runners/matcherTypes.ts'
import { registerAlone } from './runners/register.ts'

/** Jest's `expect`, with the matchers of this package registered. */
export const expect: typeof import('expect').expect = load()

function load(): typeof import('expect').expect {
  let found: typeof import('expect')
  try {
    // Loaded at once and in the same way from both copies of this file, so that there is one `expect`.
    found = createRequire(import.meta.url)('expect') as typeof import('expect')
  } catch (cause) {
    throw new A2AUsageError(
      'MISSING_PACKAGE',
      'expect-a2a/expect needs the package "expect": npm install --save-dev expect',
      { cause },
    )
  }
  registerAlone(found.expect, matchers)
  return found.expect
}

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends A2AMatchers, A2AReplyMatchers<R> {}
}

export type { A2AMatchers, A2AReplyMatchers }
