import type { Reply } from '../src/client/types.ts'
import { checkReplyState } from '../src/checks/reply/checkReceivedReply.ts'
import { defineReplyMatcher } from '../src/runners/defineMatcher.ts'
import type { A2AReplyMatchers, NamedReplyMatcher } from '../src/runners/matcherTypes.ts'
import { stateOf } from '../src/checks/options.ts'
import { taskStates, type Task } from '../src/protocol/model.ts'

/** Passes when the reply, or a task from `getTask()`, is in this state. Sends nothing. */
export const toBeInTaskState: NamedReplyMatcher<'toBeInTaskState'> = defineReplyMatcher<
  Parameters<A2AReplyMatchers['toBeInTaskState']>,
  Reply | Task
>({
  name: 'toBeInTaskState',
  subject: 'reply-or-task',
  args: [{ name: 'state', kind: stateOf(taskStates) }],
  check: checkReplyState,
})
