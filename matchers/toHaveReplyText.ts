import { checkReplyText } from '../src/checks/reply/checkReceivedReply.ts'
import { defineReplyMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedReplyMatcher } from '../src/runners/matcherTypes.ts'
import { anything, flag } from '../src/core/validate.ts'

/** Passes when the text of a reply contains the string, or matches another form of `expected`. Sends nothing. */
export const toHaveReplyText: NamedReplyMatcher<'toHaveReplyText'> = defineReplyMatcher({
  name: 'toHaveReplyText',
  args: [{ name: 'expected', kind: anything, required: false }],
  options: { exact: flag },
  check: checkReplyText,
})
