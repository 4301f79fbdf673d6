import type { CriterionResult, Judgement, UnknownAs } from './types.ts'

/** The score of the criteria, and the outcome. */
export type Score = Pick<Judgement, 'outcome' | 'score' | 'scoreMax'>

/** So that 0.1 + 0.2 reaches 0.3. */
const slack = 1e-9

/**
 * Adds up the criteria. The score is the share of the weights of `must` and `check` that are met; without such criteria, it is 1 if no
 * prohibition was broken and 0 otherwise. Prohibitions and required criteria are gates. Undecided criteria make the outcome
 * inconclusive only if they could change it.
 */
export function score(
  results: readonly Pick<CriterionResult, 'kind' | 'weight' | 'required' | 'verdict'>[],
  threshold: number,
  unknownAs: UnknownAs = 'inconclusive',
): Score {
  const decided = results.map((one) =>
    one.verdict === 'unknown' && unknownAs === 'not_met' ? { ...one, verdict: 'not_met' as const } : one,
  )
  const gates = decided.filter(({ kind, required }) => kind === 'mustNot' || required)
  const summed = decided.filter(({ kind }) => kind !== 'mustNot')
  const counted = summed.length > 0 ? summed : gates
  const share = (verdicts: readonly string[]): number => {
    if (counted.length === 0) return 1
    const reaches = counted.filter(({ verdict }) => verdicts.includes(verdict))
    if (counted === gates) return reaches.length === gates.length ? 1 : 0
    return sum(reaches, counted) / sum(counted, counted)
  }
  const reached = share(['met'])
  const scoreMax = share(['met', 'unknown'])
  const broken = gates.some(({ verdict }) => verdict === 'not_met')
  const open = gates.some(({ verdict }) => verdict === 'unknown')
  const outcome =
    broken || scoreMax < threshold - slack
      ? 'failed'
      : reached >= threshold - slack && !open
        ? 'passed'
        : 'inconclusive'
  return { outcome, score: reached, scoreMax }
}

type Weighted = Pick<CriterionResult, 'weight'>

/** The sum of weights; relative to the heaviest if the sum of all would overflow. */
function sum(some: readonly Weighted[], all: readonly Weighted[]): number {
  const whole = all.reduce((total, { weight }) => total + weight, 0)
  const unit = Number.isFinite(whole) ? 1 : Math.max(...all.map(({ weight }) => weight))
  return some.reduce((total, { weight }) => total + weight / unit, 0)
}
