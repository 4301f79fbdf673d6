import type { MessageInput, SendOptions } from '../client/types.ts'
import type { Finding } from '../core/finding.ts'
import type { Criterion, Judgement, UnknownAs } from '../judge/types.ts'
import type {
  BudgetOptions,
  CassetteOptions,
  CassetteMode,
  JudgeOptions,
  PriceFunction,
  ReplayCount,
  SimulatorOptions,
  UsageByRole,
} from '../model/types.ts'
import type { TaskState } from '../protocol/model.ts'
import type { Exchange } from '../http/types.ts'

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

/** A turn of a script: what to say, a function of the conversation so far (undefined ends the script), or that many simulated turns. */
export type ScriptedTurn =
  | MessageInput
  | ((transcript: Transcript) => MessageInput | undefined | Promise<MessageInput | undefined>)
  | { readonly simulate: number }

/** How a conversation is held. */
export interface ConversationOptions {
  /** Who the simulated user is: behaviours in words, or one of the presets (`novice`, `terse`, …). */
  persona?: string
  /** What the simulated user wants. */
  goal?: string
  /** All that the simulated user knows; asked for anything else it does not know. */
  facts?: Readonly<Record<string, string | number | boolean>> | readonly string[]
  /** First message, sent as it is; no model is asked for it. */
  openingMessage?: MessageInput
  /** Fixed turns. A simulated user goes on afterwards where `persona` or `goal` is given and the script has no `{ simulate }` of its own. */
  script?: readonly ScriptedTurn[]
  /** User messages at most, the opening included. Default 10, or the length of a script that is all there is. */
  maxTurns?: number
  /** Before that many, the simulated user cannot end the conversation. Default 1. */
  minTurns?: number
  /** Language of the simulated user. Default: that of its persona and goal. */
  language?: string
  /** Ends the conversation after an answer. */
  stopWhen?: (transcript: Transcript) => boolean | Promise<boolean>
  /** Called after each answer. */
  onTurn?: (transcript: Transcript) => void | Promise<void>
  simulator?: SimulatorOptions
  /** Longest wait for one answer of the agent in ms. Default 60 000. */
  turnTimeoutMs?: number
  /** What a failed task or an error answer of the agent makes of the conversation. Default `fail`. */
  onAgentError?: 'fail' | 'error'
  /** Sent along with every message. */
  metadata?: SendOptions['metadata']
  configuration?: SendOptions['configuration']
  cassette?: CassetteMode | CassetteOptions
  budget?: BudgetOptions
  price?: PriceFunction
  /** What transcripts and cassettes are named after. Default: the running test. */
  name?: string
  /** Takes out what must not be printed or written. */
  redact?: (text: string) => string
  /** Longest time for the whole of it in ms. Default: what the runner's own limit leaves. */
  deadlineMs?: number
}

/** What `toPassConversation()` takes. */
export interface PassConversationOptions extends ConversationOptions {
  /** A text with one criterion a line, or a list. */
  successCriteria: string | readonly Criterion[]
  /** Share of the weights that must be met, 0 to 1. Default 1. */
  threshold?: number
  judge?: JudgeOptions
  /** What an undecided criterion counts as. Default `inconclusive`. */
  unknownAs?: UnknownAs
  /** Conversations to hold. Default 1. */
  trials?: number
  /** Share of them that must pass, 0 to 1. Default 1. */
  passRate?: number
  /** Trials that go on at the same time. Default 1. */
  trialConcurrency?: number
  /** Trials that may be held again because the simulated user broke or nothing could be said. Default: as many as `trials`. */
  maxInvalid?: number
  /** Called before each trial (from 1), to put the agent's world in order. */
  beforeTrial?: (trial: number) => void | Promise<void>
}

/** A conversation and what was made of it. */
export interface TrialResult {
  run: ConversationRun
  /** Absent where the conversation could not be judged; `fault` says why. */
  judgement?: Judgement
  outcome: 'passed' | 'failed' | 'inconclusive' | 'invalid' | 'error'
  /** Why the outcome is not the judgement's own. */
  fault?: ConversationFault
  /** What a second look at the simulated user found. */
  check?: { severity: 'none' | 'minor' | 'helped' | 'hindered'; turn?: number; why: string }
  /** Where the transcript was written. */
  file?: string
}

/** Figures over several trials. */
export interface TrialStatistics {
  /** Trials that count: passed, failed, inconclusive. */
  n: number
  passed: number
  failed: number
  inconclusive: number
  /** Held again: invalid or error. */
  rerun: number
  planned: number
  needed: number
  passRate: number
  /** Wilson interval of the pass rate. */
  ci95: readonly [number, number]
  /** Chance that k trials in a row pass, by k. */
  passHat: Readonly<Record<number, number>>
  /** Set when the rest could not change the result. */
  decidedEarly: boolean
}

/** The result of `toPassConversation()`, as its messages, records and files have it. */
export interface ConversationResult {
  schemaVersion: 1
  outcome: 'passed' | 'failed' | 'inconclusive' | 'invalid' | 'error'
  /** The trial that tells most: the first that did not pass, else the last. */
  shown: TrialResult
  trials: TrialResult[]
  /** Absent for a single trial. */
  statistics?: TrialStatistics
  usage: UsageByRole
  replay: ReplayCount
  warnings: string[]
}
