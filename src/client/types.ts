import type { ReadCard } from '../card/readCard.ts'
import type { CardObject, CardOptions, CardReport, CardVersion, Discovery } from '../card/types.ts'
import type { Finding } from '../findings/types.ts'
import type { SendConfiguration } from '../protocol/codec.ts'
import type {
  Artifact,
  Binding,
  Dialect,
  FilePart,
  Message,
  Part,
  PushConfig,
  StreamEvent,
  Task,
  TaskList,
  TaskQuery,
  TaskState,
} from '../protocol/model.ts'
import type { Exchange, HeaderSource, Limits, TlsOptions } from '../http/types.ts'

export type { HeaderSource } from '../http/types.ts'

/** A secret for a security scheme of the card; a function may refresh it after a 401. */
export type Credential = string | ((about: { refresh: boolean }) => string | Promise<string>)

/** Options of `a2aAgent()`. */
export interface AgentOptions {
  /** Sent with every request to the typed origin, the card's included. */
  headers?: HeaderSource
  /** By the name of the card's security scheme: what it says (header, query, cookie, bearer, basic as `user:password`) is applied. */
  credentials?: Record<string, Credential>
  /** Where the card is, when no well-known path has it. */
  cardUrl?: string
  /** The card itself; nothing is fetched then. */
  card?: Record<string, unknown>
  /** Address to call instead of the card's. */
  endpoint?: string
  /** Version to speak, and whose rules judge the card. */
  version?: CardVersion
  /** Binding to speak. */
  binding?: Binding
  /** Bindings that count as callable when a 0.x card is judged. Default `['JSONRPC']`. */
  bindings?: string[]
  tenant?: string
  /** Extension URIs to activate, sent as `A2A-Extensions` (`X-A2A-Extensions` in 0.x). */
  extensions?: string[]
  /** Longest wait for one request in ms. Default 60 000. */
  requestTimeoutMs?: number
  /** Longest wait until a task settles in ms. Default 60 000. */
  waitMs?: number
  /** Further origins that may see headers and credentials. */
  trustedOrigins?: string[]
  limits?: Partial<Limits>
  /** An undici dispatcher to use instead of ours; proxies and TLS are its business then. */
  dispatcher?: unknown
  /** Certificate authority and client certificate, PEM. */
  tls?: TlsOptions
  /** What messages call the agent; the card's name by default. */
  name?: string
}

/** By what a card is judged, above what the handle says; a version other than the handle's also asks the agent for that card. */
export type CardJudgement = Pick<CardOptions, 'rules' | 'version' | 'bindings'>

/** The card of a handle: where it was found and what the rules say. */
export interface AgentCardResult {
  discovery: Discovery
  report: CardReport
}

/** A card as it was found and read, before rules judge it. */
export interface FoundCard extends ReadCard {
  discovery: Discovery
}

/** A message as a user writes it: text, parts, or parts with options. */
export type MessageInput = string | readonly (string | Part)[]

/**
 * The push notification configs of tasks (A2A 0.3 §7.5 to 7.8, A2A 1.0 §3.1.7 to 3.1.10). All throw A2AError, and A2AUsageError
 * `NOT_DECLARED` where the card does not declare push notifications or the version lacks the operation.
 */
export interface PushConfigs {
  /** Gives the config as the agent keeps it, with its id where the version has ids. */
  create(taskId: string, config: PushConfig, options?: GatedOptions): Promise<PushConfig>
  /** 0.1 keeps one config a task and ignores the id. */
  get(taskId: string, id?: string, options?: GatedOptions): Promise<PushConfig>
  /** Since 0.2.5. */
  list(taskId: string, options?: GatedOptions): Promise<PushConfig[]>
  /** Since 0.2.5. */
  delete(taskId: string, id: string, options?: GatedOptions): Promise<void>
}

/** The card for authenticated clients. */
export interface ExtendedCardResult {
  card: CardObject
  /** What the rules say of it. */
  report: CardReport
  exchange: Exchange
}

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
}

/** What every operation takes besides its own arguments. */
export interface OperationOptions {
  /** Ends everything; set by matchers to the time that the runner leaves. */
  signal?: AbortSignal
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
export type SubscribeOptions = Pick<StreamOptions, 'waitMs' | 'keep' | 'closeMs' | 'force' | 'signal'>

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

/** The operations of A2A, the same for every version and binding. All throw A2AError. */
export interface Client {
  /** Sends one message and waits until its task settles. Throws A2AError. */
  send(message: MessageInput, options?: SendOptions): Promise<Reply>
  /** Sends one message and gives the events as they come. Lazy; see `A2AStream`. */
  stream(message: MessageInput, options?: StreamOptions): A2AStream
  /** Follows a task that is going on, also one whose stream was cut (`tasks/resubscribe`, `SubscribeToTask`). */
  subscribe(taskId: string, options?: SubscribeOptions): A2AStream
  /** Fetches a task. `historyLength`: the most messages of its history. Throws A2AError. */
  getTask(id: string, options?: OperationOptions & { historyLength?: number }): Promise<Task>
  /** Asks the agent to cancel a task, and gives the task as the agent then has it. Throws A2AError. */
  cancelTask(id: string, options?: OperationOptions & { metadata?: Record<string, unknown> }): Promise<Task>
  /** One page of the agent's tasks. Only 1.0 has this; throws A2AUsageError `NOT_DECLARED` for the versions before. */
  listTasks(query?: TaskQuery, options?: OperationOptions): Promise<TaskPage>
  /** Where the agent posts what becomes of its tasks. */
  readonly pushConfigs: PushConfigs
  /** Fetches the card for authenticated clients (0.2 and later) and judges it. Throws A2AError. */
  extendedCard(options?: GatedOptions): Promise<ExtendedCardResult>
}
