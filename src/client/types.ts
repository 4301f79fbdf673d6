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
  /** By the name of the card's security scheme; applied as the scheme says (header, query, cookie, bearer, basic as `user:password`). */
  credentials?: Record<string, Credential>
  /** Address of the card, if it is not at a well-known path. */
  cardUrl?: string
  /** The card itself; then none is fetched. */
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
  /** Other origins that may see headers and credentials. */
  trustedOrigins?: string[]
  limits?: Partial<Limits>
  /** An undici dispatcher to use instead of ours; it then handles proxies and TLS. */
  dispatcher?: unknown
  /** Certificate authority and client certificate, PEM. */
  tls?: TlsOptions
  /** What messages call the agent; the card's name by default. */
  name?: string
}

/** How a card is judged, over the handle's options; a version other than the handle's also requests the card of that version. */
export type CardJudgement = Pick<CardOptions, 'rules' | 'version' | 'bindings'>

/** The card of a handle: where it was found, and how the rules judge it. */
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
 * `NOT_DECLARED` if the card does not declare push notifications or the version lacks the operation.
 */
export interface PushConfigs {
  /** Returns the config as the agent stores it, with its id if the version has ids. */
  create(taskId: string, config: PushConfig, options?: GatedOptions): Promise<PushConfig>
  /** 0.1 stores one config per task and ignores the id. */
  get(taskId: string, id?: string, options?: GatedOptions): Promise<PushConfig>
  /** Since 0.2.5. */
  list(taskId: string, options?: GatedOptions): Promise<PushConfig[]>
  /** Since 0.2.5. */
  delete(taskId: string, id: string, options?: GatedOptions): Promise<void>
}

/** The card for authenticated clients. */
export interface ExtendedCardResult {
  card: CardObject
  /** How the rules judge it. */
  report: CardReport
  exchange: Exchange
}

/** Options of one `send()`. */
export interface SendOptions {
  /** The conversation to continue; usually `reply.contextId`. */
  contextId?: string
  /** The task to continue: only one that waits for input. */
  taskId?: string
  referenceTaskIds?: string[]
  /** Continues a reply: its context, and its task if that is interrupted. */
  after?: Reply
  metadata?: Record<string, unknown>
  configuration?: SendConfiguration
  /** Longest wait until the task settles in ms. Default: the handle's `waitMs`. */
  waitMs?: number
  /** Return the task as first answered, without waiting. Default false. */
  noWait?: boolean
  /** Ends everything; matchers pass one that ends before the test's time limit. */
  signal?: AbortSignal
}

/** The options of every operation. */
export interface OperationOptions {
  /** Ends everything; matchers pass one that ends before the test's time limit. */
  signal?: AbortSignal
}

/** Options of operations that an agent must declare in its card. */
export interface GatedOptions extends OperationOptions {
  /** Call the agent even if its card does not declare the capability. Default false. */
  force?: boolean
}

/** Options of one `stream()`. */
export interface StreamOptions extends Omit<SendOptions, 'noWait'>, GatedOptions {
  /**
   * Longest time to read the stream, in ms. Then reading ends, and the reply is made of the events so far. Default: the
   * handle's `waitMs`.
   */
  waitMs?: number
  /**
   * False keeps no content of the events, so that a stream of any length is read in bounded memory; `reply()` has no text then.
   * Default true.
   */
  keep?: boolean
  /** How long in ms the agent may take to close the stream after a terminal state, `final: true` or a single Message; then we close it. Default 250. */
  closeMs?: number
}

/** Options of one `subscribe()`. */
export type SubscribeOptions = Pick<StreamOptions, 'waitMs' | 'keep' | 'closeMs' | 'force' | 'signal'>

/** The times of a stream, in ms since the epoch. */
export interface StreamTimings {
  /** When the request was sent; before that, when the stream was created. */
  requestedAt: number
  /** When the response headers arrived. */
  openedAt?: number
  /** When each event was read, in order. */
  events: number[]
  /** When reading ended. */
  endedAt?: number
}

