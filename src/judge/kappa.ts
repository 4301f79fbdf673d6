import type { CriterionVerdict } from './types.ts'

/** The verdicts, in the order of tables. */
export const verdicts: readonly CriterionVerdict[] = ['met', 'not_met', 'unknown']

/** How often each pair of verdicts occurred: by label, then by the judge's verdict. */
export type Confusion = Record<CriterionVerdict, Record<CriterionVerdict, number>>

/** Counts pairs of a label and a verdict. */
export function confusionOf(pairs: readonly (readonly [CriterionVerdict, CriterionVerdict])[]): Confusion {
  const row = (): Record<CriterionVerdict, number> => ({ met: 0, not_met: 0, unknown: 0 })
  const table: Confusion = { met: row(), not_met: row(), unknown: row() }
  for (const [label, verdict] of pairs) table[label][verdict]++
  return table
}

/** The share of pairs that agree; undefined without pairs. */
export function agreementOf(table: Confusion): number | undefined {
  const n = total(table)
  return n === 0 ? undefined : verdicts.reduce((sum, one) => sum + table[one][one], 0) / n
}

/**
 * Cohen's kappa: agreement beyond what two raters with these frequencies reach by chance; 1 is full agreement, 0 is chance.
 * Undefined without pairs, and if both only give one verdict, the same.
 */
export function kappaOf(table: Confusion): number | undefined {
  const n = total(table)
  const agreed = agreementOf(table)
  if (agreed === undefined) return undefined
  const byChance = verdicts.reduce((sum, one) => {
    const labelled = verdicts.reduce((all, other) => all + table[one][other], 0)
    const said = verdicts.reduce((all, other) => all + table[other][one], 0)
    return sum + (labelled / n) * (said / n)
  }, 0)
  return byChance >= 1 ? undefined : (agreed - byChance) / (1 - byChance)
}

function total(table: Confusion): number {
  return verdicts.reduce((sum, row) => sum + verdicts.reduce((all, one) => all + table[row][one], 0), 0)
}
