import { systemClock } from '../../core/clock.ts'
import { limitTime } from '../../conversation/time.ts'
import type { Budget } from '../../runners/types.ts'

/** How long a conversation may take to hand over what it has when time is up. */
const handOverMs = 1000
const handOverShare = 0.2

/** The time of a matcher, less what it takes to tell of it: what was said until then must not be lost. */
export function timeToTell(budget: Budget): { signal: AbortSignal; deadline?: number; close(): void } {
  const now = systemClock.now()
  const leftMs = budget.deadline === undefined ? Infinity : budget.deadline - now
  const deadline =
    leftMs === Infinity ? undefined : now + Math.max(0, leftMs - Math.min(handOverMs, leftMs * handOverShare))
  const { signal, close } = limitTime(systemClock, budget.signal, deadline)
  return { signal, ...(deadline !== undefined && { deadline }), close }
}
