import type { EndReason, Transcript, TranscriptEntry } from '../transcript/types.ts'

interface CriterionBase {
  /** Name in reports. Default: `c1`, `c2`, … */
  id?: string
}

/** What the agent must do, judged by a model from what was said. */
export interface MustCriterion extends CriterionBase {
  must: string
  /** Share in the score. Default 1. */
  weight?: number
  /** Fails the conversation when unmet, whatever the threshold. Default false. */
  required?: boolean
  /** Whose messages may prove it. Default `agent`. */
  evidenceFrom?: 'agent' | 'user'
}

/** What the agent must not do in any turn; one breach fails the conversation. */
export interface MustNotCriterion extends CriterionBase {
  mustNot: string
}

/** Decided by code, without a model. */
export interface CheckCriterion extends CriterionBase {
  check: (transcript: Transcript) => unknown
  /** What the function checks, in a sentence, for reports. */
  description: string
  weight?: number
  required?: boolean
}

/** One success criterion; a string is a `must`. */
export type Criterion = string | MustCriterion | MustNotCriterion | CheckCriterion

/** What an undecided criterion counts as. */
export type UnknownAs = 'inconclusive' | 'not_met'

/** A criterion after it was checked. */
export interface ParsedCriterion {
  /** `c1`, `c2`, … in order: its name in the judge's prompt. */
  key: string
  /** The user's id, else the key. */
  id: string
  kind: 'must' | 'mustNot' | 'check'
  text: string
  weight: number
  required: boolean
  evidenceFrom: 'agent' | 'user'
  check?: CheckCriterion['check']
}

/** The verdict on a criterion. `unknown` is not a middle grade: it means that the transcript does not show it. */
export type CriterionVerdict = 'met' | 'not_met' | 'unknown'

/** A quote that a verdict is based on. */
export interface Evidence {
  turn: number
  quote: string
  /** True if code found the quote in the transcript. */
  verified: boolean
}

/** The result of one criterion. */
export interface CriterionResult {
  key: string
  id: string
  kind: ParsedCriterion['kind']
  text: string
  weight: number
  required: boolean
  verdict: CriterionVerdict
  /** In a sentence or two. */
  reason: string
  evidence: Evidence[]
  /** One verdict per vote. */
  votes: CriterionVerdict[]
}

/** The result of a conversation, computed from the criteria alone. */
export interface Judgement {
  outcome: 'passed' | 'failed' | 'inconclusive'
  score: number
  /** The score if every unknown were met. */
  scoreMax: number
  threshold: number
  criteria: CriterionResult[]
  /** Votes that were taken; 0 if code decided everything. */
  votes: number
  /** How many of all verdicts agree with the majority. */
  agreement?: { agreeing: number; of: number }
  /** Turns in which the transcript tried to steer the judge. */
  injection?: { turns: number[]; steered?: boolean }
  /** The judge's model; absent if none was called. */
  model?: string
  promptVersion?: string
  /** What the judge wrote, vote by vote. */
  raw: string[]
  warnings: string[]
}

/** A conversation as it is judged. */
export interface JudgedConversation {
  entries: readonly TranscriptEntry[]
  turns: number
  maxTurns: number
  endReason: EndReason
  /** What else happened, one line each; never written by the agent. */
  facts: readonly string[]
}
