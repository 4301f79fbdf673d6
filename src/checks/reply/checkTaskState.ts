import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput } from '../../client/types.ts'
import { A2AUsageError } from '../../core/errors.ts'
import type { Budget } from '../../runners/types.ts'
import { taskStates, type TaskState } from '../../protocol/model.ts'
import type { Verdict } from '../../core/verdict.ts'
import { ask, type AskOptions } from './sendAndCheck.ts'
import { failing } from '../checkResult.ts'
import { describeReply } from './describeReply.ts'
import { didYouMean, quote } from '../phrases.ts'

/** A state in which a task can come to rest. */
export type SettledState = Exclude<TaskState, 'submitted' | 'working' | 'unknown'>

/** The states in which a task can come to rest. */
export const settledStates: readonly SettledState[] = [
  'completed',
  'input-required',
  'auth-required',
  'failed',
  'canceled',
  'rejected',
]

/** Sends one message and looks where its task settles. Throws A2AUsageError `BAD_OPTIONS` for a state in which none does. */
export async function checkTaskState(
  agent: A2AAgent,
  [message, state, options = {}]: readonly [message: MessageInput, state: SettledState, options?: AskOptions],
  budget: Budget,
): Promise<Verdict> {
  readState(state, settledStates, 'toReachTaskState')
  return ask(agent, message, options, budget, `a task that settles in state ${state}`, (reply) => {
    if (reply.kind === 'message') {
      return failing('reply/no-task', `${describeReply(reply)}, and so no task`)
    }
    const received = describeReply(reply)
    // The wait has left its own finding.
    if (reply.unsettled) return { outcome: 'failed', received }
    return reply.state === state ? { outcome: 'passed', received } : failing('reply/task-state', received)
  })
}

/** Refuses a word that is no such state, and names the right one. Throws A2AUsageError `BAD_OPTIONS`. */
export function readState(given: unknown, allowed: readonly TaskState[], matcher: string): void {
  if (allowed.includes(given as TaskState)) return
  const word = String(given).replace(/^TASK_STATE_/i, '')
  const active = taskStates.includes(word as TaskState)
  const why = active
    ? `a task does not settle in state ${quote(word)}`
    : `there is no task state ${quote(String(given))}`
  const hint = active ? '' : didYouMean(word, allowed)
  throw new A2AUsageError('BAD_OPTIONS', `${why}.${hint}`, {
    fix: `Give ${matcher}() one of ${allowed.join(', ')}.`,
  })
}
