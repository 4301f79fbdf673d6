import type { CardOptions } from '../src/card/types.ts'
import type { DeadlineOption } from '../src/checks/checkResult.ts'
import { checkCard } from '../src/checks/card/checkCard.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'
import { filledText, listOf, oneOf, recordOf } from '../src/core/validate.ts'

/** Passes when a card is found and no rule errs. Sends only the GETs of discovery. */
export const toHaveValidAgentCard: AsyncMatcher<[options?: CardOptions & DeadlineOption]> = defineMatcher({
  name: 'toHaveValidAgentCard',
  subject: 'agent-or-card',
  options: {
    rules: recordOf(oneOf('off', 'note', 'warning', 'error')),
    failOn: oneOf('error', 'warning', 'never'),
    version: oneOf('0.1', '0.2', '0.3', '1.0'),
    bindings: listOf(filledText),
  },
  expected: () => 'an agent card without errors',
  check: checkCard,
})
