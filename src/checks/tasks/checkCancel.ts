import { finding } from '../../findings/finding.ts'
import { waitForTask } from '../../client/wait/waitForTask.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply } from '../../client/types.ts'
import { systemClock } from '../../core/clock.ts'
import { isReplyError, type A2AReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../../runners/types.ts'
import { isTerminal, type Task, type TaskState } from '../../protocol/model.ts'
import type { Verdict } from '../../core/verdict.ts'
import { limits, pollingOf, sendOptions, type AskOptions } from '../reply/sendAndCheck.ts'
import { failing, verdictOn, type Facts } from '../checkResult.ts'
import { describeReply } from '../reply/describeReply.ts'
import { count } from '../phrases.ts'

/** Options of `toCancelTask()`. */
export type CancelOptions = Omit<AskOptions, 'waitMs'> & {
  /** Longest time from the answer of cancel until the task is canceled in ms. Default 5000. */
  cancelMs?: number
  /** How long the task must at least stay canceled in ms; it is looked at once more then. Default 200. */
  stayMs?: number
  /** A refusal (TaskNotCancelableError) while the task goes on passes, too. Default false. */
  allowRefusal?: boolean
}

const expected = 'a running task that can be canceled and stays canceled'
const taskNotFound = -32001
const taskNotCancelable = -32002

/**
 * Sends one message without waiting, cancels the task that it starts, and looks whether it stays canceled. A task that ends by
 * itself before that leaves nothing to be said of the agent.
 */
export async function checkCancel(
  agent: A2AAgent,
  [message, options = {}]: readonly [message: MessageInput, options?: CancelOptions],
  budget: Budget,
): Promise<Verdict> {
  return verdictOn({ kind: 'agent', agent }, expected, async () => {
    const reply = await agent.send(message, { ...sendOptions(options, budget), noWait: true })
    const facts = await cancelTaskOf(reply, agent, options, budget)
    return { ...facts, findings: [...reply.findings, ...(facts.findings ?? [])] }
  })
}

async function cancelTaskOf(
  reply: Reply,
  agent: A2AAgent,
  options: CancelOptions,
  budget: Budget,
): Promise<Facts> {
  const { task } = reply
  if (task === undefined) return unable(`${describeReply(reply)}, and so no task to cancel`)
  if (task.id === '') return unable('the task has no id by which it could be canceled')
  const { state } = task.status
  if (isTerminal(state)) return tooLate(task)

  let answered: Task
  try {
    answered = await agent.cancelTask(task.id, limits(budget))
  } catch (error) {
    if (!isReplyError(error) || error.rpcCode !== taskNotCancelable) throw error
    return refusal(error, await agent.getTask(task.id, limits(budget)), options)
  }
  const name = reply.dialect === '1.0' ? 'CancelTask' : 'tasks/cancel'
  if (answered.status.state === 'completed') return tooLate(answered)
  if (answered.status.state === 'canceled') return staysCanceled(answered, agent, options, budget)

  const said = `${name} returned state ${answered.status.state}`
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
        : `; the task ended ${last.status.state} then`
      : `; the task is still ${last.status.state} after ${ms} ms and ${count(polls, 'poll')}`
    return failing('cancel/not-canceled', `${said}; expected canceled or TaskNotCancelableError${then}`, {
      fix: 'Let cancel stop the work, write the state canceled, and answer with the task in that state.',
    })
  }
  const facts = await staysCanceled(last, agent, options, budget)
  const late: Finding = finding('cancel/late', `${said}; the task was canceled ${ms} ms later`)
  return { ...facts, findings: [...(facts.findings ?? []), late] }
}

/** Looks once more: the work may go on behind a task that is canceled, and end it otherwise. */
async function staysCanceled(
  { id }: Task,
  agent: A2AAgent,
  { stayMs = 200 }: CancelOptions,
  budget: Budget,
): Promise<Facts> {
  await systemClock.sleep(stayMs, budget.signal)
  let state: TaskState
  try {
    state = (await agent.getTask(id, limits(budget))).status.state
  } catch (error) {
    if (!isReplyError(error) || error.rpcCode !== taskNotFound) throw error
    return { outcome: 'passed', received: `task ${id} was canceled`, findings: [gone(id)] }
  }
  if (state === 'canceled') return { outcome: 'passed', received: `task ${id} was canceled and stays so` }
  return failing('cancel/undone', `task ${id} was canceled, but ${stayMs} ms later it is ${state}`, {
    fix: 'Stop the work when a task is canceled, and let no later update change a terminal state.',
  })
}

function gone(id: string): Finding {
  return finding('cancel/gone', `task ${id} is not found (-32001) any more after it was canceled`)
}

function refusal(error: A2AReplyError, now: Task, { allowRefusal = false }: CancelOptions): Facts {
  if (isTerminal(now.status.state)) return tooLate(now)
  const received = `the agent refused to cancel task ${now.id}, which is ${now.status.state}: ${error.message}`
  if (allowRefusal) return { outcome: 'passed', received }
  return failing('cancel/refused', received, {
    fix: 'Let the agent cancel its tasks while they go on, or pass `allowRefusal: true`.',
  })
}

function tooLate({ id, status }: Task): Facts {
  const how = status.state === 'completed' ? '' : ` (state ${status.state})`
  return unable(`task ${id} finished before it could be canceled${how}`)
}

function unable(received: string): Facts {
  return {
    outcome: 'error',
    received,
    fix: 'Give a message whose task takes the agent longer; it must also heed that we do not wait for the end.',
  }
}
