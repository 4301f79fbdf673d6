import type { CriterionVerdict, Evidence, ParsedCriterion } from './types.ts'
import { verdicts } from './kappa.ts'
import type { Vote } from './takeVote.ts'

/** The result of several votes on one criterion. */
export interface Counted {
  verdict: CriterionVerdict
  reason: string
  evidence: Evidence[]
  votes: CriterionVerdict[]
}

/** How many votes are a majority. */
export function majorityOf(planned: number): number {
  return Math.floor(planned / 2) + 1
}

/** The criteria in the order of this vote: each vote starts elsewhere, because the order influences judges. */
export function rotated<T>(criteria: readonly T[], nth: number): T[] {
  const at = ((nth - 1) * Math.ceil(criteria.length / 3)) % Math.max(1, criteria.length)
  return [...criteria.slice(at), ...criteria.slice(0, at)]
}

/** The least number of further votes needed; 0 once no further vote can change the result of any criterion. */
export function votesNeeded(
  criteria: readonly ParsedCriterion[],
  votes: readonly Vote[],
  planned: number,
  taken: number,
): number {
  const majority = majorityOf(planned)
  const open = criteria.map(({ key }) => {
    const most = Math.max(...verdicts.map((one) => givenOf(votes, key).filter((own) => own === one).length))
    const missing = majority - most
    return missing > planned - taken ? 0 : missing
  })
  return Math.max(0, ...open)
}

/** The verdict of the majority of the planned votes; without one, unknown. Votes without a verdict do not count. */
export function countVotes(key: string, votes: readonly Vote[], planned: number): Counted {
  const given = givenOf(votes, key)
  const verdict = verdicts.find((one) => given.filter((own) => own === one).length >= majorityOf(planned))
  if (verdict === undefined) {
    return {
      verdict: 'unknown',
      reason: `the votes disagree: ${given.join(', ')}`,
      evidence: [],
      votes: given,
    }
  }
  const speaker = votes.map(({ claims }) => claims.get(key)).find((claim) => claim?.verdict === verdict)
  return { verdict, reason: speaker?.reason ?? '', evidence: speaker?.evidence ?? [], votes: given }
}

/** How many of all verdicts agree with the majority. */
export function agreementAmong(counted: readonly Counted[]): { agreeing: number; of: number } {
  const of = counted.reduce((sum, { votes }) => sum + votes.length, 0)
  const agreeing = counted.reduce(
    (sum, { verdict, votes }) => sum + votes.filter((one) => one === verdict).length,
    0,
  )
  return { agreeing, of }
}

function givenOf(votes: readonly Vote[], key: string): CriterionVerdict[] {
  return votes.flatMap(({ claims }) => claims.get(key)?.verdict ?? [])
}
