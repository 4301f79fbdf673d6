import { longestTimerMs, waitMarginMs } from '../../core/deadline.ts'
import { deadlineOf, setDeadline } from '../../core/abort.ts'
import type { Clock } from '../../core/clock.ts'
import { A2AConnectionError } from '../../core/errors.ts'
import { addFindings } from '../../findings/addFindings.ts'
import { finding } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import { createFold } from '../../protocol/fold.ts'
import { withoutContent } from '../../protocol/lean.ts'
import {
  isActive,
  isTerminal,
  type Message,
  type StreamEvent,
  type Task,
  type TaskState,
} from '../../protocol/model.ts'
import type { Opened } from '../operations/call.ts'
import { unsettledStream } from '../wait/unsettled.ts'
import { silentStream } from './events.ts'
import type { A2AStream, Reply, StreamEnd, StreamTimings } from '../types.ts'

/** A stream that answers, and what is known about it beforehand. */
export interface OpenStream extends Opened {
  method: string
  /** Findings about the way to the agent. */
  findings: readonly Finding[]
}

export interface StreamParts {
  clock: Clock
  /** Sends the request; the signal ends it. */
  open(signal: AbortSignal): Promise<OpenStream>
  signal?: AbortSignal | undefined
  /** Longest time that the stream is read for in ms. */
  waitMs: number
  /** False keeps no content. */
  keep: boolean
  /** How long a stream whose task is over is listened to in ms. Default: `graceMs`. */
  closeMs?: number
  /** The task as it is known already. */
  start?: Task
  reply(value: Message | Task, about: ReplyAbout): Reply
  hide(error: unknown): unknown
}

/** What a stream knows of its reply besides the answer. */
export interface ReplyAbout {
  opened: OpenStream
  findings: readonly Finding[]
  progress: readonly string[]
  unsettled: boolean
  ms: number
}

/** How long a stream is listened to after its end: a last snapshot of the task may follow (A2A 1.0 §11.7), and nothing else. */
const graceMs = 250

