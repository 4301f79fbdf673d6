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

/** What code decides: no model is asked. */
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

/** A criterion as everything below works with it. */
export interface ParsedCriterion {
  /** `c1`, `c2`, … in the order given: what the judge is asked by. */
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

/** What became of a criterion; `unknown` is no middle grade, but says that the transcript does not show it. */
export type CriterionVerdict = 'met' | 'not_met' | 'unknown'

/** Words that a verdict rests on. */
export interface Evidence {
  turn: number
  quote: string
  /** True where the words stand in the transcript; code looked. */
  verified: boolean
}

/** What became of one criterion. */
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
  /** One verdict a vote. */
  votes: CriterionVerdict[]
}

/** What a conversation came to, computed from the criteria alone. */
export interface Judgement {
  outcome: 'passed' | 'failed' | 'inconclusive'
  score: number
  /** The score if every unknown were met. */
  scoreMax: number
  threshold: number
  criteria: CriterionResult[]
  /** Votes that were taken; 0 where code decided everything. */
  votes: number
  /** Verdicts that agree with the majority, of all that were given. */
  agreement?: { agreeing: number; of: number }
  /** Turns in which the transcript tried to steer the judge. */
  injection?: { turns: number[]; steered?: boolean }
  /** The judge's model; absent where none was asked. */
  model?: string
  promptVersion?: string
  /** What the judge wrote, vote by vote, for whoever wants to see it. */
  raw: string[]
  warnings: string[]
}

/** A conversation as it is judged. */
export interface JudgedConversation {
  entries: readonly TranscriptEntry[]
  turns: number
  maxTurns: number
  endReason: EndReason
  /** What went wrong outside the words: one line each, made by us and not by the agent. */
  facts: readonly string[]
}
