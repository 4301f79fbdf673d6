import type { A2AErrorCode } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Verdict } from '../verdict.ts'
import { criterionFindings, isUndecided, fixOf, noted, rawExcerpt, type JudgedResult } from './resultText.ts'

/** The part of a verdict that all matchers that judge a conversation share. */
export function verdictParts(
  result: JudgedResult,
  received: string,
  {
    outcome,
    seen = [],
    notes,
  }: Pick<Verdict, 'outcome'> & { seen?: readonly Finding[]; notes: readonly string[] },
): Omit<Verdict, 'agent' | 'expected' | 'exchanges'> {
  const { run, judgement, fault = run.fault } = result
  const fix = fixOf(result)
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
    excerpts: rawExcerpt(result),
    ...(fix !== undefined && { fix }),
    ...(outcome === 'error' && fault !== undefined && { code: fault.code as A2AErrorCode }),
    unanswered: fault?.unanswered ?? false,
    undecided: outcome === 'failed' && isUndecided(result),
    ...(judgement !== undefined && { scores: { conversation: judgement.score } }),
  }
}
