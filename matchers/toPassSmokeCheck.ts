import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { smokeOptions } from '../src/checks/options.ts'

/** Passes when one message is answered with some text, by a Message or by a Task that does not fail. Sends one message. */
export const toPassSmokeCheck: NamedMatcher<'toPassSmokeCheck'> = defineMatcher({
  name: 'toPassSmokeCheck',
  subject: 'agent',
  options: smokeOptions,
  expected: () => 'a working reply: a Message or a Task with some text',
  load: async () => (await import('../src/checks/reply/checkSmoke.ts')).checkSmoke,
})
