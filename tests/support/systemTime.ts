import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { manualClock, type ManualClock, type ManualClockOptions } from './manualClock.ts'

/** Puts a manual clock in place of the machine's until the test ends, for what takes none: a matcher's own limit, a started agent. */
export function manualSystemClock(options: ManualClockOptions = {}): ManualClock {
  const clock = manualClock({ start: Date.now(), ...options })
  const own = { ...systemClock }
  Object.assign(systemClock, { now: clock.now, after: clock.after, sleep: clock.sleep })
  onTestFinished(() => void Object.assign(systemClock, own))
  return clock
}
