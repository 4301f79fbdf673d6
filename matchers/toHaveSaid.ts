import { checkHasSaid } from '../src/checks/conversation/checkRun.ts'
import type { ConversationRun } from '../src/transcript/types.ts'
import { defineReplyMatcher } from '../src/runners/defineMatcher.ts'
import type { A2AReplyMatchers, NamedReplyMatcher } from '../src/runners/matcherTypes.ts'
import { anything, countingNumber, oneOf, flag } from '../src/core/validate.ts'

/** Passes when a message of the agent (or of the user) matches `expected`; a string may be part of the message. Sends nothing. */
export const toHaveSaid: NamedReplyMatcher<'toHaveSaid'> = defineReplyMatcher<
  Parameters<A2AReplyMatchers['toHaveSaid']>,
  ConversationRun
>({
  name: 'toHaveSaid',
  subject: 'conversation',
  args: [{ name: 'expected', kind: anything }],
  options: { by: oneOf('agent', 'user'), turn: countingNumber, exact: flag },
  check: checkHasSaid,
})
