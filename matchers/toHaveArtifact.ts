import type { Expected } from '../src/checks/reply/expectedValue.ts'
import { checkArtifact } from '../src/checks/reply/checkReceivedReply.ts'
import { defineReplyMatcher, type ReplyMatcher } from '../src/runners/defineMatcher.ts'
import { anything, either, filledText, regExp } from '../src/core/validate.ts'
import type { Artifact } from '../src/protocol/model.ts'

/** Passes when a reply has an artifact with this name or id, and its text or data matches `expected`. Sends nothing. */
export const toHaveArtifact: ReplyMatcher<[name: string | RegExp, expected?: Expected<Artifact>]> =
  defineReplyMatcher({
    name: 'toHaveArtifact',
    args: [
      { name: 'name', kind: either(filledText, regExp) },
      { name: 'expected', kind: anything, required: false },
    ],
    check: checkArtifact,
  })
