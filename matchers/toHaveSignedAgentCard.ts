import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import {
  bytes,
  countingNumber,
  either,
  filledText,
  flag,
  listOf,
  record,
  secret,
} from '../src/core/validate.ts'

const key = secret(either(filledText, record))

/** Passes when enough signatures of the card are valid. Sends GETs for the card, and one for each key set that may be fetched. */
export const toHaveSignedAgentCard: NamedMatcher<'toHaveSignedAgentCard'> = defineMatcher({
  name: 'toHaveSignedAgentCard',
  subject: 'agent-or-card',
  options: {
    keys: either(key, listOf(key)),
    jwks: secret(record),
    secret: secret(either(filledText, bytes)),
    allowJku: either(flag, listOf(filledText)),
    minimum: countingNumber,
  },
  expected: () => 'an agent card with a valid signature',
  load: async () => (await import('../src/checks/card/checkSignedCard.ts')).checkSignedCard,
})
