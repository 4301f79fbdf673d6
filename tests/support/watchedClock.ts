import { expect } from 'vitest'
import type { AgentOptions } from '../../src/client/types.ts'
import { manualClock, type ManualClock } from './manualClock.ts'

/** A manual clock that also reports when a stream has been read up to its next pause. */
export interface WatchedClock extends ManualClock {
  /** For the handle whose streams are watched. */
  options: AgentOptions
  /** Resolves as soon as a stream was waited on that number of times: before the first bytes, and after each chunk. */
  silent(count: number): Promise<void>
  /** Resolves as soon as timers of this length were set that number of times. */
  set(ms: number, count: number): Promise<void>
}

const idleTimeoutMs = 33_333

export function watchedClock(): WatchedClock {
  const clock = manualClock()
  const lengths: number[] = []
  const set = (ms: number, count: number): Promise<void> =>
    expect.poll(() => lengths.filter((one) => one === ms).length).toBeGreaterThanOrEqual(count)
  return Object.assign(Object.create(clock) as ManualClock, {
    options: { limits: { idleTimeoutMs } },
    after(ms: number, fn: () => void) {
      lengths.push(ms)
      return clock.after(ms, fn)
    },
    silent: (count: number) => set(idleTimeoutMs, count),
    set,
  })
}
