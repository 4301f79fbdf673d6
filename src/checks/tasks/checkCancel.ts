import { finding } from '../../findings/finding.ts'
import { waitForTask } from '../../client/wait/waitForTask.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply } from '../../client/types.ts'
import { systemClock } from '../../core/clock.ts'
import { isReplyError, type A2AReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../types.ts'
import { isTerminal, type Task, type TaskState } from '../../protocol/model.ts'
import { operationName } from '../../protocol/versions/profiles.ts'
import type { Verdict } from '../verdict.ts'
import { limits, pollingOf, sendOptions, type AskOptions } from '../reply/sendAndCheck.ts'
import { failing, verdictOn, type CheckResult } from '../checkResult.ts'
import { describeReply } from '../reply/describeReply.ts'
import { count } from '../phrases.ts'

/** Options of `toCancelTask()`. */
export type CancelOptions = Omit<AskOptions, 'waitMs'> & {
  /** Longest time from the answer to cancel until the task is canceled, in ms. Default 5000. */
  cancelMs?: number
  /** How long the task must stay canceled, in ms; it is then fetched once more. Default 200. */
  stayMs?: number
  /** Refusing to cancel a running task (TaskNotCancelableError) passes as well. Default false. */
  allowRefusal?: boolean
}

const expected = 'a running task that can be canceled and stays canceled'
const taskNotFound = -32001
const taskNotCancelable = -32002

/**
 * Sends one message without waiting, cancels the task that it starts, and checks that it stays canceled. The check cannot be made
 * if the task ends before that.
 */
export async function checkCancel(
  agent: A2AAgent,
  [message, options = {}]: readonly [message: MessageInput, options?: CancelOptions],
  budget: Budget,
): Promise<Verdict> {
  return verdictOn({ kind: 'agent', agent }, expected, async () => {
    const reply = await agent.send(message, { ...sendOptions(options, budget), noWait: true })
    const result = await cancelTaskOf(reply, agent, options, budget)
    return { ...result, findings: [...reply.findings, ...(result.findings ?? [])] }
  })
}

async function cancelTaskOf(
  reply: Reply,
  agent: A2AAgent,
  options: CancelOptions,
  budget: Budget,
): Promise<CheckResult> {
  const { task } = reply
  if (task === undefined) return cannotCheck(`${describeReply(reply)}, so there is no task to cancel`)
  if (task.id === '') return cannotCheck('the task has no id, so it cannot be canceled')
  const { state } = task.status
  if (isTerminal(state)) return alreadyFinished(task)

  let answered: Task
  try {
    answered = await agent.cancelTask(task.id, limits(budget))
  } catch (error) {
    if (!isReplyError(error) || error.rpcCode !== taskNotCancelable) throw error
    return refusal(error, await agent.getTask(task.id, limits(budget)), options)
  }
  const name = operationName('cancelTask', { dialect: reply.dialect })
  if (answered.status.state === 'completed') return alreadyFinished(answered)
  if (answered.status.state === 'canceled') return staysCanceled(answered, agent, options, budget)

  const answerText = `${name} returned state ${answered.status.state}`
  const { cancelMs = 5000 } = options
  const {
    task: last,
    polls,
    ms,
  } = await waitForTask(answered, {
    ...pollingOf(agent, answered.id, budget),
    waitMs: cancelMs,
    isPending: (state) => !isTerminal(state),
  })
  if (last.status.state !== 'canceled') {
    const then = isTerminal(last.status.state)
      ? polls === 0
        ? ''
        : `; the task then ended in state ${last.status.state}`
      : `; the task is still ${last.status.state} after ${ms} ms and ${count(polls, 'poll')}`
    return failing(
      'cancel/not-canceled',
      `${answerText}; expected canceled or TaskNotCancelableError${then}`,
      {
        fix: 'Stop the work on cancel, set the state to canceled, and return the task in that state.',
      },
    )
  }
  const result = await staysCanceled(last, agent, options, budget)
  const late: Finding = finding('cancel/late', `${answerText}; the task was canceled ${ms} ms later`)
  return { ...result, findings: [...(result.findings ?? []), late] }
}

/** Fetches the task once more: the work may continue behind a canceled task, and change its state. */
async function staysCanceled(
  { id }: Task,
  agent: A2AAgent,
  { stayMs = 200 }: CancelOptions,
  budget: Budget,
): Promise<CheckResult> {
  await systemClock.sleep(stayMs, budget.signal)
  let state: TaskState
  try {
    state = (await agent.getTask(id, limits(budget))).status.state
  } catch (error) {
    if (!isReplyError(error) || error.rpcCode !== taskNotFound) throw error
    return { outcome: 'passed', received: `task ${id} was canceled`, findings: [gone(id)] }
  }
  if (state === 'canceled')
    return { outcome: 'passed', received: `task ${id} was canceled and stays canceled` }
  return failing('cancel/undone', `task ${id} was canceled, but ${stayMs} ms later it is ${state}`, {
    fix: 'Stop the work when a task is canceled, and reject later updates of a terminal state.',
  })
}

function gone(id: string): Finding {
  return finding('cancel/gone', `task ${id} is no longer found (-32001) after it was canceled`)
}

function refusal(error: A2AReplyError, now: Task, { allowRefusal = false }: CancelOptions): CheckResult {
  if (isTerminal(now.status.state)) return alreadyFinished(now)
  const received = `the agent refused to cancel task ${now.id}, which is ${now.status.state}: ${error.message}`
  if (allowRefusal) return { outcome: 'passed', received }
  return failing('cancel/refused', received, {
    fix: 'Make running tasks cancelable, or pass `allowRefusal: true`.',
  })
}

function alreadyFinished({ id, status }: Task): CheckResult {
  const how = status.state === 'completed' ? '' : ` (state ${status.state})`
  return cannotCheck(`task ${id} finished before it could be canceled${how}`)
}

function cannotCheck(received: string): CheckResult {
  return {
    outcome: 'error',
    received,
    fix: 'Pass a message whose task takes longer. The agent must also return the task before it is done if the client does not want to wait.',
  }
}
