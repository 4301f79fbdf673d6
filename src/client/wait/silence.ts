import type { Clock } from '../../core/clock.ts'
import { timerSlackMs } from '../../core/deadline.ts'
import { isActive, type Task, type TaskState } from '../../protocol/model.ts'
import type { A2AStream } from '../types.ts'
import { firstEventMs, lateEventMs, silenceMs } from './timing.ts'

/** A task that a poll found settled while its subscription was silent. */
export interface Settled {
  task: Task
  /** True if it settled while it was subscribed to, so that the subscription should have reported it. */
  unreported: boolean
}

export interface SilenceOptions {
  clock: Clock
  /** The subscription. */
  stream: Pick<A2AStream, 'open' | 'timings'>
  /** Fetches the task. */
  poll(): Promise<Task>
  /** Called once, when a poll finds the task settled. */
  onSettled(settled: Settled): void
  isPending?: ((state: TaskState) => boolean) | undefined
  /** True if the task is known to have been pending when it was subscribed to. Default false. */
  knownPending?: boolean | undefined
  /** How long a subscription may take to open before the task is polled, in ms. Default: like its first event. */
  openMs?: number | undefined
}

/** Polls a task now and then while its subscription is silent. Nothing is reported after `stop()`. */
export class SilentSubscription {
  readonly #options: SilenceOptions
  readonly #clock: Clock
  readonly #events: readonly number[]
  readonly #startAt: number
  #stepMs: number
  /** Known to have been pending while it was subscribed to, so that later changes should be reported. */
  #followed: boolean
  #stopped = false
  #cancel = (): void => {}

  constructor(options: SilenceOptions) {
    const { clock, stream, knownPending = false, openMs = firstEventMs } = options
    this.#options = options
    this.#clock = clock
    this.#events = stream.timings.events
    this.#startAt = clock.now()
    this.#stepMs = openMs
    this.#followed = knownPending
    this.#schedule()
    void stream.open().then(
      () => {
        if (!this.#followed) this.#after(firstEventMs, () => this.#poll())
      },
      // Reading the stream reports it.
      () => {},
    )
  }

  stop(): void {
    this.#stopped = true
    this.#cancel()
  }

  #after(ms: number, then: () => void): void {
    this.#cancel()
    if (!this.#stopped) this.#cancel = this.#clock.after(ms, then)
  }

  get #silentMs(): number {
    return this.#clock.now() - (this.#events.at(-1) ?? this.#startAt)
  }

  #schedule(): void {
    if (this.#followed || this.#events.length > 0) {
      const leftMs = silenceMs - this.#silentMs
      return this.#after(leftMs > 0 ? leftMs : silenceMs, () => this.#poll())
    }
    this.#after(this.#stepMs, () => this.#poll())
    this.#stepMs = Math.min(this.#stepMs * 2, silenceMs)
  }

  #poll(): void {
    const heard = this.#events.length
    if (heard > 0 && this.#silentMs < silenceMs) return this.#schedule()
    // Some agents send the headers with the first event only.
    const openedAt = this.#options.stream.timings.openedAt ?? this.#startAt + silenceMs - firstEventMs
    const subscribed = this.#clock.now() - openedAt >= firstEventMs - timerSlackMs
    void this.#options.poll().then(
      (task) => this.#polled(task, heard, subscribed),
      // The subscription may be fine; what is wrong shows when the wait continues by polling.
      () => this.#schedule(),
    )
  }

  #polled(task: Task, heard: number, subscribed: boolean): void {
    const { onSettled, isPending = isActive } = this.#options
    const isNews = (): boolean => this.#events.length > heard
    if (this.#stopped) return
    if (isNews()) return this.#schedule()
    if (isPending(task.status.state)) {
      this.#followed ||= subscribed
      return this.#schedule()
    }
    if (!this.#followed && heard === 0) return onSettled({ task, unreported: false })
    this.#after(lateEventMs, () => (isNews() ? this.#schedule() : onSettled({ task, unreported: true })))
  }
}
