import { cardOptions } from '../src/card/options.ts'
import type { CardOptions } from '../src/card/types.ts'
import type { DeadlineOption } from '../src/checks/checkResult.ts'
import { checkCard } from '../src/checks/card/checkCard.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'

/** Passes when the agent has a card that breaks no rule of its version. Sends GETs for the card. */
export const toHaveValidAgentCard: AsyncMatcher<[options?: CardOptions & DeadlineOption]> = defineMatcher({
  name: 'toHaveValidAgentCard',
  subject: 'agent-or-card',
  options: cardOptions,
  expected: () => 'an agent card without errors',
  check: checkCard,
})