/**
 * How a stream ended: by `final: true`, a terminal or an input-required state, a Message as its first event, by being closed midway
 * through a task, or because we ended it (time, signal, `abort()`, leaving a loop).
 */
export type StreamEnd = 'final' | 'terminal' | 'interrupted' | 'message' | 'closed' | 'aborted'

/**
 * The events of one message or one task, as they arrive. Lazy: the request is sent at the first read or by `open()`. Can be read
 * once; `reply()` continues where a loop stopped. Reading ends by the rules of A2A 0.3 §7.2 and 1.0 §3.1.2.
 * Opening and reading throw A2AError, `NOT_DECLARED` if the card does not declare streaming.
 */
export interface A2AStream extends AsyncIterable<StreamEvent>, AsyncDisposable {
  /** Sends the request and waits for the response headers. */
  open(): Promise<void>
  /** Reads to the end and returns the reply that the events add up to; safe to call again. */
  reply(): Promise<Reply>
  /** The reply that the events so far add up to, without reading further; undefined before the first event. */
  soFar(): Reply | undefined
  /** Deviations tolerated so far; complete at the end. */
  readonly findings: readonly Finding[]
  readonly timings: Readonly<StreamTimings>
  /** Absent while the stream is open, and if it broke. */
  readonly ended: StreamEnd | undefined
  /** True if the agent closed the connection, false if we did or it is still open. */
  readonly closed: boolean
  /** False if the agent answered with one plain result instead of a stream. */
  readonly streamed: boolean
  /** The dialect that was spoken, once it is known. */
  readonly dialect: Dialect | undefined
  /** What the operation is called there: `message/stream`, `POST /message:stream`. */
  readonly method: string | undefined
  /** The exchange of the stream, once it is open. */
  readonly exchange: Exchange | undefined
  /** Closes the connection; reading then ends without an error. */
  abort(): void
}

/** One page of `listTasks()`. */
export interface TaskPage extends TaskList {
  /** Deviations that were tolerated when it was read. */
  findings: Finding[]
}

/** The reply to one message, in the same form whatever version the agent speaks. */
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
  /** Dialect that was spoken, and the one that the card declares. */
  dialect: Dialect
  declared?: Dialect
  /** True if the task was still active when the wait ended. */
  unsettled: boolean
  /** How the wait went, for messages. */
  wait: { polls: number; ms: number; subscribed?: boolean }
  /** Deviations that were tolerated, fallbacks, odd addresses. */
  findings: Finding[]
  exchanges: readonly Exchange[]
  /** The agent that answered, for messages. */
  agent: string
  /** Values that must never be printed. */
  secrets: readonly string[]
}

/** The operations of A2A, the same for every version and binding. All throw A2AError. */
export interface Client {
  /** Sends one message and waits until its task settles. Throws A2AError. */
  send(message: MessageInput, options?: SendOptions): Promise<Reply>
  /** Sends one message and returns the events as they arrive. Lazy; see `A2AStream`. */
  stream(message: MessageInput, options?: StreamOptions): A2AStream
  /** Follows an active task, also one whose stream was interrupted (`tasks/resubscribe`, `SubscribeToTask`). */
  subscribe(taskId: string, options?: SubscribeOptions): A2AStream
  /** Fetches a task. `historyLength`: the most messages of its history to return. Throws A2AError. */
  getTask(id: string, options?: OperationOptions & { historyLength?: number }): Promise<Task>
  /** Asks the agent to cancel a task, and returns the task as it is afterwards. Throws A2AError. */
  cancelTask(id: string, options?: OperationOptions & { metadata?: Record<string, unknown> }): Promise<Task>
  /** One page of the agent's tasks. 1.0 only; throws A2AUsageError `NOT_DECLARED` for earlier versions. */
  listTasks(query?: TaskQuery, options?: OperationOptions): Promise<TaskPage>
  /** Where the agent posts updates of its tasks. */
  readonly pushConfigs: PushConfigs
  /** Fetches the card for authenticated clients (0.2 and later) and judges it. Throws A2AError. */
  extendedCard(options?: GatedOptions): Promise<ExtendedCardResult>
}
