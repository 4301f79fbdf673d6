import type { Subject } from '../agent/subject.ts'
import type { CardAttempt } from '../card/types.ts'
import { isNoAnswer, isReplyError, type A2AErrorCode } from '../core/errors.ts'
import type { FindingId } from '../findings/catalogue.ts'
import { finding } from '../findings/finding.ts'
import type { Finding } from '../findings/types.ts'
import { itemsAfter } from '../core/itemsAfter.ts'
import type { Exchange } from '../http/types.ts'
import type { Comparison, Outcome, Verdict } from './verdict.ts'
import { isRecord } from './phrases.ts'

/** What a check found; the rest of a verdict is the same for all checks. */
export interface CheckResult {
  outcome: Outcome
  received: string
  findings?: readonly Finding[]
  attempts?: CardAttempt[]
  exchanges?: readonly Exchange[]
  excerpts?: { label: string; text: string }[]
  comparison?: Comparison
  fix?: string
  scores?: Record<string, number>
  code?: A2AErrorCode
  unanswered?: boolean
}

/** The option that every asynchronous matcher takes. */
export interface DeadlineOption {
  /** Longest time for the whole matcher in ms. Default: what is left of the test's timeout. */
  deadlineMs?: number
}

/** The result of a failed check: what was received, with the id of its finding. */
export function failing(
  id: FindingId,
  received: string,
  more: Omit<CheckResult, 'outcome' | 'received'> = {},
): CheckResult {
  const { findings = [], fix } = more
  const failure = finding(id, received, { level: 'error', fix, source: undefined })
  return { ...more, outcome: 'failed', received, findings: [failure, ...findings] }
}

/**
 * Runs a check and builds the verdict, including the requests it made. An answer that is not valid A2A fails the check;
 * all other errors are thrown.
 */
export async function verdictOn(
  subject: Subject,
  expected: string,
  check: () => Promise<CheckResult>,
): Promise<Verdict> {
  const agent = subject.kind === 'agent' ? subject.agent : undefined
  const last = agent?.exchanges.at(-1)
  const { findings = [], ...result } = await check().catch(wrongAnswer)
  return {
    agent: agent === undefined ? cardLabel(subject) : agent.label(),
    expected,
    exchanges: agent === undefined ? [] : itemsAfter(agent.exchanges, last),
    secrets: agent?.secrets ?? [],
    ...result,
    findings: [...findings],
  }
}

/** The result for an answer that is not valid A2A; rethrows every other error. */
export function wrongAnswer(error: unknown): CheckResult {
  if (!isReplyError(error)) throw error
  const { code, message, finding: id, fix } = error
  return failing(id, message, {
    code,
    ...(isNoAnswer(error) && { unanswered: true }),
    ...(fix !== undefined && { fix }),
  })
}

function cardLabel(subject: Subject): string {
  const name = subject.kind === 'card' && isRecord(subject.card) ? subject.card.name : undefined
  return typeof name === 'string' && name !== '' ? `${name} (card object)` : 'card object'
}
