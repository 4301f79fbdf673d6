import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { anything, duration, flag } from '../src/core/validate.ts'
import { message } from '../src/client/checkCall.ts'
import { askOptions } from '../src/checks/options.ts'

/** Passes when one message is answered with an event stream that follows the rules of its A2A version. Sends one message, two with `sameAsSend`. */
export const toStream: NamedMatcher<'toStream'> = defineMatcher({
  name: 'toStream',
  subject: 'agent',
  args: [{ name: 'message', kind: message }],
  options: {
    expected: anything,
    incremental: flag,
    firstEventMs: duration,
    sameAsSend: flag,
    force: flag,
    ...askOptions,
  },
  expected: () => 'an event stream that follows the rules of its protocol version',
  load: async () => (await import('../src/checks/stream/checkStream.ts')).checkStream,
})
