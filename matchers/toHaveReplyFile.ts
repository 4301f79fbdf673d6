import { checkReplyFile } from '../src/checks/reply/checkReceivedReply.ts'
import { defineReplyMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedReplyMatcher } from '../src/runners/matcherTypes.ts'
import { either, filledText, regExp } from '../src/core/validate.ts'

const pattern = either(filledText, regExp)

/** Passes when a reply has a file with this name, media type, URL or content. Sends nothing. */
export const toHaveReplyFile: NamedReplyMatcher<'toHaveReplyFile'> = defineReplyMatcher({
  name: 'toHaveReplyFile',
  options: {
    name: pattern,
    mediaType: pattern,
    url: pattern,
    text: pattern,
    bytes: { what: 'a Uint8Array', accepts: (value) => ArrayBuffer.isView(value) },
  },
  check: checkReplyFile,
})
