import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { either, filledText, fn } from '../src/core/validate.ts'
import { message } from '../src/client/checkCall.ts'
import { multiTurnOptions } from '../src/checks/options.ts'

/** Passes when a secret from one context does not leak into another. Sends three messages. */
export const toIsolateContexts: NamedMatcher<'toIsolateContexts'> = defineMatcher({
  name: 'toIsolateContexts',
  subject: 'agent',
  options: { tell: either(message, fn), ask: message, secret: filledText, ...multiTurnOptions },
  expected: () => 'a secret, sent in one context, to stay unknown in another',
  load: async () => {
    const { checkIsolateContexts } = await import('../src/checks/multiTurn/checkIsolateContexts.ts')
    return (agent, args, budget) => checkIsolateContexts(agent, args, budget)
  },
})
