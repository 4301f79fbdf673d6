import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { anything, flag } from '../src/core/validate.ts'
import { message } from '../src/client/checkCall.ts'
import { askOptions } from '../src/checks/options.ts'

/** Passes when the text or the data of the reply to one message matches `expected`. Sends one message. */
export const toReply: NamedMatcher<'toReply'> = defineMatcher({
  name: 'toReply',
  subject: 'agent',
  args: [
    { name: 'message', kind: message },
    { name: 'expected', kind: anything, required: false },
  ],
  options: { exact: flag, ...askOptions },
  expected: () => 'a reply',
  load: async () => (await import('../src/checks/reply/checkReply.ts')).checkReply,
})
