import type { A2AErrorCode } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Verdict } from '../../core/verdict.ts'
import { criterionFindings, isUndecided, fixOf, noted, rawExcerpt, type Told } from './resultText.ts'

/** The part of a verdict that comes from what was made of a conversation, the same whoever held it. */
export function toldOf(
  told: Told,
  received: string,
  {
    outcome,
    seen = [],
    notes,
  }: Pick<Verdict, 'outcome'> & { seen?: readonly Finding[]; notes: readonly string[] },
): Omit<Verdict, 'agent' | 'expected' | 'exchanges'> {
  const { run, judgement, fault = run.fault } = told
  const fix = fixOf(told)
  return {
    outcome,
    received,
    findings: [
      ...(fault?.outcome === 'failed' && fault.finding !== undefined
        ? [{ id: fault.finding, level: 'error' as const, message: received }]
        : []),
      ...(judgement === undefined ? [] : criterionFindings(judgement)),
      ...seen,
      ...noted(notes),
    ],
    secrets: run.secrets,
    excerpts: rawExcerpt(told),
    ...(fix !== undefined && { fix }),
    ...(outcome === 'error' && fault !== undefined && { code: fault.code as A2AErrorCode }),
    unanswered: fault?.unanswered ?? false,
    undecided: outcome === 'failed' && isUndecided(told),
    ...(judgement !== undefined && { scores: { conversation: judgement.score } }),
  }
}
