import { performance } from 'node:perf_hooks'
import {
  clearImmediate as nodeClearImmediate,
  clearTimeout as nodeClearTimeout,
  setImmediate as nodeSetImmediate,
  setTimeout as nodeSetTimeout,
} from 'node:timers'

/** Time as the engine sees it: injected everywhere, so that no test sleeps and fake timers cannot hang a request. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /**
   * Runs `fn` once after `ms`; the timer never keeps the process alive. Returns a function that cancels it. What has arrived by then
   * is heard first, unless it is `punctual`: then it is never later than another timer that is set for later.
   */
  after(ms: number, fn: () => void, punctual?: boolean): () => void
  /** Resolves after `ms`; rejects with the signal's reason as soon as that is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

// Taken when this module loads, which is in the set-up file: before a test can replace them by fake ones. Not from the global
// object, where a runner may have replaced them before that (Jest: `fakeTimers: { enableGlobally: true }`).
const realSetTimeout = nodeSetTimeout
const realClearTimeout = nodeClearTimeout
const realSetImmediate = nodeSetImmediate
const realClearImmediate = nodeClearImmediate
const realNow = isFake(Date)
  ? (): number => Math.round(performance.timeOrigin + performance.now())
  : Date.now.bind(Date)

function isFake(date: object): boolean {
  return 'isFake' in date || 'clock' in date
}

/** The machine's own time, immune to a runner's fake timers. */
export const systemClock: Clock = {
  now: realNow,
  after(ms, fn, punctual = false) {
    let turn: NodeJS.Immediate | undefined
    // Node fires timers before it reads what has arrived. On a busy machine that was in time, and is heard first.
    const timer = realSetTimeout(() => {
      if (punctual) return fn()
      // Not unref'ed: Node would let it wait until something else happens.
      turn = realSetImmediate(fn)
    }, ms)
    timer.unref()
    return () => {
      realClearTimeout(timer)
      if (turn !== undefined) realClearImmediate(turn)
    }
  },
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      // A sleeping matcher is being awaited, so this timer does keep the process alive.
      const timer = realSetTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      const onAbort = (): void => {
        realClearTimeout(timer)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  },
}
