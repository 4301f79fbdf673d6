import type { CardAttempt } from '../card/types.ts'
import type { ConversationResult } from '../conversation/types.ts'
import type { ConversationRun } from '../transcript/types.ts'
import type { A2AErrorCode } from '../core/errors.ts'
import type { Finding } from '../findings/types.ts'
import type { Judgement } from '../judge/types.ts'
import type { Exchange } from '../http/types.ts'

/**
 * What a check found. `passed` and `failed` speak of the agent; under `inconclusive`, `invalid` and `error` nothing can be
 * said of it, and a matcher throws whether negated or not.
 */
export type Outcome = 'passed' | 'failed' | 'inconclusive' | 'invalid' | 'error'

/** The result of a check: facts only; `report/` turns it into text. */
export interface Verdict {
  outcome: Outcome
  /**
   * True when nothing that answered spoke A2A (HTML, a 5xx, no card). That fails a check, but is no ground on which a negated
   * one may pass: it throws. False where a check knows that an agent spoke; absent, the exchanges decide.
   */
  unanswered?: boolean
  /**
   * True for what failed only because undecided criteria were to count as unmet. That fails a matcher, but a negated one throws: the
   * agent did nothing wrong.
   */
  undecided?: boolean
  /** The code of the error behind the outcome, where there was one. */
  code?: A2AErrorCode
  /** Who was checked, for the first line: `Echo Desk (http://127.0.0.1:4100)`. */
  agent: string
  /** Completes "Expected: …", without a negation: `an agent card that breaks no rule`. */
  expected: string
  /** Completes "Received: …", true whatever the polarity: `a card that breaks 2 rules of A2A 0.3`. */
  received: string
  findings: Finding[]
  /** Card locations tried, where the check looked for a card. */
  attempts?: CardAttempt[]
  /** The requests behind the verdict, oldest first. */
  exchanges: readonly Exchange[]
  /** Labelled excerpts: the reply's text, a diff, an agent's last output. */
  excerpts?: { label: string; text: string }[]
  /** The conversation behind the verdict, and what was made of it. */
  conversation?: ConversationResult | { run: ConversationRun; judgement?: Judgement }
  /** Fix of the verdict itself, where no finding carries it. */
  fix?: string
  /** Values that must never be printed. */
  secrets: readonly string[]
  scores?: Record<string, number>
}
