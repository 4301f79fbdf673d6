import { checkEndedBy } from '../src/checks/conversation/checkRun.ts'
import { endReasons } from '../src/transcript/endReasons.ts'
import type { ConversationRun, EndReason } from '../src/transcript/types.ts'
import { defineReplyMatcher, type ReplyMatcher } from '../src/runners/defineMatcher.ts'
import { either, listOf, oneOf, type Kind } from '../src/core/validate.ts'

const reason = oneOf(...endReasons)
const filled: Kind = {
  what: 'a list of such reasons',
  accepts: (value) => Array.isArray(value) && value.length > 0 && listOf(reason).accepts(value),
}

/** Passes when a conversation ended for this reason, or for one of these. Sends nothing. */
export const toHaveEndedBy: ReplyMatcher<[reason: EndReason | readonly EndReason[]]> = defineReplyMatcher<
  [reason: EndReason | readonly EndReason[]],
  ConversationRun
>({
  name: 'toHaveEndedBy',
  subject: 'conversation',
  args: [{ name: 'the reason', kind: either(reason, filled) }],
  check: checkEndedBy,
})
