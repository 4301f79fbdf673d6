import { checkEndpointCard, type EndpointCardOptions } from '../src/checks/web/checkEndpointCard.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'

/** Passes when GET at the endpoint returns the published card. Sends that GET; no message. */
export const toAnswerCardAtEndpoint: AsyncMatcher<[options?: EndpointCardOptions]> = defineMatcher({
  name: 'toAnswerCardAtEndpoint',
  subject: 'agent',
  expected: () => 'the agent card as the answer to GET at the endpoint',
  check: checkEndpointCard,
})
