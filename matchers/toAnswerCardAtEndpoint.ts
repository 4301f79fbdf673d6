import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'

/** Passes when GET at the endpoint returns the published card. Sends that GET; no message. */
export const toAnswerCardAtEndpoint: NamedMatcher<'toAnswerCardAtEndpoint'> = defineMatcher({
  name: 'toAnswerCardAtEndpoint',
  subject: 'agent',
  expected: () => 'the agent card as the answer to GET at the endpoint',
  load: async () => (await import('../src/checks/web/checkEndpointCard.ts')).checkEndpointCard,
})
