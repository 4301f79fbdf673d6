import type { Reply } from '../src/client/types.ts'
import type { Expected } from '../src/checks/reply/expectedValue.ts'
import { checkReplyText } from '../src/checks/reply/checkReceivedReply.ts'
import { defineReplyMatcher, type ReplyMatcher } from '../src/runners/defineMatcher.ts'
import { anything, flag } from '../src/core/validate.ts'

/** Passes when the text of a reply contains the string, or matches another form of `expected`. Sends nothing. */
export const toHaveReplyText: ReplyMatcher<[expected?: Expected<Reply>, options?: { exact?: boolean }]> =
  defineReplyMatcher({
    name: 'toHaveReplyText',
    args: [{ name: 'expected', kind: anything, required: false }],
    options: { exact: flag },
    check: checkReplyText,
  })
