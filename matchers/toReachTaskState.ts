import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { message } from '../src/client/checkCall.ts'
import { askOptions, stateOf, settledStates } from '../src/checks/options.ts'

/** Passes when the task that one message starts settles in this state. Sends one message and waits for the task. */
export const toReachTaskState: NamedMatcher<'toReachTaskState'> = defineMatcher({
  name: 'toReachTaskState',
  subject: 'agent',
  args: [
    { name: 'message', kind: message },
    { name: 'state', kind: stateOf(settledStates) },
  ],
  options: askOptions,
  expected: ([, state]) => `a task that settles in state ${state}`,
  load: async () => (await import('../src/checks/reply/checkTaskState.ts')).checkTaskState,
})
