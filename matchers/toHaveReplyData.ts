import { checkReplyData } from '../src/checks/reply/checkReceivedReply.ts'
import { defineReplyMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedReplyMatcher } from '../src/runners/matcherTypes.ts'
import { anything } from '../src/core/validate.ts'

/** Passes when a data part of a reply, or the array of all of them, matches `expected`. Sends nothing. */
export const toHaveReplyData: NamedReplyMatcher<'toHaveReplyData'> = defineReplyMatcher({
  name: 'toHaveReplyData',
  args: [{ name: 'expected', kind: anything, required: false }],
  check: checkReplyData,
})
