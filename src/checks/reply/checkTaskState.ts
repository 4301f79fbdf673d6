import type { SettledState } from '../options.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply } from '../../client/types.ts'
import type { Budget } from '../types.ts'
import type { TaskState } from '../../protocol/model.ts'
import type { Verdict } from '../verdict.ts'
import { ask, type AskOptions } from './sendAndCheck.ts'
import { failing, type CheckResult } from '../checkResult.ts'
import { describeReply } from './describeReply.ts'

/** Sends one message and checks in which state its task settles. */
export async function checkTaskState(
  agent: A2AAgent,
  [message, state, options = {}]: readonly [message: MessageInput, state: SettledState, options?: AskOptions],
  budget: Budget,
): Promise<Verdict> {
  return ask(agent, message, options, budget, `a task that settles in state ${state}`, (reply) => {
    if (reply.kind === 'message') {
      return failing('reply/no-task', `${describeReply(reply)}, which is not a task`)
    }
    const received = describeReply(reply)
    // The wait has its own finding.
    if (reply.unsettled) return { outcome: 'failed', received }
    return stateResult(reply, state, received)
  })
}

/** Compares the state of a task. */
export function stateResult(reply: Reply, state: TaskState, received: string): CheckResult {
  if (reply.state === state) return { outcome: 'passed', received }
  return failing('reply/task-state', received, { comparison: { expected: state, actual: reply.state } })
}
