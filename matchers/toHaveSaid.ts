import { checkHasSaid, type HaveSaidOptions } from '../src/checks/conversation/checkRun.ts'
import type { Expected } from '../src/checks/reply/expectedValue.ts'
import type { ConversationRun, TranscriptEntry } from '../src/transcript/types.ts'
import { defineReplyMatcher, type ReplyMatcher } from '../src/runners/defineMatcher.ts'
import { anything, countingNumber, oneOf, flag } from '../src/core/validate.ts'

/** Passes when a message of the agent (or of the user) matches `expected`; a string may be part of the message. Sends nothing. */
export const toHaveSaid: ReplyMatcher<[expected: Expected<TranscriptEntry>, options?: HaveSaidOptions]> =
  defineReplyMatcher<[expected: Expected<TranscriptEntry>, options?: HaveSaidOptions], ConversationRun>({
    name: 'toHaveSaid',
    subject: 'conversation',
    args: [{ name: 'expected', kind: anything }],
    options: { by: oneOf('agent', 'user'), turn: countingNumber, exact: flag },
    check: checkHasSaid,
  })
