import type { CardContext, CardOptions } from '../../../src/card/types.ts'
import type { Level } from '../../../src/findings/types.ts'

/** A breach of a rule, and the repaired card. */
export interface Case {
  broken: unknown
  repaired: unknown
  level: Level
  says: string
  /** Where the broken card came from. Default: `local`. */
  from?: CardContext & CardOptions
  /** Where the repaired card came from. Default: where the broken one came from. */
  repairedFrom?: CardContext & CardOptions
}

/** By the id of the rule: at least one breach of each. */
export type Cases = Record<string, Case | Case[]>
