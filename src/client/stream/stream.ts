import { deadlineOf, linkedController, type LinkedController } from '../../core/abort.ts'
import type { Clock } from '../../core/clock.ts'
import { longestTimerMs, waitMarginMs } from '../../core/deadline.ts'
import { A2AConnectionError } from '../../core/errors.ts'
import { addFindings } from '../../findings/addFindings.ts'
import type { Finding } from '../../findings/types.ts'
import type { Exchange } from '../../http/types.ts'
import { createFold, type Fold } from '../../protocol/fold.ts'
import { withoutContent } from '../../protocol/lean.ts'
import {
  isActive,
  type Dialect,
  type Message,
  type StreamEvent,
  type Task,
  type TaskState,
} from '../../protocol/model.ts'
import type { Opened } from '../operations/call.ts'
import type { Route } from '../route/types.ts'
import type { A2AStream, Reply, StreamEnd, StreamTimings } from '../types.ts'
import { unsettledStream } from '../wait/unsettled.ts'
import { silentStream } from './events.ts'
import { endOf, lateEvent } from './ends.ts'

export interface StreamParts {
  clock: Clock
  /** Sends the request; the signal ends it. */
  open(signal: AbortSignal): Promise<Opened>
  /** What the request is called on a route. */
  methodOf(route: Route): string
  signal: AbortSignal | undefined
  /** Longest time that the stream is read in ms. */
  waitMs: number
  /** False keeps no content. */
  keep: boolean
  /** How long a stream whose task is over is read on, in ms. Default: `graceMs`. */
  closeMs: number | undefined
  /** The task as it is known already. */
  start: Task | undefined
  reply(about: StreamReply): Reply
  hide(error: unknown): unknown
}

/** What a stream knows of its reply. */
export interface StreamReply {
  value: Message | Task
  opened: Opened
  findings: readonly Finding[]
  progress: readonly string[]
  unsettled: boolean
  ms: number
}

/** How long a stream is read on after its end: a last snapshot of the task may follow (A2A 1.0 §11.7), and nothing else. */
const graceMs = 250

type Result = IteratorResult<StreamEvent, void>
const done: Result = { value: undefined, done: true }

/** The events of one request, by the stop rules of all versions. Nothing is sent before the first read. */
export class EventStream implements A2AStream, AsyncIterableIterator<StreamEvent, void> {
  readonly timings: StreamTimings
  readonly #parts: StreamParts
  readonly #clock: Clock
  readonly #deadlineAt: number
  readonly #fold: Fold
  /** Findings about the order of the events, and about single events. */
  readonly #order: Finding[] = []
  readonly #decoded: Finding[] = []
  #stop: LinkedController | undefined
  #opening: Promise<Opened> | undefined
  #opened: Opened | undefined
  #source: AsyncIterator<unknown> | undefined
  /** The read that is in flight; the next one waits for it. */
  #reading: Promise<unknown> | undefined
  #cancelTimer = (): void => {}
  #ended: StreamEnd | undefined
  #state: TaskState | undefined
  #heard = false
  #closed = false
  #finished = false
  /** True once our own timer has ended the stream. */
  #late = false
  /** True once the caller has ended the stream. */
  #aborted = false
  #failure: { error: unknown } | undefined

  constructor(parts: StreamParts) {
    this.#parts = parts
    this.#clock = parts.clock
    this.#deadlineAt = deadlineOf(parts.signal) ?? Infinity
    this.#fold = createFold(parts.start)
    this.timings = { requestedAt: parts.clock.now(), events: [] }
  }

