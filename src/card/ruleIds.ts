import { nearest } from '../core/nearest.ts'
import { badOption } from '../core/validate.ts'
import { rules } from './rules/index.ts'
import type { CardOptions } from './types.ts'

/**
 * Checks that the option `rules` names card rules. Apart from the other options, because it loads all rules.
 * Throws A2AUsageError `BAD_OPTIONS` with the nearest id.
 */
export function checkRuleIds(owner: string, levels: CardOptions['rules'] = {}): void {
  const ids = rules.map(({ id }) => id)
  const stray = Object.keys(levels).find((id) => !ids.includes(id))
  if (stray === undefined) return
  const near = nearest(stray, ids) ?? nearest(`card/${stray}`, ids)
  throw badOption(
    owner,
    `\`rules\` has "${stray}", which is not a card rule.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    'See docs/rules.md for all rules.',
  )
}
