import { checkArtifact } from '../src/checks/reply/checkReceivedReply.ts'
import { defineReplyMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedReplyMatcher } from '../src/runners/matcherTypes.ts'
import { anything, either, filledText, regExp } from '../src/core/validate.ts'

/** Passes when a reply has an artifact with this name or id, and its text or data matches `expected`. Sends nothing. */
export const toHaveArtifact: NamedReplyMatcher<'toHaveArtifact'> = defineReplyMatcher({
  name: 'toHaveArtifact',
  args: [
    { name: 'name', kind: either(filledText, regExp) },
    { name: 'expected', kind: anything, required: false },
  ],
  check: checkArtifact,
})
