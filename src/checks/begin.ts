import type { Subject } from '../agent/subject.ts'
import type { CardAttempt } from '../card/types.ts'
import type { Finding } from '../finding.ts'
import type { Exchange } from '../transport/types.ts'
import type { Outcome, Verdict } from '../verdict.ts'
import { isRecord } from './show.ts'

/** What a check found out; the rest of a verdict is the same for all. */
export interface Facts {
  outcome: Outcome
  received: string
  findings?: readonly Finding[]
  attempts?: CardAttempt[]
  exchanges?: readonly Exchange[]
  excerpts?: { label: string; text: string }[]
  mend?: string
  scores?: Record<string, number>
}

/** What every check that asks an agent takes. */
export interface DeadlineOption {
  /** Longest time for the whole matcher in ms. Default: what the runner's own limit leaves. */
  deadlineMs?: number
}

/** Runs `look` and makes a verdict of what it found, with the requests that it made. Errors are the caller's business. */
export async function verdictOn(
  subject: Subject,
  expected: string,
  look: () => Promise<Facts>,
): Promise<Verdict> {
  const agent = subject.kind === 'agent' ? subject.agent : undefined
  const before = agent?.exchanges.length ?? 0
  const { findings = [], ...facts } = await look()
  return {
    agent: agent === undefined ? cardLabel(subject) : agent.label(),
    expected,
    exchanges: agent?.exchanges.slice(before) ?? [],
    secrets: agent?.secrets ?? [],
    ...facts,
    findings: [...findings],
  }
}

function cardLabel(subject: Subject): string {
  const name = subject.kind === 'card' && isRecord(subject.card) ? subject.card.name : undefined
  return typeof name === 'string' && name !== '' ? `${name} (card object)` : 'card object'
}
