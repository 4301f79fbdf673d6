import type { Clock } from './clock.ts'

/** Throws the reason of an aborted signal. Not `signal.throwIfAborted()`: jsdom's signals may lack it. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason
}

/** Calls the listener once when the signal is aborted, immediately if it already is. Returns a function that stops listening. */
export function onAbort(signal: AbortSignal | undefined, listener: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => {}
  const heard = (): void => listener(signal.reason)
  if (signal.aborted) {
    heard()
    return () => {}
  }
  signal.addEventListener('abort', heard, { once: true })
  return () => signal.removeEventListener('abort', heard)
}

/**
 * Waits for work that may ignore the signal: settles with it, or rejects as soon as the signal is aborted, with its reason unless
 * `explain` gives another error. Work that has already settled wins.
 */
export function orAborted<T>(
  work: T | PromiseLike<T>,
  signal: AbortSignal | undefined,
  explain?: () => unknown,
): Promise<T> {
  const pending = Promise.resolve(work)
  if (signal === undefined) return pending
  return new Promise<T>((resolve, reject) => {
    let stop = (): void => {}
    pending.then(
      (value) => {
        stop()
        resolve(value)
      },
      (error: unknown) => {
        stop()
        reject(error)
      },
    )
    const abort = (): void => reject(explain === undefined ? signal.reason : explain())
    // One turn later, so that settled work is heard first.
    if (signal.aborted) void Promise.resolve().then(abort)
    else stop = onAbort(signal, abort)
  })
}

/** True if the work settles within `ms`. Never rejects. */
export async function settlesWithin(clock: Clock, ms: number, work: PromiseLike<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false))
    const settled = (): void => {
      cancel()
      resolve(true)
    }
    work.then(settled, settled)
  })
}

const deadlineKey = Symbol.for('expect-a2a.deadline')

/** When a signal is going to be aborted, in ms since the epoch, if its maker said so. */
export function deadlineOf(signal: AbortSignal | undefined): number | undefined {
  return (signal as { [deadlineKey]?: number } | undefined)?.[deadlineKey]
}

/**
 * Notes on a signal when it is going to be aborted, so that a wait can end a little earlier and report what it has seen. On the
 * signal itself, because another copy of this package may read it.
 */
export function setDeadline(signal: AbortSignal, deadlineAt: number): void {
  Object.defineProperty(signal, deadlineKey, { value: deadlineAt, configurable: true })
}

/** A controller that is also aborted, with the same reason, when another signal is. */
export interface LinkedController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
  /** Stops listening to the other signal. */
  unlink(): void
}

/** Makes a controller that follows `outer`, its deadline included; `deadlineAt` notes an earlier one. Not `AbortSignal.any()`: it is missing in Node 20.0 to 20.2 and in jsdom. */
export function linkedController(
  outer: AbortSignal | undefined,
  deadlineAt: number | undefined = Infinity,
): LinkedController {
  const controller = new AbortController()
  const earliest = Math.min(deadlineAt, deadlineOf(outer) ?? Infinity)
  if (earliest !== Infinity) setDeadline(controller.signal, earliest)
  const unlink = onAbort(outer, (reason) => controller.abort(reason))
  return { signal: controller.signal, abort: (reason) => controller.abort(reason), unlink }
}
