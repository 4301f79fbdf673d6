import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { anything, flag, type Kind } from '../src/core/validate.ts'
import { message } from '../src/client/checkCall.ts'
import { multiTurnOptions } from '../src/checks/options.ts'

const messages: Kind = {
  what: 'an array of at least 2 messages, each a string or an array of strings and parts',
  accepts: (value) =>
    Array.isArray(value) && value.length >= 2 && value.every((each) => message.accepts(each)),
}

/** Passes when messages sent one after the other stay in one context, and the last reply matches `expected`. Sends all of them. */
export const toKeepContext: NamedMatcher<'toKeepContext'> = defineMatcher({
  name: 'toKeepContext',
  subject: 'agent',
  args: [
    { name: 'messages', kind: messages },
    { name: 'expected', kind: anything, required: false },
  ],
  options: { exact: flag, ...multiTurnOptions },
  expected: ([all]) => `one context over ${all.length} messages`,
  load: async () => (await import('../src/checks/multiTurn/checkKeepContext.ts')).checkKeepContext,
})
