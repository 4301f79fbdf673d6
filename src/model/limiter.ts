import { linkedController, orAborted, throwIfAborted } from '../core/abort.ts'
import { setMaxListeners } from 'node:events'
import type { Clock } from '../core/clock.ts'
import { localSlots, sharedSlots, slotFolder, type Slot, type Slots } from './slots.ts'

/** Lets only so many calls go to one provider at the same time. */
export interface Limiter {
  /**
   * Waits for a slot, calls, and gives the slot back, also where `signal` is aborted before the call has ended. Throws what the call
   * throws, and the reason of the signal.
   */
  run<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** Things to tell: limits that hold in this process alone. */
  readonly warnings: readonly string[]
}

/** What a limiter needs. */
export interface LimiterOptions {
  provider: string
  /** Calls at the same time, over all workers. */
  concurrency: number
  clock: Clock
  random: () => number
  /** Where the slots are. Default: in the temporary folder of the system. */
  folder?: string | undefined
}

/** The queue of this thread for one provider; only its first asks for slots. */
interface Lane {
  slots: Slots
  shared: boolean
  warning?: string
  /** Whether somebody is asking. */
  busy: boolean
  waiting: (() => void)[]
  /** Wakes whoever is asking. */
  wake?: (() => void) | undefined
}

/** By clock, too: tests that move time have lanes of their own. */
const lanes = new WeakMap<Clock, Map<string, Lane>>()
const firstPause = 20
const longestPause = 250

/** Makes a limiter; those of one provider share their slots over threads and processes. */
export function createLimiter(options: LimiterOptions): Limiter {
  const { provider, concurrency, clock, random } = options
  const folder = options.folder ?? slotFolder()
  const lane = laneOf(clock, folder, provider)

  /** Does it with the files, or without where they cannot be used. */
  function using<T>(act: (slots: Slots) => T): T {
    try {
      return act(lane.slots)
    } catch (error) {
      if (!lane.shared) throw error
      lane.shared = false
      lane.slots = localSlots(clock)
      lane.warning =
        `calls to ${provider} are limited in this process alone, not over all workers: ` +
        `the folder ${folder} cannot be used (${(error as { message?: string } | null)?.message ?? String(error)}).`
      return act(lane.slots)
    }
  }

  async function acquire(signal: AbortSignal): Promise<Slot> {
    await myTurn(lane, signal)
    try {
      let pause = firstPause
      for (;;) {
        throwIfAborted(signal)
        const slot = using((slots) => slots.take(concurrency))
        if ('release' in slot) return slot
        const wait = Math.min(Math.max(pause, slot.waitMs), 1_000)
        await doze(lane, clock, wait * (0.75 + random() / 2), signal)
        pause = Math.min(pause * 1.5, longestPause)
      }
    } finally {
      using((slots) => slots.leave())
      lane.busy = false
      lane.waiting.shift()?.()
    }
  }

  return {
    get warnings() {
      return lane.warning === undefined ? [] : [lane.warning]
    },
    async run(call, signal) {
      unlimited(signal)
      const slot = await acquire(signal)
      const began = clock.now()
      try {
        throwIfAborted(signal)
        const answer = await orAborted(call(), signal)
        using((slots) => slots.answered(concurrency))
        return answer
      } catch (error) {
        const { status, retryAfterMs } = (error ?? {}) as { status?: number; retryAfterMs?: number }
        if (status === 429) using((slots) => slots.refused(concurrency, { began, retryAfterMs }))
        throw error
      } finally {
        slot.release()
        lane.wake?.()
      }
    },
  }
}

/** Node warns of more than ten listeners; that many calls may well wait for one signal. */
function unlimited(signal: AbortSignal): void {
  try {
    setMaxListeners(0, signal)
  } catch {
    // A signal of another realm, which Node does not count.
  }
}

function laneOf(clock: Clock, folder: string, provider: string): Lane {
  const known = lanes.get(clock) ?? new Map<string, Lane>()
  lanes.set(clock, known)
  const key = `${folder}\n${provider}`
  const lane = known.get(key) ?? {
    slots: sharedSlots(folder, provider, clock),
    shared: true,
    busy: false,
    waiting: [],
  }
  known.set(key, lane)
  return lane
}

/** Resolves when it is this call's turn to ask for a slot. */
function myTurn(lane: Lane, signal: AbortSignal): Promise<void> {
  throwIfAborted(signal)
  if (!lane.busy) {
    lane.busy = true
    return Promise.resolve()
  }
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      signal.removeEventListener('abort', onAbort)
      lane.busy = true
      resolve()
    }
    const onAbort = (): void => {
      lane.waiting.splice(lane.waiting.indexOf(turn), 1)
      reject(signal.reason)
    }
    lane.waiting.push(turn)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** Sleeps, but no longer than until a slot of this thread becomes free. */
async function doze(lane: Lane, clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const early = linkedController(signal)
  lane.wake = () => early.abort()
  try {
    await clock.sleep(ms, early.signal)
  } catch (error) {
    if (!early.signal.aborted) throw error
  } finally {
    lane.wake = undefined
    early.unlink()
  }
}
