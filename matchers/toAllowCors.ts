import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { filledText, listOf, oneOf } from '../src/core/validate.ts'

/**
 * Passes when browsers let pages of another origin call every endpoint of the card.
 * Sends preflights, lookups of a task that does not exist, and a GET for the card; no message.
 */
export const toAllowCors: NamedMatcher<'toAllowCors'> = defineMatcher({
  name: 'toAllowCors',
  subject: 'agent',
  options: {
    origin: {
      what: 'an origin such as "https://app.example.com"',
      accepts: (value) => typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value,
    },
    methods: listOf(filledText),
    headers: listOf(filledText),
    interfaces: oneOf('all', 'first'),
  },
  expected: () => 'an agent that pages of another origin can call',
  load: async () => (await import('../src/checks/web/checkCors.ts')).checkCors,
})