/** Makes the events of one request readable, by the stop rules of all versions. Nothing is sent before the first pull. */
export function createStream(parts: StreamParts): A2AStream {
  const { clock, waitMs, keep } = parts
  const deadlineAt = deadlineOf(parts.signal) ?? Infinity
  const fold = createFold(parts.start)
  const control = new AbortController()
  if (deadlineAt !== Infinity) setDeadline(control.signal, deadlineAt)
  const timings: StreamTimings = { requestedAt: clock.now(), events: [] }
  const order: Finding[] = []
  const decoded: Finding[] = []
  let opening: Promise<OpenStream> | undefined
  let opened: OpenStream | undefined
  let ended: StreamEnd | undefined
  let heard = false
  let closed = false
  let aborted = false
  let failure: { error: unknown } | undefined
  let state: TaskState | undefined
  const onAbort = (): void => control.abort(parts.signal?.reason)
  const letGo = (): void => parts.signal?.removeEventListener('abort', onAbort)

  const open = (): Promise<OpenStream> =>
    (opening ??= (async () => {
      if (parts.signal?.aborted) onAbort()
      parts.signal?.addEventListener('abort', onAbort, { once: true })
      timings.requestedAt = clock.now()
      try {
        opened = await parts.open(control.signal)
        timings.requestedAt = opened.result.exchange.startedAt
        timings.openedAt = clock.now()
        if (aborted) hangUp()
        return opened
      } catch (error) {
        letGo()
        timings.endedAt = clock.now()
        throw fail(error)
      }
    })())

  const fail = (error: unknown): unknown => {
    failure ??= { error: parts.hide(error) }
    return failure.error
  }

  const hangUp = (): void => {
    if (opened === undefined)
      control.abort(new A2AConnectionError('ABORTED', 'the stream was ended before it was open'))
    else if (opened.result.kind === 'events') opened.result.abort()
  }

  const take = (event: StreamEvent, findings: readonly Finding[]): void => {
    timings.events.push(clock.now())
    addFindings(decoded, findings)
    if (ended !== undefined) noteLate(event, ended)
    fold.add(keep ? event : withoutContent(event))
    heard = true
    if (event.type === 'task') state = event.task.status.state
    else if (event.type === 'status') state = event.status.state
    if (ended === undefined && fold.ended) ended = endOf(event)
  }

  const noteLate = (event: StreamEvent, end: StreamEnd): void => {
    const isOver = end !== 'message' && state !== undefined && isTerminal(state)
    if (isOver && event.type === 'task' && event.task.status.state === state) return
    // The fold tells of a state that came after a terminal one.
    if (isOver && event.type === 'status' && !isTerminal(event.status.state)) return
    const message = `${describe(event)} came after the stream had ended (${endText[end]})`
    addFindings(order, [finding('wire/after-end', message)])
  }

  async function* read(): AsyncGenerator<StreamEvent, void, void> {
    let cancel = (): void => {}
    let late = false
    try {
      const { result, codec } = await open()
      if (result.kind === 'result') {
        const { value, findings } = codec.readReply(result.result)
        const event: StreamEvent =
          value.kind === 'task' ? { type: 'task', task: value } : { type: 'message', message: value }
        take(event, findings)
        ended ??= 'closed'
        closed = true
        yield event
        return
      }
      const leftMs = deadlineAt - waitMarginMs - clock.now()
      const limitMs = Math.min(waitMs, leftMs, longestTimerMs)
      cancel = clock.after(Math.max(0, limitMs), () => {
        late = true
        result.abort()
      })
      for await (const raw of result.events) {
        const { value, findings } = codec.readEvent(raw)
        const isEnd = ended === undefined
        take(value, findings)
        yield value
        if (isEnd && ended !== undefined) {
          cancel()
          const restMs = ended === 'interrupted' ? graceMs : (parts.closeMs ?? graceMs)
          cancel = clock.after(Math.max(0, Math.min(restMs, deadlineAt - waitMarginMs - clock.now())), () => {
            late = true
            result.abort()
          })
        }
      }
      closed = !late && !aborted
      if (ended !== undefined) return
      ended = closed ? 'closed' : 'aborted'
      if (!late) return
      if (!heard) {
        const ms = clock.now() - timings.requestedAt
        throw silentStream(result, ms, leftMs < waitMs ? 'deadlineMs' : 'waitMs')
      }
      const value = fold.reply()
      if (value?.kind === 'task' && isActive(value.status.state)) {
        const ms = clock.now() - timings.requestedAt
        order.push(unsettledStream(value, ms, timings.events.length))
      }
    } catch (error) {
      // Whoever hung up wants no error for it; and what breaks after the end takes nothing away.
      if (aborted) ended ??= 'aborted'
      else if (ended === undefined || !heard) throw fail(error)
    } finally {
      cancel()
      letGo()
      // A loop that was left, too.
      if (failure === undefined) ended ??= 'aborted'
      timings.endedAt ??= clock.now()
      if (opened?.result.kind === 'events') opened.result.abort()
    }
  }

  const findings = (): Finding[] => {
    const all: Finding[] = []
    for (const some of [opened?.findings, opened?.result.findings, decoded, fold.findings, order])
      if (some) addFindings(all, some)
    return all
  }

  const soFar = (): Reply | undefined => {
    const value = heard ? fold.reply() : undefined
    if (value === undefined || opened === undefined) return undefined
    return parts.reply(value, {
      opened,
      findings: findings(),
      progress: fold.progress,
      unsettled: value.kind === 'task' && isActive(value.status.state),
      ms: (timings.endedAt ?? clock.now()) - timings.requestedAt,
    })
  }

  const events = read()
  const abort = (): void => {
    aborted = true
    hangUp()
  }

  return {
    async open() {
      await open()
    },
    async reply() {
      while ((await events.next()).done !== true);
      if (failure) throw failure.error
      const reply = soFar()
      if (reply !== undefined) return reply
      throw new A2AConnectionError('ABORTED', 'the stream was ended before its first event')
    },
    soFar,
    get findings() {
      return findings()
    },
    timings,
    get ended() {
      return ended
    },
    get closed() {
      return closed
    },
    get streamed() {
      return opened === undefined || opened.result.kind === 'events'
    },
    get dialect() {
      return opened?.way.interface.dialect
    },
    get method() {
      return opened?.method
    },
    get exchange() {
      return opened?.result.exchange
    },
    abort,
    [Symbol.asyncIterator]: () => events,
    async [Symbol.asyncDispose]() {
      abort()
      await events.return()
    },
  }
}

function endOf(event: StreamEvent): StreamEnd {
  if (event.type === 'message') return 'message'
  if (event.type === 'status' && event.final) return 'final'
  const status =
    event.type === 'task' ? event.task.status : event.type === 'status' ? event.status : undefined
  return status !== undefined && isTerminal(status.state) ? 'terminal' : 'interrupted'
}

const endText: Record<StreamEnd, string> = {
  final: 'final: true',
  terminal: 'a terminal state',
  interrupted: 'an interrupted task',
  message: 'a message as its first event',
  closed: 'it was closed',
  aborted: 'it was given up',
}

function describe(event: StreamEvent): string {
  switch (event.type) {
    case 'task':
      return `a task (${event.task.status.state})`
    case 'message':
      return 'a message'
    case 'status':
      return `a status update (${event.status.state})`
    default:
      return `an update of artifact ${event.artifact.artifactId}`
  }
}
