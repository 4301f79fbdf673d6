import type { CriterionVerdict } from './types.ts'

/** The verdicts, in the order in which tables show them. */
export const verdicts: readonly CriterionVerdict[] = ['met', 'not_met', 'unknown']

/** How often each pair of verdicts was given: by label, then by what the judge said. */
export type Confusion = Record<CriterionVerdict, Record<CriterionVerdict, number>>

/** Counts pairs of a label and a verdict. */
export function confusionOf(pairs: readonly (readonly [CriterionVerdict, CriterionVerdict])[]): Confusion {
  const row = (): Record<CriterionVerdict, number> => ({ met: 0, not_met: 0, unknown: 0 })
  const table: Confusion = { met: row(), not_met: row(), unknown: row() }
  for (const [label, verdict] of pairs) table[label][verdict]++
  return table
}

/** Share of the pairs that agree; undefined without any. */
export function agreementOf(table: Confusion): number | undefined {
  const n = total(table)
  return n === 0 ? undefined : verdicts.reduce((sum, one) => sum + table[one][one], 0) / n
}

/**
 * Cohen's kappa: agreement beyond what two raters with these habits would have by chance; 1 is full agreement, 0 is chance.
 * Undefined where it says nothing: without pairs, or where both only ever give one verdict, the same.
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
