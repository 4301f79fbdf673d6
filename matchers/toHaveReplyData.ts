import type { Reply } from '../src/client/types.ts'
import type { Expected } from '../src/checks/reply/expectedValue.ts'
import { checkReplyData } from '../src/checks/reply/checkReceivedReply.ts'
import { defineReplyMatcher, type ReplyMatcher } from '../src/runners/defineMatcher.ts'
import { anything } from '../src/core/validate.ts'

/** Passes when a data part of a reply, or the array of all of them, matches `expected`. Sends nothing. */
export const toHaveReplyData: ReplyMatcher<[expected?: Expected<Reply>]> = defineReplyMatcher({
  name: 'toHaveReplyData',
  args: [{ name: 'expected', kind: anything, required: false }],
  check: checkReplyData,
})
