import type { TrialStatistics } from './types.ts'

/**
 * Wilson interval of a share: its range with 95 % confidence after `successes` of `n`. It is honest for few trials; the usual interval
 * takes 10 of 10 as certain.
 */
export function wilson(successes: number, n: number, z = 1.959964): readonly [number, number] {
  if (n === 0) return [0, 1]
  const share = successes / n
  const scale = 1 + (z * z) / n
  const centre = (share + (z * z) / (2 * n)) / scale
  const half = (z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))) / scale
  // At the ends the formula gives 0 and 1, except for rounding.
  return [successes === 0 ? 0 : Math.max(0, centre - half), successes === n ? 1 : Math.min(1, centre + half)]
}

/** Unbiased estimate from `successes` of `n` of the chance that `k` trials in a row pass; 0 if `k` is more than `successes`. */
export function passHatK(successes: number, n: number, k: number): number {
  let chance = 1
  for (let i = 0; i < k; i++) chance *= Math.max(0, successes - i) / (n - i)
  return k > n ? 0 : chance
}

/** Trials that must pass. */
export function neededPasses(trials: number, passRate: number): number {
  // 0.7 of 10 is 7, although 0.7 * 10 may be a little more.
  return Math.max(0, Math.ceil(passRate * trials - 1e-9))
}

export type CountedOutcome = 'passed' | 'failed' | 'inconclusive'

/** Trials that count, by outcome. */
export type TrialCounts = Readonly<Record<CountedOutcome, number>>

/** The outcome of these trials; undefined while the rest could still change it. */
export function decide(counts: TrialCounts, planned: number, needed: number): CountedOutcome | undefined {
  const { passed, failed, inconclusive } = counts
  const done = passed + failed + inconclusive
  if (done === 0) return undefined
  if (passed >= needed) return 'passed'
  if (passed + inconclusive + (planned - done) < needed) return 'failed'
  return done >= planned ? 'inconclusive' : undefined
}

/** The figures of several trials. */
export function statistics(
  counts: TrialCounts,
  { planned, needed, rerun }: { planned: number; needed: number; rerun: number },
): TrialStatistics {
  const { passed, failed, inconclusive } = counts
  const n = passed + failed + inconclusive
  const outcome = decide(counts, planned, needed)
  return {
    n,
    passed,
    failed,
    inconclusive,
    rerun,
    planned,
    needed,
    passRate: n === 0 ? 0 : passed / n,
    ci95: wilson(passed, n),
    passHat: Object.fromEntries(Array.from({ length: n }, (_, i) => [i + 1, passHatK(passed, n, i + 1)])),
    decidedEarly: outcome !== undefined && n < planned,
  }
}

/** The chance of passing a test of several trials, if one conversation passes with a chance of `conversation`. */
export function chanceOfPassing(conversation: number, trials: number, passRate: number): number {
  const needed = neededPasses(trials, passRate)
  let sum = 0
  for (let passes = needed; passes <= trials; passes++) {
    sum += combinations(trials, passes) * conversation ** passes * (1 - conversation) ** (trials - passes)
  }
  return sum
}

function combinations(of: number, chosen: number): number {
  let product = 1
  for (let each = 0; each < chosen; each++) product = (product * (of - each)) / (each + 1)
  return product
}
