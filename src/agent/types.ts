import type { CardObject, CardOptions, CardReport, CardVersion, Discovery } from '../card/types.ts'
import type {
  A2AStream,
  GatedOptions,
  OperationOptions,
  Reply,
  SendOptions,
  StreamOptions,
  SubscribeOptions,
  TaskPage,
} from '../client/types.ts'
import type { Probe, ProbeAnswer } from '../client/probe.ts'
import type { AgentInterface, Part, PushConfig, Task, TaskQuery } from '../protocol/model.ts'
import type { DocumentQuestion } from '../http/json.ts'
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
  binding?: 'JSONRPC' | 'HTTP+JSON'
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

/** What `a2aAgent()` returns: lazy, caches the card, shared by concurrent callers. */
export interface A2AAgent extends AsyncDisposable {
  /** Brand, for subjects made by another copy of this package. */
  readonly isA2AAgent: true
  /** The address as typed, or what was served. */
  readonly url: string
  readonly options: Readonly<AgentOptions>
  /** `name (url)` for messages; the name only once the card is known. */
  label(): string
  /** Everything that was exchanged, oldest first. */
  readonly exchanges: readonly Exchange[]
  /** Values that must never be printed. */
  readonly secrets: readonly string[]
  /** Finds and judges the card, once a handle. Throws only where nothing can be said: `UNREACHABLE`, `TIMEOUT`, … */
  card(judgedBy?: CardJudgement): Promise<AgentCardResult>
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
  /**
   * The same agent called otherwise: other credentials, version, binding. An option that is given as undefined is removed. The
   * handle that comes back has a card and exchanges of its own; closing it leaves the agent running, closing this one closes both.
   */
  withOptions(overrides: { [Name in keyof AgentOptions]?: AgentOptions[Name] | undefined }): A2AAgent
  /** Reads a JSON document that the card names beside itself, such as a key set. Throws A2AError. */
  fetchJson(url: string, about: DocumentQuestion): Promise<unknown>
  /** The interfaces of the card that this client can call, where it calls them: first the one that `send()` tries first. */
  interfaces(signal?: AbortSignal): Promise<AgentInterface[]>
  /**
   * Sends one bare request, as anybody or nobody, and gives the answer whatever its status: for checks of authentication and
   * the like. Undefined where the interface lacks the operation. Throws A2AError where nothing answered.
   */
  probe(probe: Probe): Promise<ProbeAnswer | undefined>
  /** Forgets the card, for an agent that was restarted. */
  refresh(): void
  /** Closes what this handle opened. */
  close(): Promise<void>
}
