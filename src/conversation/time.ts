import type { Clock } from '../core/clock.ts'
import { A2AConnectionError } from '../core/errors.ts'

/** A signal that ends with another one, or when the time for it is over. */
export interface LimitedTime {
  readonly signal: AbortSignal
  /** Lets go of the timer and of the other signal. */
  close(): void
}

const longestTimer = 2 ** 31 - 1

/** A part of the time that there is. Aborted with the reason of `signal`, or A2AConnectionError `DEADLINE`. */
export function limitTime(clock: Clock, signal: AbortSignal, deadline: number | undefined): LimitedTime {
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  const leftMs = deadline === undefined ? Infinity : deadline - clock.now()
  const timeUp = (): void => controller.abort(new A2AConnectionError('DEADLINE', 'time was up'))
  if (leftMs <= 0 && !controller.signal.aborted) timeUp()
  const stop = leftMs > 0 && leftMs <= longestTimer ? clock.after(leftMs, timeUp) : () => {}
  return {
    signal: controller.signal,
    close() {
      stop()
      signal.removeEventListener('abort', onAbort)
    },
  }
}

/** Waits for work no longer than the signal allows, also where the work does not look at it. Throws the signal's reason. */
export async function orAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
