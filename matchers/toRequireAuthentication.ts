import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { credentials, listOf, oneOf, flag } from '../src/core/validate.ts'

/**
 * Passes when every interface rejects unauthenticated requests as the card declares, and accepts valid credentials.
 * Sends lookups of a task that does not exist, and short messages: without credentials, with malformed and random ones, and
 * with valid ones.
 */
export const toRequireAuthentication: NamedMatcher<'toRequireAuthentication'> = defineMatcher({
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
  load: async () => (await import('../src/checks/access/checkAuthentication.ts')).checkAuthentication,
})
