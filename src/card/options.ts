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
import type { CardContext, CardOptions } from './types.ts'

const level = oneOf('off', 'note', 'warning', 'error')
const levels = recordOf(level, "an object such as { 'card/skill-tags': 'off' }")

/** What `toHaveValidAgentCard()` and `checkAgentCard()` take. */
export const cardOptions: Record<keyof CardOptions, Kind> = {
  // Whether the ids are those of rules is checked where the rules are loaded: `checkRuleIds()`.
  rules: levels,
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
