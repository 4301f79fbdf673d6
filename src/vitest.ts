/**
 * Set-up file for Vitest: `setupFiles: ['expect-a2a/vitest']`. Registers the matchers, their types, a snapshot serializer and
 * the fences, and closes after each file what it opened.
 */
import * as vitest from 'vitest'
import * as matchers from '../matchers/index.ts'
import type { A2AMatchers, A2AReplyMatchers } from './runners/matcherTypes.ts'
import { registerInVitest } from './runners/register.ts'
import type { MatcherRecord } from './runners/types.ts'

registerInVitest(vitest.expect as never, vitest, matchers)

// Not Vitest's own `Matchers` or `Assertion`: their type parameters differ between its majors, and with `Matchers`
// `expect.toReply()`, which cannot work, would be typed.
declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Chai {
    interface Assertion extends A2AMatchers, A2AReplyMatchers {}
  }
}

declare module 'vitest' {
  interface TaskMeta {
    /** One record for each call of an awaited matcher, for reporters. */
    a2a?: MatcherRecord[]
  }
}

export type { A2AMatchers, A2AReplyMatchers, MatcherRecord }
