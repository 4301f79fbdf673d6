import type { Finding } from '../core/finding.ts'
import type { SendConfiguration } from '../protocol/codec.ts'
import type {
  Artifact,
  Dialect,
  FilePart,
  Message,
  StreamEvent,
  Task,
  TaskList,
  TaskState,
} from '../protocol/model.ts'
import type { Exchange } from '../http/types.ts'

/** Options of one `send()`. */
export interface SendOptions {
  /** The conversation to go on with; usually `reply.contextId`. */
  contextId?: string
  /** The task to go on with: only one that waits for input. */
  taskId?: string
  referenceTaskIds?: string[]
  /** Continues what a reply left open: its context, and its task while that is interrupted. */
  after?: Reply
  metadata?: Record<string, unknown>
  configuration?: SendConfiguration
  /** Longest wait until the task settles in ms. Default: the handle's `waitMs`. */
  waitMs?: number
  /** Hand the task over as first answered, without waiting. Default false. */
  noWait?: boolean
  /** Ends everything; set by matchers to the time that the runner leaves. */
  signal?: AbortSignal
  /** Wall-clock limit in ms since the epoch; a wait ends before it. */
  deadline?: number
}

/** What every operation takes besides its own arguments. */
export interface OperationOptions {
  /** Ends everything; set by matchers to the time that the runner leaves. */
  signal?: AbortSignal
  /** Wall-clock limit in ms since the epoch. */
  deadline?: number
}

/** Options of operations that an agent must declare in its card. */
export interface GatedOptions extends OperationOptions {
  /** Call the agent even where its card does not declare the capability. Default false. */
  force?: boolean
}

/** Options of one `stream()`. */
export interface StreamOptions extends Omit<SendOptions, 'noWait'>, GatedOptions {
  /**
   * Longest time that the stream is read for in ms; it is then ended, and what was seen is the reply. Default: the handle's
   * `waitMs`.
   */
  waitMs?: number
  /**
   * False keeps no content of the events, so that a stream of any length is read in bounded memory; `reply()` has no text then.
   * Default true.
   */
  keep?: boolean
  /** How long the agent may take to close the stream after a terminal state, `final: true` or a lone Message in ms; then we do. Default 250. */
  closeMs?: number
}

/** Options of one `subscribe()`. */
export type SubscribeOptions = Pick<
  StreamOptions,
  'waitMs' | 'keep' | 'closeMs' | 'force' | 'signal' | 'deadline'
>

/** When what happened on a stream, in ms since the epoch. */
export interface StreamTimings {
  /** When the request left; before that, when the stream was asked for. */
  requestedAt: number
  /** When the response headers were there. */
  openedAt?: number
  /** When each event was read, in order. */
  events: number[]
  /** When reading ended, whatever way. */
  endedAt?: number
}

/**
 * How a stream ended: by `final: true`, a terminal or an input-required state, a Message as its first event, by being closed in
 * the midst of a task, or because we hung up (time, signal, `abort()`, a loop that was left).
 */
export type StreamEnd = 'final' | 'terminal' | 'interrupted' | 'message' | 'closed' | 'aborted'

/**
 * The events of one message or one task, as they arrive. Lazy: the request leaves at the first pull or with `open()`. Can be read
 * once; `reply()` reads on from wherever a loop stands. Reading ends by the rules of A2A 0.3 §7.2 and 1.0 §3.1.2.
 * Opening and reading throw A2AError, `NOT_DECLARED` where the card does not declare streaming.
 */
export interface A2AStream extends AsyncIterable<StreamEvent>, AsyncDisposable {
  /** Sends the request and waits for the response headers. */
  open(): Promise<void>
  /** Reads to the end and gives what the events came to; safe to call again. */
  reply(): Promise<Reply>
  /** What the events so far came to, without reading on; undefined before the first. */
  soFar(): Reply | undefined
  /** Tolerances so far; complete at the end. */
  readonly findings: readonly Finding[]
  readonly timings: Readonly<StreamTimings>
  /** Absent while the stream goes on, and when it broke. */
  readonly ended: StreamEnd | undefined
  /** True when the agent closed the connection, false when we did or it is still open. */
  readonly closed: boolean
  /** False when the agent answered with one plain result in place of a stream. */
  readonly streamed: boolean
  /** The dialect that was spoken, once it is known. */
  readonly dialect: Dialect | undefined
  /** What the operation is called there: `message/stream`, `POST /message:stream`. */
  readonly method: string | undefined
  /** The exchange of the stream, once it is open. */
  readonly exchange: Exchange | undefined
  /** Hangs up; reading then ends without an error. */
  abort(): void
}

/** One page of `listTasks()`. */
export interface TaskPage extends TaskList {
  /** Tolerances that reading it needed. */
  findings: Finding[]
}

/** What one message came to: the reply, read the same way whatever version the agent speaks. */
export interface Reply {
  /** Brand, for the reply matchers and the snapshot serializer. */
  readonly isA2AReply: true
  kind: 'message' | 'task'
  /**
   * The answer: text of the artifacts, else of the status message, else of the last agent message in the history; of an
   * interrupted task the status message first. Empty for failed, canceled and rejected tasks.
   */
  text: string
  /** Texts of working statuses, oldest first; never part of the answer. */
  progress: string[]
  /** Why a task failed, was canceled or rejected. */
  reason?: string
  /** Absent for a Message. */
  state?: TaskState
  contextId?: string
  taskId?: string
  /** Set when the answer was a Message. */
  message?: Message
  /** Set when the answer was a Task; as last seen. */
  task?: Task
  artifacts: Artifact[]
  /** All data parts of the answer, in order. */
  data: unknown[]
  /** All file parts of the answer, in order. */
  files: FilePart[]
  /** Dialect that was spoken in the end, and the one that the card declares. */
  dialect: Dialect
  declared?: Dialect
  /** True when the task was still going on when the wait ended. */
  unsettled: boolean
  /** How the wait went, for messages. */
  wait: { polls: number; ms: number; subscribed?: boolean }
  /** Tolerances that reading needed, fallbacks, odd addresses. */
  findings: Finding[]
  exchanges: readonly Exchange[]
  /** Who answered, for messages. */
  agent: string
  /** Values that must never be printed. */
  secrets: readonly string[]
}
