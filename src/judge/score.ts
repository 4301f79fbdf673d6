import type { CriterionResult, Judgement, UnknownAs } from './types.ts'

/** What the criteria come to. */
export type Score = Pick<Judgement, 'outcome' | 'score' | 'scoreMax'>

/** So that 0.1 + 0.2 reaches 0.3. */
const slack = 1e-9

/**
 * Adds the criteria up. The score is the share of the weights of `must` and `check` that are met; where there are none, 1 if no
 * prohibition was broken and 0 otherwise. Prohibitions and required criteria are gates. Undecided criteria make it inconclusive
 * only where they decide.
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

/** The sum of weights; where that of all overflows, in shares of the heaviest. */
function sum(some: readonly Weighted[], all: readonly Weighted[]): number {
  const whole = all.reduce((total, { weight }) => total + weight, 0)
  const unit = Number.isFinite(whole) ? 1 : Math.max(...all.map(({ weight }) => weight))
  return some.reduce((total, { weight }) => total + weight / unit, 0)
}
