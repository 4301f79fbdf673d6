import type { MessageInput, Reply } from '../src/client/types.ts'
import type { Expected } from '../src/checks/reply/expectedValue.ts'
import { checkKeepContext, type KeepContextOptions } from '../src/checks/multiTurn/checkKeepContext.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'
import { anything, truth, type Kind } from '../src/core/validate.ts'
import { message } from './askOptions.ts'
import { multiTurnOptions } from './messageOptions.ts'

const messages: Kind = {
  what: 'a list of at least 2 messages, each a text or a list of texts and parts',
  accepts: (value) =>
    Array.isArray(value) && value.length >= 2 && value.every((each) => message.accepts(each)),
}

/** Passes when messages that are sent in turn stay in one context, and the last reply is as expected. Sends all of them. */
export const toKeepContext: AsyncMatcher<
  [messages: readonly MessageInput[], expected?: Expected<Reply>, options?: KeepContextOptions]
> = defineMatcher({
  name: 'toKeepContext',
  subject: 'agent',
  args: [
    { name: 'messages', kind: messages },
    { name: 'expected', kind: anything, required: false },
  ],
  options: { exact: truth, ...multiTurnOptions },
  expected: ([all]) => `one context over ${all.length} messages`,
  check: checkKeepContext,
})
