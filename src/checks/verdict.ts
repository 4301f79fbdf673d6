import type { CardAttempt } from '../card/types.ts'
import type { ConversationResult } from '../conversation/types.ts'
import type { ConversationRun } from '../transcript/types.ts'
import type { A2AErrorCode } from '../core/errors.ts'
import type { Finding } from '../findings/types.ts'
import type { Judgement } from '../judge/types.ts'
import type { Exchange } from '../http/types.ts'

/**
 * What a check found. `passed` and `failed` are results about the agent; `inconclusive`, `invalid` and `error` are not, so
 * a matcher throws whether negated or not.
 */
export type Outcome = 'passed' | 'failed' | 'inconclusive' | 'invalid' | 'error'

/** Two values that a check compared, for the diff that runners print. */
export interface Comparison {
  expected: unknown
  actual: unknown
}

/** The result of a check, without wording; `report/` turns it into text. */
export interface Verdict {
  outcome: Outcome
  /**
   * True when nothing that answered spoke A2A (HTML, a 5xx, no card). That fails a check, but a negated one
   * throws as well. False if a check knows that an A2A agent answered; if absent, the exchanges decide.
   */
  unanswered?: boolean
  /**
   * True if the check failed only because undecided criteria count as unmet. That fails a matcher, but a negated one throws: the
   * agent did nothing wrong.
   */
  undecided?: boolean
  /** The code of the error that led to the outcome. */
  code?: A2AErrorCode
  /** The agent that was checked, for the first line: `Echo Desk (http://127.0.0.1:4100)`. */
  agent: string
  /** Completes "Expected: …", without a negation: `an agent card that breaks no rule`. */
  expected: string
  /** Completes "Received: …", true for a negated matcher as well: `a card that breaks 2 rules of A2A 0.3`. */
  received: string
  findings: Finding[]
  /** The locations tried, if the check looked for a card. */
  attempts?: CardAttempt[]
  /** The requests behind the verdict, oldest first. */
  exchanges: readonly Exchange[]
  /** Labelled excerpts: the reply's text, a diff, an agent's last output. */
  excerpts?: { label: string; text: string }[]
  /** The conversation behind the verdict, and its judgement. */
  conversation?: ConversationResult | { run: ConversationRun; judgement?: Judgement }
  /** The values behind a failure, if it is one comparison: texts, data, task states. */
  comparison?: Comparison
  /** The fix of the verdict itself, if no finding has it. */
  fix?: string
  /** Values that must never be printed. */
  secrets: readonly string[]
  scores?: Record<string, number>
}
