import type { Clock } from '../../core/clock.ts'
import { timerSlackMs, waitMarginMs } from '../../core/deadline.ts'
import { isA2AError } from '../../core/errors.ts'
import { addFindings } from '../../findings/addFindings.ts'
import type { Decoded, Finding } from '../../findings/types.ts'
import { isActive, type Task, type TaskState } from '../../protocol/model.ts'
import { hasText, messageText } from '../reply.ts'
import { TaskLookup } from './lookup.ts'
import { firstPollMs, pollPauses } from './timing.ts'
import { unsettledFinding } from './unsettled.ts'
import type { Watched } from './watchTask.ts'

/** How the wait for a task went. */
export interface Waited {
  /** As last seen. */
  task: Task
  /** True if the task was still pending when the wait ended. */
  unsettled: boolean
  polls: number
  ms: number
  /** Texts of the working statuses that were seen while waiting, oldest first. */
  progress: string[]
  findings: Finding[]
  /** How many events a subscription gave; absent if there was none. */
  events?: number
}

export interface WaitOptions {
  clock: Clock
  /** Longest wait in ms. */
  waitMs: number
  /** When the wait began, in ms since the epoch, if that was before the first poll. Default: now. */
  startAt?: number | undefined
  /** Wall-clock limit in ms since the epoch. */
  deadlineAt?: number | undefined
  signal?: AbortSignal | undefined
  /** What GetTask is called in the version that is spoken, for messages: `tasks/get`, `GetTask`. */
  method: string
  /** Whether a state is worth waiting in. Default: the active ones, `submitted` and `working`. */
  isPending?(state: TaskState): boolean
  /** Follows the task by its events, if the agent declares streaming. `poll` fetches the task while a subscription is silent. */
  watch?: ((endAt: number, poll: () => Promise<Task>) => Promise<Watched>) | undefined
  /** Fetches the task once; `leftMs` is the time that is left. */
  get(leftMs: number): Promise<Decoded<Task>>
  /** Waits before the next poll, and says whether that poll is needed. Default: sleeps. */
  pause?(ms: number): Promise<boolean>
  /** True to poll once more when `waitMs` has passed. Default false. */
  pollAtEnd?: boolean
}

/**
 * Waits until a task settles: until it is interrupted, terminal or in a state that nothing follows. Follows its events if that is
 * possible, and polls if not; pauses grow from 50 ms to 1 s. Goes beyond `waitMs` only for the first poll, by at most 1 s, and
 * never beyond the deadline: then the task is returned as last seen.
 * Throws A2AReplyError `RPC_ERROR` if the agent does not know the task that it just returned.
 */
export function waitForTask(first: Task, options: WaitOptions): Promise<Waited> {
  return new TaskWait(first, options).run()
}

class TaskWait {
  readonly #options: WaitOptions
  readonly #clock: Clock
  readonly #first: Task
  readonly #startAt: number
  /** When the wait ends, and the latest time to which the first poll may extend it. */
  readonly #endAt: number
  readonly #latestAt: number
  /** True if the event stream that answered has reported the task for the whole wait. */
  readonly #followed: boolean
  readonly #lookup: TaskLookup
  readonly #pauses = pollPauses()
  readonly #progress: string[] = []
  readonly #findings: Finding[] = []
  #task: Task
  #polls = 0
  #seenAgain = false
  #events: number | undefined

  constructor(first: Task, options: WaitOptions) {
    const { clock, waitMs, startAt = clock.now(), deadlineAt = Infinity } = options
    this.#options = options
    this.#clock = clock
    this.#first = first
    this.#task = first
    this.#startAt = startAt
    this.#latestAt = deadlineAt - waitMarginMs
    this.#endAt = Math.min(startAt + waitMs, this.#latestAt)
    this.#followed = clock.now() > startAt && clock.now() >= this.#endAt
    this.#lookup = new TaskLookup(first, clock, options.method)
    this.#noteProgress(first)
  }

  async run(): Promise<Waited> {
    const mustPoll = this.#isPending(this.#first) && this.#clock.now() < this.#endAt && (await this.#watch())
    await this.#pollUntilSettled(mustPoll)
    return this.#result()
  }

