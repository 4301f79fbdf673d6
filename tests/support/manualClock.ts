import type { Clock } from '../../src/core/clock.ts'

/** Time that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves time on, firing what falls due in order; promises settle in between. */
  advance(ms: number): Promise<void>
  /** Resolves as soon as at least that number of timers is waiting: waits for code to set one, without sleeping. */
  armed(timers?: number): Promise<void>
  /** Timers that wait. */
  readonly pending: number
  /** Lengths of all sleeps so far. */
  readonly sleeps: readonly number[]
}

export interface ManualClockOptions {
  /** Milliseconds since the epoch at the start. */
  start?: number
  /** Sleeps resolve at once and time jumps by their length; timers that fall due meanwhile fire. */
  auto?: boolean
}

interface Timer {
  at: number
  order: number
  fn: () => void
}

export function manualClock({
  start = 1_750_000_000_000,
  auto = false,
}: ManualClockOptions = {}): ManualClock {
  let now = start
  let made = 0
  const timers = new Set<Timer>()
  const sleeps: number[] = []
  let watchers: { count: number; notify: () => void }[] = []

  function after(ms: number, fn: () => void): () => void {
    const timer: Timer = { at: now + ms, order: made++, fn }
    timers.add(timer)
    const [ready, waiting] = [
      watchers.filter(({ count }) => timers.size >= count),
      watchers.filter(({ count }) => timers.size < count),
    ]
    watchers = waiting
    for (const { notify } of ready) notify()
    return () => timers.delete(timer)
  }

  /** Fires what is due until `end`, one after the other. */
  function* due(end: number): Generator<void> {
    for (;;) {
      const next = [...timers]
        .filter(({ at }) => at <= end)
        .sort((a, b) => a.at - b.at || a.order - b.order)[0]
      if (next === undefined) break
      timers.delete(next)
      now = Math.max(now, next.at)
      next.fn()
      yield
    }
    now = Math.max(now, end)
  }

  return {
    now: () => now,
    after,
    async advance(ms) {
      for (const _ of due(now + ms)) await settled()
      await settled()
    },
    armed: (count = 1) =>
      new Promise((resolve) => {
        if (timers.size >= count) resolve()
        else watchers.push({ count, notify: resolve })
      }),
    get pending() {
      return timers.size
    },
    sleeps,
    sleep(ms, signal) {
      sleeps.push(ms)
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        if (auto) {
          for (const _ of due(now + ms));
          if (signal?.aborted) return reject(signal.reason)
          return resolve()
        }
        const onAbort = (): void => {
          cancel()
          reject(signal?.reason)
        }
        const cancel = after(ms, () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        })
        signal?.addEventListener('abort', onAbort, { once: true })
      })
    },
  }
}

/** Lets everything run that does not wait for the outside. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
