import type { Finding } from '../finding.ts'
import type { SendConfiguration } from '../protocol/codec.ts'
import type { Artifact, Dialect, FilePart, Message, Task, TaskState } from '../protocol/model.ts'
import type { Exchange } from '../transport/types.ts'

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
  wait: { polls: number; ms: number }
  /** Tolerances that reading needed, fallbacks, odd addresses. */
  findings: Finding[]
  exchanges: readonly Exchange[]
  /** Who answered, for messages. */
  agent: string
  /** Values that must never be printed. */
  secrets: readonly string[]
}
