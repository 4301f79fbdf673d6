import { setMaxListeners } from 'node:events'
import { onAbort, orAborted, throwIfAborted } from '../core/abort.ts'
import type { Clock } from '../core/clock.ts'
import { A2AModelError, isA2AError } from '../core/errors.ts'
import { allowed, faster, longestWaitMs, slower, waitFor, type Pace } from './pace.ts'

/** What a limiter needs. */
interface LimiterDeps {
  clock: Clock
  /** From 0 to 1, for jitter. */
  random: () => number
}

/** A call that waits for its turn. */
interface Waiting {
  concurrency: number
  start(): void
  fail(error: unknown): void
}

const jitterMs = 250

/** The calls to one provider: how many run, who waits, and how fast the provider may be called after a 429. */
export class Limiter {
  readonly #clock: Clock
  readonly #random: () => number
  readonly #waiting: Waiting[] = []
  #running = 0
  #pace: Pace = {}
  /** The last 429. */
  #refusal: A2AModelError | undefined
  #pausing: AbortController | undefined

  constructor({ clock, random }: LimiterDeps) {
    this.#clock = clock
    this.#random = random
  }

  /** Why calls wait now; undefined if the provider refused none. */
  get pauseReason(): string | undefined {
    return waitFor(this.#pace, this.#clock.now()) > 0 ? this.#refusal?.message : undefined
  }

  /**
   * Waits for a turn and calls. Throws what the call throws; the reason of the signal, even if the call ignores it; and the provider's
   * last 429, without calling, if it asked for a longer pause than a test can wait.
   */
  async run<T>(concurrency: number, call: () => Promise<T>, signal: AbortSignal): Promise<T> {
    allowManyListeners(signal)
    await this.#turn(concurrency, signal)
    const startedAt = this.#clock.now()
    try {
      throwIfAborted(signal)
      const answer = await orAborted(call(), signal)
      this.#pace = faster(this.#pace, concurrency, this.#clock.now())
      return answer
    } catch (error) {
      this.#slowDown(error, concurrency, startedAt)
      throw error
    } finally {
      this.#running--
      this.#startNext()
    }
  }

  #turn(concurrency: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      throwIfAborted(signal)
      const settle = (done: () => void) => (): void => {
        stop()
        done()
      }
      const waiting: Waiting = {
        concurrency,
        start: settle(resolve),
        fail: (error) => settle(() => reject(error))(),
      }
      const stop = onAbort(signal, (reason) => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        if (this.#waiting.length === 0) this.#pausing?.abort()
        reject(reason)
      })
      this.#waiting.push(waiting)
      this.#startNext()
    })
  }

  /** Starts those whose turn it is, first come first. */
  #startNext(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const now = this.#clock.now()
      const waitMs = waitFor(this.#pace, now)
      if (waitMs > longestWaitMs) {
        this.#waiting.shift()
        next.fail(this.#refusedUntil(waitMs))
        continue
      }
      if (waitMs > 0) return this.#pause(waitMs)
      if (this.#running >= allowed(this.#pace, next.concurrency, now)) return
      this.#waiting.shift()
      this.#running++
      next.start()
    }
  }

  /** The jitter keeps the workers of a run from calling all at once. */
  #pause(waitMs: number): void {
    if (this.#pausing !== undefined) return
    this.#pausing = new AbortController()
    const ended = (): void => {
      this.#pausing = undefined
      this.#startNext()
    }
    // It rejects only when nobody waits any more.
    this.#clock.sleep(waitMs + jitterMs * this.#random(), this.#pausing.signal).then(ended, ended)
  }

  #slowDown(error: unknown, concurrency: number, startedAt: number): void {
    if (!isModelError(error) || error.status !== 429 || !error.transient) return
    this.#refusal = error
    const { retryAfterMs } = error
    this.#pace = slower(this.#pace, concurrency, this.#clock.now(), { startedAt, retryAfterMs })
  }

  /** The last 429 once more, with what is left of the pause. */
  #refusedUntil(retryAfterMs: number): A2AModelError {
    const { message = 'the model answered 429', fix } = this.#refusal ?? {}
    return new A2AModelError('MODEL_UNAVAILABLE', message, {
      status: 429,
      transient: true,
      retryAfterMs,
      cause: this.#refusal,
      ...(fix !== undefined && { fix }),
    })
  }
}

function isModelError(error: unknown): error is A2AModelError {
  return isA2AError(error) && error.name === 'A2AModelError'
}

/** Node warns of more than ten listeners; more calls than that may wait for one signal. */
function allowManyListeners(signal: AbortSignal): void {
  try {
    setMaxListeners(0, signal)
  } catch {
    // A signal of another realm, whose listeners Node does not count.
  }
}

/** By clock, too: tests that move time have limiters of their own. */
const limiters = new WeakMap<Clock, Map<string, Limiter>>()

/** The limiter of a provider, the same for all conversations of a test file. */
export function limiterOf(provider: string, { clock, random }: LimiterDeps): Limiter {
  const known = limiters.get(clock) ?? new Map<string, Limiter>()
  limiters.set(clock, known)
  const limiter = known.get(provider) ?? new Limiter({ clock, random })
  known.set(provider, limiter)
  return limiter
}
