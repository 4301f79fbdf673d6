import type { Finding } from '../findings/types.ts'
import type { Exchange } from '../http/types.ts'
import type { ReplayCount, UsageByRole } from '../model/types.ts'
import type { TaskState } from '../protocol/model.ts'

/** A file as a transcript tells of it; its bytes are not kept. */
export interface TranscriptFile {
  name?: string
  mediaType?: string
  /** Size of an inline file. */
  bytes?: number
  url?: string
}

/** An artifact as a transcript tells of it. */
export interface TranscriptArtifact {
  artifactId: string
  name?: string
  text?: string
  data?: unknown[]
  files?: TranscriptFile[]
}

/** A simulated message that was thrown away, and by which guard. */
export interface GuardHit {
  /** `empty`, `too-long`, `leak`, `assistant`, … */
  guard: string
  /** What the guard saw, in one sentence. */
  why: string
  /** The message, as the model wrote it; it was never sent. */
  message: string
}

/** One thing that was said. Turn n is the n-th user message and the answer to it. */
export interface TranscriptEntry {
  /** From 1. */
  turn: number
  from: 'user' | 'agent'
  text: string
  /** Who wrote a user message. */
  by?: 'opening' | 'script' | 'simulator'
  data?: unknown[]
  files?: TranscriptFile[]
  artifacts?: TranscriptArtifact[]
  /** The task of an answer; `nth` counts the tasks of the conversation from 1, and names it where ids must not be told. */
  task?: { id: string; nth: number; state: TaskState }
  contextId?: string
  /** Why a task failed, was canceled or rejected. */
  reason?: string
  /** What came instead of an answer. */
  error?: { code: string; message: string }
  /** How long the answer took. */
  ms?: number
  /** Simulated messages that were thrown away before this one. */
  guards?: GuardHit[]
  /** Things about a simulated message that a reader should know, but that no guard stops. */
  notes?: string[]
}

/** A conversation as criteria and functions see it. */
export interface Transcript {
  readonly entries: readonly TranscriptEntry[]
  /** User messages that were sent. */
  readonly turns: number
  /** Undefined while the conversation goes on. */
  readonly endReason: EndReason | undefined
  /** All of it: `user: …` and `agent: …`, one line or more each. */
  readonly text: string
  /** Everything the agent said. */
  readonly agentText: string
  /** Everything the user said. */
  readonly userText: string
  readonly lastAgentText: string
  /** Data, files and artifacts of the agent, oldest first. */
  readonly data: readonly unknown[]
  readonly files: readonly TranscriptFile[]
  readonly artifacts: readonly TranscriptArtifact[]
  /** State of the last task; undefined where the agent answered with a message. */
  readonly lastState: TaskState | undefined
}

/**
 * Why a conversation ended: the simulated user was satisfied (`goal`), gave up, lacked a fact (`cannot_answer`) or had nothing more to say
 * (`user_ended`); the number of turns; the agent rejected or canceled (`agent_ended`) or failed (`agent_error`); both repeat
 * themselves (`loop`); time or budget; the script or `stopWhen`; a simulated user that broke (`invalid`) or whose model gave
 * nothing (`model_error`).
 */
export type EndReason =
  | 'goal'
  | 'gave_up'
  | 'cannot_answer'
  | 'user_ended'
  | 'max_turns'
  | 'agent_ended'
  | 'agent_error'
  | 'loop'
  | 'deadline'
  | 'budget'
  | 'script_end'
  | 'stop_when'
  | 'invalid'
  | 'model_error'

/** What kept a conversation from being a fair trial of the agent, or made it fail outright. */
export interface ConversationFault {
  /** `failed`: the agent's own; `invalid`: the simulated user's; `error`: nobody can say. */
  outcome: 'failed' | 'invalid' | 'error'
  code: string
  message: string
  fix?: string
  /** Id of the finding that this is, where there is one. */
  finding?: string
  /** True where what answered need not be an A2A agent at all. */
  unanswered?: boolean
  /** What a model wrote, where that is what was wrong; cut. */
  raw?: string
}

/** A conversation that was held, before anybody judged it. Plain data, apart from what `toJSON` leaves out. */
export interface ConversationRun {
  /** Brand, for matchers. */
  readonly isA2AConversation: true
  readonly schemaVersion: 1
  /** The test that held it. */
  name?: string
  /** The agent under test: `Helpdesk (http://…)`. */
  agent: string
  persona?: string
  goal?: string
  facts?: string[]
  entries: TranscriptEntry[]
  turns: number
  maxTurns: number
  endReason: EndReason
  fault?: ConversationFault
  /** Simulated messages that were thrown away after the last turn. */
  discarded?: GuardHit[]
  /** Ids of the models that took part. */
  models: { simulator?: string; judge?: string }
  promptVersions: { simulator?: string; judge?: string }
  usage: UsageByRole
  replay: ReplayCount
  /** Tolerances that reading the answers needed. */
  findings: Finding[]
  warnings: string[]
  ms: number
  /** Of the conversation, not kept in files. */
  exchanges: readonly Exchange[]
  /** Never printed, not kept in files. */
  secrets: readonly string[]
}
