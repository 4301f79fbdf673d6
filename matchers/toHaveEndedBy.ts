import { checkEndedBy } from '../src/checks/conversation/checkRun.ts'
import { endReasons } from '../src/transcript/endReasons.ts'
import type { ConversationRun } from '../src/transcript/types.ts'
import { defineReplyMatcher } from '../src/runners/defineMatcher.ts'
import type { A2AReplyMatchers, NamedReplyMatcher } from '../src/runners/matcherTypes.ts'
import { either, oneOf, type Kind } from '../src/core/validate.ts'

const reason = oneOf(...endReasons)
const filled: Kind = {
  what: 'an array of these',
  accepts: (value) => Array.isArray(value) && value.length > 0 && value.every((one) => reason.accepts(one)),
}

/** Passes when the conversation ended for this reason, or for one of these reasons. Sends nothing. */
export const toHaveEndedBy: NamedReplyMatcher<'toHaveEndedBy'> = defineReplyMatcher<
  Parameters<A2AReplyMatchers['toHaveEndedBy']>,
  ConversationRun
>({
  name: 'toHaveEndedBy',
  subject: 'conversation',
  args: [{ name: 'reason', kind: either(reason, filled) }],
  check: checkEndedBy,
})
