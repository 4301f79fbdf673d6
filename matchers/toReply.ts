import type { MessageInput, Reply } from '../src/client/types.ts'
import { checkReply, type ReplyOptions } from '../src/checks/reply/checkReply.ts'
import type { Expected } from '../src/checks/reply/expectedValue.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'
import { anything, flag } from '../src/core/validate.ts'
import { message } from '../src/client/checkCall.ts'
import { askOptions } from '../src/checks/options.ts'

/** Passes when the text or the data of the reply to one message matches `expected`. Sends one message. */
export const toReply: AsyncMatcher<
  [message: MessageInput, expected?: Expected<Reply>, options?: ReplyOptions]
> = defineMatcher({
  name: 'toReply',
  subject: 'agent',
  args: [
    { name: 'message', kind: message },
    { name: 'expected', kind: anything, required: false },
  ],
  options: { exact: flag, ...askOptions },
  expected: () => 'a reply',
  check: checkReply,
})
