import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply } from '../../client/types.ts'
import { waitForTask } from '../../client/wait/waitForTask.ts'
import { systemClock } from '../../core/clock.ts'
import type { Budget } from '../types.ts'
import { isActive, isTerminal, type Dialect, type PushConfig, type Task } from '../../protocol/model.ts'
import { limits, pollingOf, sendOptions } from '../reply/sendAndCheck.ts'
import { failing, type CheckResult } from '../checkResult.ts'
import type { PushOptions } from './checkPush.ts'
import { describeReply } from '../reply/describeReply.ts'
import { quote } from '../phrases.ts'
import { reportsState } from './pushFaults.ts'
import { readNotifications, type Notification } from './notification.ts'
import type { Receiver } from './receiver.ts'

/** What collecting the notifications of one task needs. */
export interface PushRun {
  agent: A2AAgent
  message: MessageInput
  receiver: Receiver
  config: PushConfig
  options: PushOptions
  budget: Budget
}

/** A task with a registered receiver. */
export interface Registered {
  reply: Reply
  task: Task
  /** The config as the agent keeps it, if it was created in a separate request. */
  kept?: PushConfig
  /** True if the task had settled when its receiver was registered, or right after: missing notifications prove nothing then. */
  late?: boolean
}

/** How long the receiver stays open for late notifications after the last state arrived, in ms. */
const lingerMs = 100

/** Sends the message and registers the receiver, with it or for the task that it starts; or the result that says why it cannot. */
export async function register(run: PushRun): Promise<Registered | { result: CheckResult }> {
  const { agent, message, config, options, budget } = run
  const { configuration } = options
  const inline = (options.register ?? 'message') === 'message'
  const reply = await agent.send(message, {
    ...sendOptions(options, budget),
    ...(inline && { configuration: { ...configuration, pushConfig: config } }),
    noWait: true,
  })
  const { task } = reply
  if (task === undefined) return cannotCheck(`${describeReply(reply)}, so there is no task to notify about`)
  if (task.id === '') return cannotCheck('the task has no id, so its notifications cannot be checked')
  if (inline) return { reply, task }

  if (isTerminal(task.status.state)) return alreadyFinished(task)
  const force = options.force ?? false
  const kept = await agent.pushConfigs.create(task.id, config, { ...limits(budget), force })
  if (kept.url !== config.url) {
    return {
      result: otherConfig(`the agent keeps the url ${quote(kept.url)} instead of ${quote(config.url)}`),
    }
  }
  const now = await agent.getTask(task.id, limits(budget))
  return { reply, task: now, kept, late: !isActive(now.status.state) }
}

/** The notifications of one task. */
export interface Collected {
  task: Task
  notifications: Notification[]
  /** How long the task was pending in ms, if it still was when the wait ended. */
  unsettledMs?: number
}

/** Follows a task by its notifications and by polling, until it has settled and its last state was posted, or should have been. */
export async function receive(run: PushRun, first: Task, dialect: Dialect, from = 0): Promise<Collected> {
  const { agent, receiver, options, budget } = run
  const { deliveryMs, waitMs } = timesOf(run)
  const { signal } = budget
  const received = (): Notification[] => readNotifications(receiver.arrivals.slice(from), dialect)
  const { task, unsettled } = await waitForTask(first, {
    ...pollingOf(agent, first.id, budget),
    waitMs,
    async pause(ms) {
      const before = receiver.arrivals.length
      await receiver.next(ms, signal)
      const isNotified = receiver.arrivals.length > before
      // A notification of a task that continues needs no poll, unless nothing else reports the end.
      return !isNotified || options.checkDelete === true || received().some(settles)
    },
  })
  if (unsettled) return { task, notifications: received(), unsettledMs: waitMs }
  const settledAt = systemClock.now()
  while (!reportsState(received(), task)) {
    const leftMs = settledAt + deliveryMs - systemClock.now()
    if (leftMs <= 0 || !(await receiver.next(leftMs, signal))) break
  }
  if (reportsState(received(), task)) while (await receiver.next(lingerMs, signal));
  return { task, notifications: received() }
}

function settles({ event }: Notification): boolean {
  if (event === undefined) return true
  if (event.type === 'task') return !isActive(event.task.status.state)
  return event.type === 'status' && !isActive(event.status.state)
}

/** The limits of collecting, in ms. */
export function timesOf({ agent, options }: PushRun): { deliveryMs: number; waitMs: number } {
  const { deliveryMs = 10_000, waitMs = agent.options.waitMs ?? 60_000 } = options
  return { deliveryMs, waitMs }
}

/** The notifications of a task after its receiver was deleted; or the result that says why that cannot be checked. */
export async function receiveAfterDelete(
  run: PushRun,
): Promise<{ late: Notification[] } | { result: CheckResult }> {
  const { agent, receiver, config, options, budget } = run
  const registered = await register(run)
  if ('result' in registered) return registered
  const { task, reply, kept } = registered
  const force = options.force ?? false
  const within = { ...limits(budget), force }
  const configs = kept === undefined ? await agent.pushConfigs.list(task.id, within) : [kept]
  const id = configs.find(({ url }) => url === config.url)?.id
  if (id === undefined) {
    return {
      result: otherConfig(`the config sent with the message is not among the configs of task ${task.id}`),
    }
  }
  await agent.pushConfigs.delete(task.id, id, within)
  const from = receiver.arrivals.length
  const now = await agent.getTask(task.id, limits(budget))
  if (!isActive(now.status.state)) {
    return cannotCheck(`the second task, ${task.id}, had already finished when its receiver was deleted`)
  }
  const quiet: PushRun = {
    ...run,
    options: { ...options, deliveryMs: Math.min(timesOf(run).deliveryMs, 1000) },
  }
  const { task: last, notifications } = await receive(quiet, now, reply.dialect, from)
  if (isActive(last.status.state)) return cannotCheck(`the second task, ${task.id}, did not finish in time`)
  // A notification that was under way when the receiver was deleted reports an earlier state.
  return { late: notifications.filter((one) => settles(one)) }
}

/** The result for a task that ended too early for its notifications to be checked. */
export function alreadyFinished({ id }: Task): { result: CheckResult } {
  return cannotCheck(`task ${id} had already finished when its receiver was registered`)
}

function cannotCheck(received: string): { result: CheckResult } {
  return {
    result: {
      outcome: 'error',
      received,
      fix: 'Pass a message that starts a task which takes the agent a while.',
    },
  }
}

function otherConfig(received: string): CheckResult {
  return failing('push/config', received, {
    fix: 'Keep the push notification config as the client sent it, and list it by its task.',
  })
}
