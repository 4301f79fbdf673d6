import type { Finding } from '../findings/types.ts'
import type { Exchange } from '../http/types.ts'
import type { ReplayCount, UsageByRole } from '../model/types.ts'
import type { TaskState } from '../protocol/model.ts'

/** A file in a transcript; its bytes are not kept. */
export interface TranscriptFile {
  name?: string
  mediaType?: string
  /** Size of an inline file. */
  bytes?: number
  url?: string
}

/** An artifact in a transcript. */
export interface TranscriptArtifact {
  artifactId: string
  name?: string
  text?: string
  data?: unknown[]
  files?: TranscriptFile[]
}

/** A simulated message that was discarded, and the guard that discarded it. */
export interface GuardHit {
  /** `empty`, `too-long`, `leak`, `assistant`, … */
  guard: string
  /** What the guard saw, in one sentence. */
  why: string
  /** The message, as the model wrote it; it was never sent. */
  message: string
}

/** One message. Turn n is the n-th user message and its answer. */
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
  /** The task of an answer; `nth` counts the tasks of the conversation from 1, and identifies it where ids must not be shown. */
  task?: { id: string; nth: number; state: TaskState }
  contextId?: string
  /** Why a task failed, was canceled or rejected. */
  reason?: string
  /** The error instead of an answer. */
  error?: { code: string; message: string }
  /** How long the answer took. */
  ms?: number
  /** Simulated messages that were discarded before this one. */
  guards?: GuardHit[]
  /** Remarks on a simulated message that was sent anyway. */
  notes?: string[]
}

/** A conversation as criteria and functions see it. */
export interface Transcript {
  readonly entries: readonly TranscriptEntry[]
  /** User messages that were sent. */
  readonly turns: number
  /** Undefined while the conversation is running. */
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
  /** State of the last task; undefined if the agent answered with a message. */
  readonly lastState: TaskState | undefined
}

/**
 * Why a conversation ended: the simulated user was satisfied (`goal`), gave up, lacked a fact (`cannot_answer`) or had nothing more to say
 * (`user_ended`); the number of turns; the agent rejected or canceled (`agent_ended`) or failed (`agent_error`); both repeat
 * themselves (`loop`); deadline or budget; the script or `stopWhen`; a simulated user that broke (`invalid`) or whose model gave
 * no answer (`model_error`).
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

/** Why a conversation failed outright, or does not count as a fair trial of the agent. */
export interface ConversationFault {
  /** `failed`: the agent's fault; `invalid`: the simulated user's; `error`: undecided. */
  outcome: 'failed' | 'invalid' | 'error'
  code: string
  message: string
  fix?: string | undefined
  /** Id of the finding, if the fault is one. */
  finding?: string | undefined
  /** True if the answer may not come from an A2A agent at all. */
  unanswered?: boolean | undefined
  /** What a model wrote, if that was wrong; truncated. */
  raw?: string | undefined
}

/** The record of a conversation, not yet judged. Plain data. */
export interface ConversationRun {
  /** Brand, for matchers. */
  readonly isA2AConversation: true
  readonly schemaVersion: 1
  /** The test that ran it. */
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
  /** Simulated messages that were discarded after the last turn. */
  discarded?: GuardHit[]
  /** Ids of the models that were used. */
  models: { simulator?: string; judge?: string }
  promptVersions: { simulator?: string; judge?: string }
  usage: UsageByRole
  replay: ReplayCount
  /** Deviations that were tolerated when the answers were read. */
  findings: Finding[]
  warnings: string[]
  ms: number
  /** Its requests; not kept in files. */
  exchanges: readonly Exchange[]
  /** Never printed, not kept in files. */
  secrets: readonly string[]
}
