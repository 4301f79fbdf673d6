import { excerptsOf } from '../agent/lifetime.ts'
import type { Subject } from '../agent/subject.ts'
import type { A2AAgent } from '../agent/types.ts'
import type { CardAttempt } from '../card/types.ts'
import { isA2AError, isReplyError } from '../errors.ts'
import type { Finding } from '../finding.ts'
import type { Budget } from '../matcher/types.ts'
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
  mend?: string | undefined
  scores?: Record<string, number>
}

/**
 * Runs `look` and makes a verdict of what it found. An A2AError becomes one too: `failed` when the agent answered wrongly,
 * `error` when nothing can be said of it; wrong use and everything else is thrown on.
 */
export async function verdictOn(
  subject: Subject,
  expected: string,
  look: () => Promise<Facts>,
): Promise<Verdict> {
  const agent = subject.kind === 'agent' ? subject.agent : undefined
  const before = agent?.exchanges.length ?? 0
  let facts: Facts
  try {
    facts = await look()
  } catch (error) {
    facts = factsOf(error)
  }
  const { outcome, received, findings = [], attempts, excerpts = [], mend, scores } = facts
  const verdict: Verdict = {
    outcome,
    agent: agent === undefined ? cardLabel(subject) : agent.label(),
    expected,
    received,
    findings: [...findings],
    exchanges: facts.exchanges ?? agent?.exchanges.slice(before) ?? [],
    secrets: agent?.secrets ?? [],
  }
  // What our own agents printed or threw explains a failure; a success needs no explaining.
  const shown = outcome === 'passed' || agent === undefined ? excerpts : [...excerpts, ...excerptsOf(agent)]
  if (shown.length > 0) verdict.excerpts = shown
  if (attempts !== undefined) verdict.attempts = attempts
  if (mend !== undefined) verdict.mend = mend
  if (scores !== undefined) verdict.scores = scores
  return verdict
}

/** Ends a wait that takes no signal itself as soon as the budget is used up. */
export async function within<T>({ signal }: Budget, work: Promise<T>): Promise<T> {
  let onAbort: (() => void) | undefined
  const timeUp = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, timeUp])
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort)
  }
}

/** The subject of a check that takes agents only. */
export function asSubject(agent: A2AAgent): Subject {
  return { kind: 'agent', agent }
}

const wrongUse = new Set(['BAD_OPTIONS', 'BAD_SUBJECT', 'BAD_USE', 'MISSING_PACKAGE'])

function factsOf(error: unknown): Facts {
  if (!isA2AError(error) || wrongUse.has(error.code)) throw error
  return {
    outcome: isReplyError(error) ? 'failed' : 'error',
    received: error.message,
    mend: error.mend,
  }
}

function cardLabel(subject: Subject): string {
  const name = subject.kind === 'card' && isRecord(subject.card) ? subject.card.name : undefined
  return typeof name === 'string' && name !== '' ? `${name} (card object)` : 'card object'
}
