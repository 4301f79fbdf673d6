import type { MessageInput } from '../src/client/types.ts'
import type { AskOptions } from '../src/checks/reply/sendAndCheck.ts'
import { checkTaskState, type SettledState } from '../src/checks/reply/checkTaskState.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'
import { filledText } from '../src/core/validate.ts'
import { askOptions, message } from './askOptions.ts'

/** Passes when the task that one message starts settles in this state. Sends one message, and polls the task. */
export const toReachTaskState: AsyncMatcher<
  [message: MessageInput, state: SettledState, options?: AskOptions]
> = defineMatcher({
  name: 'toReachTaskState',
  subject: 'agent',
  args: [
    { name: 'message', kind: message },
    { name: 'state', kind: filledText },
  ],
  options: askOptions,
  expected: ([, state]) => `a task that settles in state ${state}`,
  check: checkTaskState,
})
