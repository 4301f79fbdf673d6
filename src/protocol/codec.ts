import type { Decoded } from '../findings/types.ts'
import type {
  Binding,
  Dialect,
  Message,
  PushConfig,
  StreamEvent,
  Task,
  TaskList,
  TaskQuery,
} from './model.ts'

/** What goes along with a message. Everything is optional, and nothing is sent that was not asked for. */
export interface SendConfiguration {
  acceptedOutputModes?: string[]
  historyLength?: number
  /** Wait until the task settles: `blocking: true` in 0.x (sent unless false), the default in 1.0 (`returnImmediately` when false). */
  wait?: boolean
  /** Where to post what becomes of the task; only agents that declare push notifications take it. */
  pushConfig?: PushConfig
}

/** A call in the JSON-RPC binding; the transport adds the envelope. */
export interface RpcCall {
  binding: 'JSONRPC'
  method: string
  params: Record<string, unknown>
}

/** A call in the HTTP+JSON binding; `path` is appended to the interface's URL. */
export interface RestCall {
  binding: 'HTTP+JSON'
  verb: 'GET' | 'POST' | 'DELETE'
  path: string
  /** Name of the operation, for messages: `SendMessage`. */
  method: string
  query?: Record<string, string>
  body?: Record<string, unknown>
}

export type Call = RpcCall | RestCall

/** Encodes exactly for one dialect and binding, and decodes by shape. Pure: no I/O, no clock, no ids of its own. */
export interface Codec {
  readonly dialect: Dialect
  readonly binding: Binding
  /**
   * The ProtoJSON of 0.3: a history of 0 messages asks for all of them, and some servers read the JSON form of messages instead.
   */
  readonly earlyProto?: boolean
  /** Headers that every request of this dialect carries, for the version that the card announced. */
  headers(version?: string): Record<string, string>
  send(message: Message, context: SendContext): Call
  /** As `send`, answered with an event stream. */
  stream(message: Message, context: SendContext): Call
  subscribe(id: string, context: CallContext): Call
  getTask(id: string, context: CallContext): Call
  cancelTask(id: string, context: CancelContext): Call
  /** Absent before 1.0. */
  listTasks?(query: TaskQuery, context: CallContext): Call
  createPushConfig(taskId: string, config: PushConfig, context: CallContext): Call
  /** Without an id the one that agents give to a task's only config. */
  getPushConfig(taskId: string, id: string | undefined, context: CallContext): Call
  /** Absent in 0.1. */
  listPushConfigs?(taskId: string, context: CallContext): Call
  /** Absent in 0.1. */
  deletePushConfig?(taskId: string, id: string, context: CallContext): Call
  /** Absent in 0.1. 0.2 has it as a plain GET, which is no call of a binding. */
  extendedCard?(context: CallContext): Call
  /** Reads the result of `send` (the JSON-RPC `result`, or a REST body). Throws A2AReplyError `BAD_REPLY`. */
  readReply(result: unknown): Decoded<Message | Task>
  /** Reads the result of `getTask` or `cancelTask`. Throws A2AReplyError `BAD_REPLY`. */
  readTask(result: unknown, operation?: 'getTask' | 'cancelTask'): Decoded<Task>
  /** Reads one event of a stream. Throws A2AReplyError `BAD_REPLY`. */
  readEvent(result: unknown): Decoded<StreamEvent>
  /** Reads the result of `listTasks`. Throws A2AReplyError `BAD_REPLY`. */
  readTaskList(result: unknown): Decoded<TaskList>
  /** Reads the result of `createPushConfig` or `getPushConfig`. Throws A2AReplyError `BAD_REPLY`. */
  readPushConfig(result: unknown): Decoded<PushConfig>
  /** Reads the result of `listPushConfigs`. Throws A2AReplyError `BAD_REPLY`. */
  readPushConfigs(result: unknown): Decoded<PushConfig[]>
  /** Reads the result of `extendedCard`. Throws A2AReplyError `BAD_REPLY`. */
  readCard(result: unknown): Decoded<Record<string, unknown>>
}

export interface CallContext {
  tenant?: string
  historyLength?: number
}

export interface CancelContext extends CallContext {
  metadata?: Record<string, unknown>
}

export interface SendContext extends CallContext {
  configuration?: SendConfiguration
  metadata?: Record<string, unknown>
  /** 0.1 only: the task id that the client makes, when the message continues no task. */
  newTaskId: string
  /** 0.1 only: the session id to open when the message has no contextId. */
  newSessionId: string
}
