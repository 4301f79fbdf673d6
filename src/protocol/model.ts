/** The version-neutral shapes that everything above the codecs works with. See `docs/decisions/` for why they are ours. */

/** The versions of A2A that this package knows. */
export type Version = '0.1' | '0.2' | '0.3' | '1.0'

/** A family of wire forms. `0.3` stands for every version with `message/send` (0.2.0 to 0.3.x). */
export type Dialect = Exclude<Version, '0.2'>

/** The bindings that this client speaks. */
export type Binding = 'JSONRPC' | 'HTTP+JSON'

/** A piece of content. */
export type Part = TextPart | FilePart | DataPart

interface PartBase {
  mediaType?: string
  /** File name: `file.name` in 0.x, `filename` in 1.0. */
  name?: string
  metadata?: Record<string, unknown>
}
export interface TextPart extends PartBase {
  kind: 'text'
  text: string
}
/** A file, inline (`bytes`, standard base64) or by reference (`url`). */
export interface FilePart extends PartBase {
  kind: 'file'
  bytes?: string
  url?: string
}
export interface DataPart extends PartBase {
  kind: 'data'
  data: unknown
}

export type Role = 'user' | 'agent'

/** One turn of a conversation, as sent or received. Source: A2A 0.3 §6.4; A2A 1.0 §4.1.4. */
export interface Message {
  kind: 'message'
  /** Empty when the agent sent none; 0.1 has no message ids. */
  messageId: string
  role: Role
  parts: Part[]
  contextId?: string
  taskId?: string
  referenceTaskIds?: string[]
  extensions?: string[]
  metadata?: Record<string, unknown>
}

export const taskStates = [
  'submitted',
  'working',
  'input-required',
  'auth-required',
  'completed',
  'canceled',
  'failed',
  'rejected',
  'unknown',
] as const

/** Task states in the spelling of 0.3, which is ours for every version. */
export type TaskState = (typeof taskStates)[number]

/** The state of a task, with the message that explains it. */
export interface TaskStatus {
  state: TaskState
  message?: Message
  /** As sent. */
  timestamp?: string
}

/** What a task has produced. Source: A2A 0.3 §6.7; A2A 1.0 §4.1.7. */
export interface Artifact {
  /** Where the agent sent none (0.1 never does): the index, else the name, else the position. */
  artifactId: string
  name?: string
  description?: string
  parts: Part[]
  extensions?: string[]
  metadata?: Record<string, unknown>
}

/** A piece of work that an agent keeps, with its state and its results. Source: A2A 0.3 §6.1; A2A 1.0 §4.1.1. */
export interface Task {
  kind: 'task'
  /** Empty when the agent sent none. */
  id: string
  contextId?: string
  status: TaskStatus
  artifacts: Artifact[]
  history: Message[]
  metadata?: Record<string, unknown>
}

/** One event of a stream, or of a reply that came as one. */
export type StreamEvent =
  | { type: 'task'; task: Task }
  | { type: 'message'; message: Message }
  | { type: 'status'; taskId: string; contextId?: string; status: TaskStatus; final: boolean }
  | {
      type: 'artifact'
      taskId: string
      contextId?: string
      artifact: Artifact
      append: boolean
      lastChunk: boolean
    }

/** The states in which a task goes on by itself. */
export function isActive(state: TaskState): boolean {
  return state === 'submitted' || state === 'working'
}

/** The states in which a task waits for somebody. */
export function isInterrupted(state: TaskState): boolean {
  return state === 'input-required' || state === 'auth-required'
}

/** The states that a task never leaves. */
export function isTerminal(state: TaskState): boolean {
  return state === 'completed' || state === 'canceled' || state === 'failed' || state === 'rejected'
}

/** Where an agent posts what becomes of a task. Source: A2A 0.3 §6.8; A2A 1.0 §4.3. */
export interface PushConfig {
  /** Given by the agent where the client gave none. */
  id?: string
  url: string
  /** Sent back with each notification, so that the receiver knows it (`X-A2A-Notification-Token`). */
  token?: string
  /** How the agent authenticates to the receiver; 0.x lists schemes, of which this is the first. */
  authentication?: { scheme: string; credentials?: string }
}

/** Which tasks to list. Source: A2A 1.0 §3.1.4. */
export interface TaskQuery {
  contextId?: string
  status?: TaskState
  /** Tasks a page: 1 to 100, 50 by default. */
  pageSize?: number
  /** `nextPageToken` of the page before. */
  pageToken?: string
  historyLength?: number
  /** Only tasks whose status is newer than this RFC 3339 time. */
  statusTimestampAfter?: string
  /** Artifacts are left out unless this is true. */
  includeArtifacts?: boolean
}

/** One page of tasks, the one with the newest status first. */
export interface TaskList {
  tasks: Task[]
  /** Empty on the last page. */
  nextPageToken: string
  pageSize?: number
  totalSize?: number
}

/** One way to reach an agent, as its card offers it. */
export interface AgentInterface {
  url: string
  /** As written in the card; compared without regard to case. */
  binding: string
  dialect: Dialect
  /** The version string to announce on the wire (`1.0`), as written in the card. */
  version?: string
  tenant?: string
  /** Modes to name as accepted, for the early 0.2 versions that require some. */
  acceptedOutputModes?: string[]
  /** Where in the card it stands: `url`, `additionalInterfaces[0]`, `supportedInterfaces[1]`; absent when the user named it. */
  path?: string
}
