import type { Reply } from '../src/client/types.ts'
import { checkReplyState } from '../src/checks/reply/checkReceivedReply.ts'
import { defineReplyMatcher, type ReplyMatcher } from '../src/runners/defineMatcher.ts'
import { stateOf } from '../src/checks/options.ts'
import { taskStates, type Task, type TaskState } from '../src/protocol/model.ts'

/** Passes when the reply, or a task from `getTask()`, is in this state. Sends nothing. */
export const toBeInTaskState: ReplyMatcher<[state: TaskState]> = defineReplyMatcher<
  [state: TaskState],
  Reply | Task
>({
  name: 'toBeInTaskState',
  subject: 'reply-or-task',
  args: [{ name: 'state', kind: stateOf(taskStates) }],
  check: checkReplyState,
})
