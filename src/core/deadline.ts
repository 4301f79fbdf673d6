import { linkedController } from './abort.ts'
import type { Clock } from './clock.ts'
import { A2AConnectionError } from './errors.ts'

/*
 * Every margin that is kept before a deadline. From the outside in: the runner ends the test; a matcher ends before that; a
 * conversation ends before its matcher, so that what was said can be judged and reported; a wait for a task ends before that, so
 * that its last state is reported instead of an aborted request.
 */

/** The longest delay that a timer can have, in ms. */
export const longestTimerMs: number = 2 ** 31 - 1

/** How much earlier than the clock says a timer may fire, in ms. */
export const timerSlackMs = 2

/** How long before the runner's limit a matcher gives up, so that its own message is printed and not the runner's. */
export function runnerMarginMs(timeoutMs: number): number {
  return Math.min(250, Math.max(50, timeoutMs * 0.1))
}

/** How long a check may take to notice that its signal was aborted, in ms; less than `runnerMarginMs`. */
export const noticeMs = 25

/** How long before its deadline a conversation ends, so that what was said can be returned, on a busy machine too. */
export function handOverMs(leftMs: number): number {
  return Math.min(1000, leftMs * 0.2)
}

/** How much of a conversation's time is kept for its judge, in ms. */
export function judgeReserveMs(limitMs: number): number {
  return Math.min(10_000, limitMs * 0.25)
}

/** How long criteria in code may take once the deadline has passed, in ms. */
export const lateCriteriaMs = 50

/** How long a turn may take beyond `turnTimeoutMs` in ms, so that a task that is still active is reported as that. */
export const afterTurnMs = 200

/** How long before its deadline a wait for a task or a stream ends in ms, so that what was seen is reported. */
export const waitMarginMs = 50

/** The same for a matcher that waits for somebody's authorization in ms: it polls once more before it reports. */
export const authorizationMarginMs = 75

/** Closer than this to the deadline, an ended wait was ended by it, in ms. */
export const nearDeadlineMs: number = waitMarginMs + 10

/** How long the cleanup of a matcher's subject may take, in ms. */
export const cleanupMs = 1000

/** A signal with a deadline. */
export interface LimitedTime {
  readonly signal: AbortSignal
  /** Cancels the timer and stops listening to the other signal. */
  close(): void
}

/** A signal that follows another one, and is aborted with A2AConnectionError `DEADLINE` when the deadline passes. */
export function limitTime(
  clock: Clock,
  outer: AbortSignal | undefined,
  deadlineAt: number | undefined,
): LimitedTime {
  const { signal, abort, unlink } = linkedController(outer, deadlineAt)
  const leftMs = deadlineAt === undefined ? Infinity : deadlineAt - clock.now()
  const end = (): void => abort(new A2AConnectionError('DEADLINE', 'the deadline passed'))
  if (leftMs <= 0 && !signal.aborted) end()
  const cancel = leftMs > 0 && leftMs <= longestTimerMs ? clock.after(leftMs, end) : () => {}
  return {
    signal,
    close() {
      cancel()
      unlink()
    },
  }
}
