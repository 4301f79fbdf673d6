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
