import { nearest } from '../core/nearest.ts'
import {
  anything,
  checkOptions,
  filledText,
  listOf,
  oneOf,
  recordOf,
  type Kind,
  type OptionsSpec,
} from '../core/validate.ts'
import { rules } from './rules/index.ts'
import type { CardContext, CardOptions } from './types.ts'

const level = oneOf('off', 'note', 'warning', 'error')
const levels = recordOf(level, "an object such as { 'card/skill-tags': 'off' }")
const ruleLevels: Kind = {
  ...levels,
  inner(value) {
    const ids = rules.map(({ id }) => id)
    const stray = Object.keys(value as object).find((id) => !ids.includes(id))
    if (stray === undefined) return levels.inner?.(value)
    const near = nearest(stray, ids) ?? nearest(`card/${stray}`, ids)
    return {
      path: '',
      message: `has "${stray}", which is not a card rule.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
      fix: 'See docs/rules.md for all rules.',
    }
  },
}

/** What `toHaveValidAgentCard()` and `checkAgentCard()` take. */
export const cardOptions: Record<keyof CardOptions, Kind> = {
  rules: ruleLevels,
  failOn: oneOf('error', 'warning', 'never'),
  version: oneOf('0.1', '0.2', '0.3', '1.0'),
  bindings: {
    what: "a non-empty array such as ['JSONRPC', 'HTTP+JSON']",
    accepts: (value) => Array.isArray(value) && value.length > 0,
    inner: (value) => listOf(filledText).inner?.(value),
  },
}
const context: Record<keyof CardContext, Kind> = {
  typedUrl: anything,
  cardUrl: anything,
  response: anything,
  served: anything,
  trustedOrigins: anything,
}
const allOptions: OptionsSpec = { ...cardOptions, ...context }

/** Checks the options of `checkAgentCard()`. Throws A2AUsageError `BAD_OPTIONS` that names the option, the value and what is allowed. */
export function checkCardOptions(options: CardOptions & CardContext): void {
  checkOptions('checkAgentCard', options, allOptions)
}