  #isPending({ status }: Task): boolean {
    return (this.#options.isPending ?? isActive)(status.state)
  }

  get #isFirstPoll(): boolean {
    return !this.#seenAgain && this.#polls === 0
  }

  #mayPoll(): boolean {
    const now = this.#clock.now()
    if (this.#isFirstPoll && !this.#followed) return now < this.#latestAt
    return this.#options.pollAtEnd === true || !this.#isOver()
  }

  /** Follows the events. True if the task may have changed unseen, so that it must be polled at once. */
  async #watch(): Promise<boolean> {
    const { watch } = this.#options
    if (watch === undefined) return false
    let watching = true
    const watched = await watch(this.#endAt, () => this.#poll(() => !watching))
    watching = false
    if (watched.task !== undefined) {
      this.#task = watched.task
      this.#events = watched.events
      this.#seenAgain ||= watched.events > 0
      for (const text of watched.progress) if (!this.#progress.includes(text)) this.#progress.push(text)
      addFindings(this.#findings, watched.findings)
    }
    return watched.mustPoll
  }

  async #pollUntilSettled(mustPoll: boolean): Promise<void> {
    const { signal, pause = (ms: number) => this.#sleep(ms) } = this.#options
    let pauseMs = mustPoll ? 0 : undefined
    let poll = mustPoll
    while ((poll || this.#isPending(this.#task)) && this.#mayPoll()) {
      const leftMs = Math.max(0, this.#endAt - this.#clock.now())
      const isNow = pauseMs === 0 || leftMs === 0
      const isNeeded = isNow || (await pause(Math.min(pauseMs ?? this.#pauses.next().value, leftMs)))
      if (!this.#mayPoll()) return
      const isLast = this.#isOver()
      pauseMs = undefined
      poll = false
      if (!isNeeded && !isLast) continue
      const settled = !this.#isPending(this.#task)
      try {
        await this.#poll()
      } catch (error) {
        // The events have reported the outcome; it stands, although the agent cannot be asked again.
        if (settled) return
        // Our own limit ended the last request: that says nothing about the agent except that it is not done.
        if (isTimeout(error) && this.#isOver() && !signal?.aborted) return
        pauseMs = this.#lookup.missed(error)
      }
      if (isLast && pauseMs === undefined) return
    }
  }

  #isOver(): boolean {
    return this.#clock.now() >= this.#endAt - timerSlackMs
  }

  async #sleep(ms: number): Promise<boolean> {
    await this.#clock.sleep(ms, this.#options.signal)
    return true
  }

  async #poll(isStale = (): boolean => false): Promise<Task> {
    const now = this.#clock.now()
    const untilAt = this.#isFirstPoll
      ? Math.min(Math.max(this.#endAt, now + firstPollMs), this.#latestAt)
      : this.#endAt
    this.#polls += 1
    const { value, findings } = await this.#options.get(untilAt - now)
    if (isStale()) return value
    this.#seenAgain = true
    this.#lookup.found()
    this.#task = value
    addFindings(this.#findings, findings)
    this.#noteProgress(value)
    return value
  }

  #noteProgress(task: Task): void {
    if (task.status.state !== 'working') return
    const text = messageText(task.status.message)
    if (hasText(text) && this.#progress.at(-1) !== text) this.#progress.push(text)
  }

  #result(): Waited {
    const ms = this.#clock.now() - this.#startAt
    const events = this.#events
    const unsettled = this.#isPending(this.#task)
    addFindings(this.#findings, this.#lookup.findings())
    if (unsettled) {
      this.#findings.push(
        unsettledFinding({
          first: this.#first,
          last: this.#task,
          ms,
          polls: this.#polls,
          events,
          seenAgain: this.#seenAgain,
          followed: this.#followed,
          byDeadline: this.#latestAt < this.#startAt + this.#options.waitMs,
        }),
      )
    }
    return {
      task: this.#task,
      unsettled,
      polls: this.#polls,
      ms,
      progress: this.#progress,
      findings: this.#findings,
      ...(events !== undefined && { events }),
    }
  }
}

function isTimeout(error: unknown): boolean {
  return isA2AError(error) && (error.code === 'TIMEOUT' || error.code === 'DEADLINE')
}
