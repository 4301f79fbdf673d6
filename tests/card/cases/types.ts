import type { CardContext, CardOptions } from '../../../src/card/types.ts'
import type { Level } from '../../../src/core/finding.ts'

/** A breach of a rule, and the same card put right. */
interface Case {
  broken: unknown
  repaired: unknown
  level: Level
  says: string
  /** Where the broken card came from; `local` unless said. */
  from?: CardContext & CardOptions
  /** Where the repaired card came from; as the broken one unless said. */
  repairedFrom?: CardContext & CardOptions
}

/** By the id of the rule: at least one breach of each. */
export type Cases = Record<string, Case | Case[]>
