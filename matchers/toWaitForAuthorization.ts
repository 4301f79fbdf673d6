import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { anything, flag, fn, oneOf, required } from '../src/core/validate.ts'
import { message } from '../src/client/checkCall.ts'
import { multiTurnOptions, authorizedStates } from '../src/checks/options.ts'

/** Passes when the task waits for an authorization, and settles once it was granted outside A2A. Sends one message. */
export const toWaitForAuthorization: NamedMatcher<'toWaitForAuthorization'> = defineMatcher({
  name: 'toWaitForAuthorization',
  subject: 'agent',
  args: [{ name: 'message', kind: message }],
  options: {
    approve: required({ ...fn, what: 'a function that authorizes the task' }),
    state: oneOf(...authorizedStates),
    expected: anything,
    exact: flag,
    ...multiTurnOptions,
  },
  expected: () => 'a task that waits for authorization (auth-required) and settles once authorized',
  load: async () => {
    const { checkWaitForAuthorization } = await import('../src/checks/multiTurn/checkWaitForAuthorization.ts')
    return (agent, args, budget) => checkWaitForAuthorization(agent, args, budget)
  },
})
