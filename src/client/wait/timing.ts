/** The pauses between two polls of a task in ms: they grow from 50 ms to 1 s. */
export function* pollPauses(): Generator<number, never> {
  for (let ms = 50; ; ms = Math.min(ms * 2, 1000)) yield ms
}

/** How long the first poll may take even if less of `waitMs` is left, in ms: without one there is nothing to report. */
export const firstPollMs = 1000

/** How long a subscription may be silent before its task is polled anyway, in ms. */
export const silenceMs = 5000

/**
 * How long the first event of a subscription may take before the task is polled, in ms: before 1.0 a subscription may start with
 * the next change, which never comes if the last change was before the subscription.
 */
export const firstEventMs = 250

/** How long a change that a poll has found may take to arrive as an event, in ms. */
export const lateEventMs = 250
