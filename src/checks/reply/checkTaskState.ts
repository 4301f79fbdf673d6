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

/** A state in which a task can settle. */
export type SettledState = Exclude<TaskState, 'submitted' | 'working' | 'unknown'>

/** The states in which a task can settle. */
export const settledStates: readonly SettledState[] = [
  'completed',
  'input-required',
  'auth-required',
  'failed',
  'canceled',
  'rejected',
]

/** Sends one message and checks in which state its task settles. Throws A2AUsageError `BAD_OPTIONS` for a state in which no task settles. */
export async function checkTaskState(
  agent: A2AAgent,
  [message, state, options = {}]: readonly [message: MessageInput, state: SettledState, options?: AskOptions],
  budget: Budget,
): Promise<Verdict> {
  readState(state, settledStates, 'toReachTaskState')
  return ask(agent, message, options, budget, `a task that settles in state ${state}`, (reply) => {
    if (reply.kind === 'message') {
      return failing('reply/no-task', `${describeReply(reply)}, which is not a task`)
    }
    const received = describeReply(reply)
    // The wait has its own finding.
    if (reply.unsettled) return { outcome: 'failed', received }
    return reply.state === state ? { outcome: 'passed', received } : failing('reply/task-state', received)
  })
}

/** Rejects a word that is not such a state, and suggests the right one. Throws A2AUsageError `BAD_OPTIONS`. */
export function readState(given: unknown, allowed: readonly TaskState[], matcher: string): void {
  if (allowed.includes(given as TaskState)) return
  const word = String(given).replace(/^TASK_STATE_/i, '')
  const active = taskStates.includes(word as TaskState)
  const why = active
    ? `a task does not settle in state ${quote(word)}`
    : `there is no task state ${quote(String(given))}`
  const hint = active ? '' : didYouMean(word, allowed)
  throw new A2AUsageError('BAD_OPTIONS', `${why}.${hint}`, {
    fix: `Pass ${matcher}() one of ${allowed.join(', ')}.`,
  })
}
