import { checkAuthentication, type AuthenticationOptions } from '../src/checks/access/checkAuthentication.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'
import { credentials, listOf, oneOf, flag } from '../src/core/validate.ts'

/**
 * Passes when every interface of the card refuses strangers as its card says, and serves who has good credentials. Sends look-ups of
 * a task that nobody has and short messages, as nobody, with malformed, random and good credentials.
 */
export const toRequireAuthentication: AsyncMatcher<[options?: AuthenticationOptions]> = defineMatcher({
  name: 'toRequireAuthentication',
  subject: 'agent',
  options: {
    credentials,
    operations: listOf(
      oneOf('getTask', 'send', 'stream', 'subscribe', 'cancelTask', 'listTasks', 'extendedCard'),
    ),
    interfaces: oneOf('all', 'first'),
    required: flag,
  },
  expected: () => 'requests that are rejected without valid credentials and served with them',
  check: checkAuthentication,
})
