import type { Subject } from '../agent/subject.ts'
import type { CardAttempt } from '../card/types.ts'
import { isNoAnswer, isReplyError, type A2AErrorCode } from '../core/errors.ts'
import type { FindingId } from '../findings/catalogue.ts'
import { finding } from '../findings/finding.ts'
import type { Finding } from '../findings/types.ts'
import { itemsAfter } from '../core/itemsAfter.ts'
import type { Exchange } from '../http/types.ts'
import type { Outcome, Verdict } from '../core/verdict.ts'
import { isRecord } from './phrases.ts'

/** What a check found out; the rest of a verdict is the same for all. */
export interface Facts {
  outcome: Outcome
  received: string
  findings?: readonly Finding[]
  attempts?: CardAttempt[]
  exchanges?: readonly Exchange[]
  excerpts?: { label: string; text: string }[]
  fix?: string
  scores?: Record<string, number>
  code?: A2AErrorCode
  unanswered?: boolean
}

/** What every check that asks an agent takes. */
export interface DeadlineOption {
  /** Longest time for the whole matcher in ms. Default: what the runner's own limit leaves. */
  deadlineMs?: number
}

/** The facts of a failure: what was received, under the id by which programs know it (`docs/findings.md`). */
export function failing(
  id: FindingId,
  received: string,
  more: Omit<Facts, 'outcome' | 'received'> = {},
): Facts {
  const { findings = [], fix } = more
  const failure = finding(id, received, { level: 'error', fix, source: undefined })
  return { ...more, outcome: 'failed', received, findings: [failure, ...findings] }
}

/**
 * Runs `look` and makes a verdict of what it found, with the requests that it made. An answer that is not as A2A demands fails;
 * all other errors are the caller's business.
 */
export async function verdictOn(
  subject: Subject,
  expected: string,
  look: () => Promise<Facts>,
): Promise<Verdict> {
  const agent = subject.kind === 'agent' ? subject.agent : undefined
  const last = agent?.exchanges.at(-1)
  const { findings = [], ...facts } = await look().catch(wrongAnswer)
  return {
    agent: agent === undefined ? cardLabel(subject) : agent.label(),
    expected,
    exchanges: agent === undefined ? [] : itemsAfter(agent.exchanges, last),
    secrets: agent?.secrets ?? [],
    ...facts,
    findings: [...findings],
  }
}

/** The facts of an answer that is not as A2A demands; throws every other error again. */
export function wrongAnswer(error: unknown): Facts {
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
