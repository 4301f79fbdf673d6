import { systemClock } from '../../core/clock.ts'
import { handOverMs, limitTime } from '../../core/deadline.ts'
import type { Budget } from '../types.ts'

/** The time of a matcher, less what it needs to report the conversation: what was said must not be lost at the deadline. */
export function conversationTime(budget: Budget): {
  signal: AbortSignal
  deadline: number | undefined
  close(): void
} {
  const now = systemClock.now()
  const leftMs = budget.deadlineAt === undefined ? Infinity : budget.deadlineAt - now
  const deadline = leftMs === Infinity ? undefined : now + Math.max(0, leftMs - handOverMs(leftMs))
  const { signal, close } = limitTime(systemClock, budget.signal, deadline)
  return { signal, deadline, close }
}