  get findings(): Finding[] {
    const all: Finding[] = []
    const opened = this.#opened
    addFindings(all, opened?.route.findings ?? [])
    addFindings(all, opened?.result.findings ?? [])
    addFindings(all, this.#decoded)
    addFindings(all, this.#fold.findings)
    addFindings(all, this.#order)
    return all
  }

  get ended(): StreamEnd | undefined {
    return this.#ended
  }

  get closed(): boolean {
    return this.#closed
  }

  get streamed(): boolean {
    return this.#opened === undefined || this.#opened.result.kind === 'events'
  }

  get dialect(): Dialect | undefined {
    return this.#opened?.route.interface.dialect
  }

  get method(): string | undefined {
    return this.#opened && this.#parts.methodOf(this.#opened.route)
  }

  get exchange(): Exchange | undefined {
    return this.#opened?.result.exchange
  }

  async open(): Promise<void> {
    await this.#open()
  }

  async reply(): Promise<Reply> {
    while ((await this.next()).done !== true);
    if (this.#failure) throw this.#failure.error
    const reply = this.soFar()
    if (reply !== undefined) return reply
    throw new A2AConnectionError('ABORTED', 'the stream was ended before its first event')
  }

  soFar(): Reply | undefined {
    const value = this.#heard ? this.#fold.reply() : undefined
    const opened = this.#opened
    if (value === undefined || opened === undefined) return undefined
    return this.#parts.reply({
      value,
      opened,
      findings: this.findings,
      progress: this.#fold.progress,
      unsettled: value.kind === 'task' && isActive(value.status.state),
      ms: (this.timings.endedAt ?? this.#clock.now()) - this.timings.requestedAt,
    })
  }

  abort(): void {
    this.#aborted = true
    this.#hangUp()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.abort()
    await this.return()
  }

  next(): Promise<Result> {
    if (this.#finished) return Promise.resolve(done)
    if (this.#reading !== undefined) return this.#queue(() => this.#next())
    // What has arrived is handed out at once. Not after an abort: then the rest is dropped, whatever it is.
    const result = this.#late || this.#aborted ? undefined : this.#opened?.result
    if (this.#source === undefined || result?.kind !== 'events') return this.#queue(() => this.#next())
    try {
      const ready = result.ready()
      if (ready === undefined) return this.#queue(() => this.#next())
      return Promise.resolve({ value: this.#accept(ready.value, result), done: false })
    } catch (error) {
      return this.#queue(async () => this.#failed(error))
    }
  }

  async return(): Promise<Result> {
    await this.#reading?.catch(() => {})
    this.#finish()
    return done
  }

  /** Reads run one after the other, as those of a generator. */
  #queue(read: () => Promise<Result>): Promise<Result> {
    const reading = this.#reading === undefined ? read() : this.#reading.then(read, read)
    this.#reading = reading
    const over = (): void => {
      if (this.#reading === reading) this.#reading = undefined
    }
    reading.then(over, over)
    return reading
  }

  async #next(): Promise<Result> {
    if (this.#finished) return done
    try {
      const opened = await this.#open()
      const { result } = opened
      if (result.kind === 'result') {
        if (!this.#heard) return { value: this.#takePlain(opened, result.result), done: false }
        return this.#finish()
      }
      if (this.#source === undefined) {
        this.#source = result.events[Symbol.asyncIterator]()
        this.#endIn(this.#parts.waitMs, result)
      }
      const next = await this.#source.next()
      if (next.done !== true) return { value: this.#accept(next.value, result), done: false }
      this.#closed = !this.#late && !this.#aborted
      if (this.#ended === undefined) this.#endWithout(result)
      return this.#finish()
    } catch (error) {
      return this.#failed(error)
    }
  }

  #open(): Promise<Opened> {
    return (this.#opening ??= this.#openOnce())
  }

  async #openOnce(): Promise<Opened> {
    this.timings.requestedAt = this.#clock.now()
    const stop = (this.#stop = linkedController(this.#parts.signal))
    if (this.#aborted) this.#hangUp()
    try {
      const opened = await this.#parts.open(stop.signal)
      this.#opened = opened
      this.timings.requestedAt = opened.result.exchange.startedAt
      this.timings.openedAt = this.#clock.now()
      if (this.#aborted) this.#hangUp()
      return opened
    } catch (error) {
      stop.unlink()
      this.timings.endedAt = this.#clock.now()
      throw this.#fail(error)
    }
  }

  #hangUp(): void {
    const result = this.#opened?.result
    if (result === undefined)
      this.#stop?.abort(new A2AConnectionError('ABORTED', 'the stream was ended before it was open'))
    else if (result.kind === 'events') result.abort()
  }

  /** Ends the stream after a while, and before the deadline. */
  #endIn(ms: number, result: { abort(): void }): void {
    this.#cancelTimer()
    const leftMs = this.#deadlineAt - waitMarginMs - this.#clock.now()
    this.#cancelTimer = this.#clock.after(Math.max(0, Math.min(ms, leftMs, longestTimerMs)), () => {
      this.#late = true
      result.abort()
    })
  }

  /** One plain result in place of a stream. */
  #takePlain({ codec }: Opened, plain: unknown): StreamEvent {
    const { value, findings } = codec.readReply(plain)
    const event: StreamEvent =
      value.kind === 'task' ? { type: 'task', task: value } : { type: 'message', message: value }
    this.#take(event, findings)
    this.#ended ??= 'closed'
    this.#closed = true
    return event
  }

  #accept(raw: unknown, result: { abort(): void }): StreamEvent {
    const { value, findings } = (this.#opened as Opened).codec.readEvent(raw)
    const wasOpen = this.#ended === undefined
    this.#take(value, findings)
    if (wasOpen && this.#ended !== undefined) {
      this.#endIn(this.#ended === 'interrupted' ? graceMs : (this.#parts.closeMs ?? graceMs), result)
    }
    return value
  }

  #take(event: StreamEvent, findings: readonly Finding[]): void {
    this.timings.events.push(this.#clock.now())
    addFindings(this.#decoded, findings)
    if (this.#ended !== undefined) addFindings(this.#order, lateEvent(event, this.#ended, this.#state))
    this.#fold.add(this.#parts.keep ? event : withoutContent(event))
    this.#heard = true
    if (event.type === 'task') this.#state = event.task.status.state
    else if (event.type === 'status') this.#state = event.status.state
    if (this.#ended === undefined && this.#fold.ended) this.#ended = endOf(event)
  }

  /** The end of a stream whose events did not announce it. Throws if it has reported nothing. */
  #endWithout(result: { exchange: Exchange }): void {
    this.#ended = this.#closed ? 'closed' : 'aborted'
    if (!this.#late) return
    const { requestedAt, events } = this.timings
    const ms = this.#clock.now() - requestedAt
    if (!this.#heard) {
      const byDeadline = this.#deadlineAt - waitMarginMs < (this.timings.openedAt ?? 0) + this.#parts.waitMs
      throw silentStream(result, ms, byDeadline ? 'deadlineMs' : 'waitMs')
    }
    const value = this.#fold.reply()
    if (value?.kind === 'task' && isActive(value.status.state)) {
      this.#order.push(unsettledStream(value, ms, events.length))
    }
  }

  /** Ends reading after an error. Throws it, unless the caller had ended the stream or the stream was over. */
  #failed(error: unknown): Result {
    if (this.#aborted) this.#ended ??= 'aborted'
    else if (this.#ended === undefined || !this.#heard) {
      const shown = this.#fail(error)
      this.#finish()
      throw shown
    }
    return this.#finish()
  }

  #fail(error: unknown): unknown {
    this.#failure ??= { error: this.#parts.hide(error) }
    return this.#failure.error
  }

  #finish(): Result {
    if (this.#finished) return done
    this.#finished = true
    this.#cancelTimer()
    this.#stop?.unlink()
    // Nothing was sent.
    if (this.#opening === undefined) return done
    // Also if a loop was left.
    if (this.#failure === undefined) this.#ended ??= 'aborted'
    this.timings.endedAt ??= this.#clock.now()
    const result = this.#opened?.result
    if (result?.kind === 'events') result.abort()
    return done
  }
}
