import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { credentials, flag } from '../src/core/validate.ts'

/**
 * Passes when the extended card is denied to anonymous callers, and is a valid card for authenticated ones.
 * Sends requests for that card; no message.
 */
export const toServeExtendedCard: NamedMatcher<'toServeExtendedCard'> = defineMatcher({
  name: 'toServeExtendedCard',
  subject: 'agent',
  options: { credentials, force: flag },
  expected: () => 'a valid extended card for authenticated callers, and none for anonymous ones',
  load: async () => (await import('../src/checks/access/checkExtendedCard.ts')).checkExtendedCard,
})
