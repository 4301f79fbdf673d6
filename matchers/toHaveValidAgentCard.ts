import { cardOptions } from '../src/card/options.ts'
import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'

/** Passes when the agent has a card that breaks no rule of its version. Sends GETs for the card. */
export const toHaveValidAgentCard: NamedMatcher<'toHaveValidAgentCard'> = defineMatcher({
  name: 'toHaveValidAgentCard',
  subject: 'agent-or-card',
  options: cardOptions,
  expected: () => 'an agent card without errors',
  load: async () => (await import('../src/checks/card/checkCard.ts')).checkCard,
})
