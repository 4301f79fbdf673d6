import { expect } from 'vitest'
import type { AgentOptions } from '../../src/agent/types.ts'
import { manualClock, type ManualClock } from './manualClock.ts'

/** A manual clock that tells when a stream has been read up to its next silence. */
export interface WatchedClock extends ManualClock {
  /** For the handle whose streams are watched. */
  options: AgentOptions
  /** Resolves as soon as a stream was waited on so many times: before the first bytes, and after each piece. */
  silent(count: number): Promise<void>
}

const idleTimeoutMs = 33_333

export function watchedClock(): WatchedClock {
  const clock = manualClock()
  let silences = 0
  return Object.assign(Object.create(clock) as ManualClock, {
    options: { limits: { idleTimeoutMs } },
    after(ms: number, fn: () => void) {
      if (ms === idleTimeoutMs) silences += 1
      return clock.after(ms, fn)
    },
    silent: async (count: number) => expect.poll(() => silences).toBeGreaterThanOrEqual(count),
  })
}
