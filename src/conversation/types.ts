import type { MessageInput } from '../client/types.ts'
import type { SendOptions } from '../client/types.ts'
import type { Criterion, Judgement, UnknownAs } from '../judge/types.ts'
import type {
  BudgetOptions,
  CassetteMode,
  CassetteOptions,
  JudgeOptions,
  PriceFunction,
  ReplayCount,
  SimulatorOptions,
  UsageByRole,
} from '../model/types.ts'
import type { ConversationFault, ConversationRun, Transcript } from '../transcript/types.ts'

/** A turn of a script: a message, a function of the conversation so far (undefined ends the script), or a number of simulated turns. */
export type ScriptedTurn =
  | MessageInput
  | ((transcript: Transcript) => MessageInput | undefined | Promise<MessageInput | undefined>)
  | { readonly simulate: number }

/** How a conversation runs. */
export interface ConversationOptions {
  /** Who the simulated user is: behaviours in words, or one of the presets (`novice`, `terse`, …). */
  persona?: string
  /** What the simulated user wants. */
  goal?: string
  /** All that the simulated user knows; asked for anything else it does not know. */
  facts?: Readonly<Record<string, string | number | boolean>> | readonly string[]
  /** First message, sent as it is. */
  openingMessage?: MessageInput
  /** Fixed turns. A simulated user continues afterwards if `persona` or `goal` is set and the script has no `{ simulate }` of its own. */
  script?: readonly ScriptedTurn[]
  /** User messages at most, including the opening. Default 10, or the length of the script without a simulated user. */
  maxTurns?: number
  /** User messages before the simulated user may end the conversation. Default 1. */
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
  /** The outcome if a task fails or the agent answers with an error. Default `fail`. */
  onAgentError?: 'fail' | 'error'
  /** Sent along with every message. */
  metadata?: SendOptions['metadata']
  configuration?: SendOptions['configuration']
  cassette?: CassetteMode | CassetteOptions
  budget?: BudgetOptions
  price?: PriceFunction
  /** What transcripts and cassettes are named after. Default: the running test. */
  name?: string
  /** Removes what must not be printed or written. */
  redact?: (text: string) => string
  /** Longest time for the whole conversation in ms. Default: what the runner's limit leaves. */
  deadlineMs?: number
}

/** What `toPassConversation()` takes. */
export interface PassConversationOptions extends ConversationOptions {
  /** A string with one criterion per line, or a list. */
  successCriteria: string | readonly Criterion[]
  /** Share of the weights that must be met, 0 to 1. Default 1. */
  threshold?: number
  judge?: JudgeOptions
  /** What an undecided criterion counts as. Default `inconclusive`. */
  unknownAs?: UnknownAs
  /** Conversations to run. Default 1. */
  trials?: number
  /** Share of them that must pass, 0 to 1. Default 1. */
  passRate?: number
  /** Trials that run at the same time. Default 1. */
  trialConcurrency?: number
  /** Trials that may be repeated because the simulated user broke or the trial decided nothing. Default: as many as `trials`. */
  maxInvalid?: number
  /** Called before each trial (from 1), to reset the agent's state. */
  beforeTrial?: (trial: number) => void | Promise<void>
}

/** A conversation and its judgement. */
export interface TrialResult {
  run: ConversationRun
  /** Absent if the conversation could not be judged; `fault` says why. */
  judgement?: Judgement
  outcome: 'passed' | 'failed' | 'inconclusive' | 'invalid' | 'error'
  /** Why the outcome differs from that of the judgement. */
  fault?: ConversationFault
  /** What the review of the simulated user found. */
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
  /** Repeated: invalid or error. */
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

/** The result of `toPassConversation()`, as in its messages, records and files. */
export interface ConversationResult {
  schemaVersion: 1
  outcome: 'passed' | 'failed' | 'inconclusive' | 'invalid' | 'error'
  /** The trial that says most: the first that did not pass, else the last. */
  shown: TrialResult
  trials: TrialResult[]
  /** Absent for a single trial. */
  statistics?: TrialStatistics
  usage: UsageByRole
  replay: ReplayCount
  warnings: string[]
}
