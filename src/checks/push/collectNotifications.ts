import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply } from '../../client/types.ts'
import { waitForTask } from '../../client/wait/waitForTask.ts'
import { systemClock } from '../../core/clock.ts'
import type { Budget } from '../types.ts'
import { isActive, isTerminal, type Dialect, type PushConfig, type Task } from '../../protocol/model.ts'
import { limits, pollingOf, sendOptions } from '../reply/sendAndCheck.ts'
import { failing, type Facts } from '../checkResult.ts'
import type { PushOptions } from './checkPush.ts'
import { describeReply } from '../reply/describeReply.ts'
import { quote } from '../phrases.ts'
import { tells } from './pushFaults.ts'
import { readNotifications, type Notification } from './notification.ts'
import type { Receiver } from './receiver.ts'

/** What collecting the notifications of one task needs. */
export interface Stage {
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
export async function register(stage: Stage): Promise<Registered | { facts: Facts }> {
  const { agent, message, config, options, budget } = stage
  const { configuration } = options
  const inline = (options.register ?? 'message') === 'message'
  const reply = await agent.send(message, {
    ...sendOptions(options, budget),
    ...(inline && { configuration: { ...configuration, pushConfig: config } }),
    noWait: true,
  })
  const { task } = reply
  if (task === undefined) return unable(`${describeReply(reply)}, so there is no task to notify about`)
  if (task.id === '') return unable('the task has no id, so its notifications cannot be checked')
  if (inline) return { reply, task }

  if (isTerminal(task.status.state)) return tooLate(task)
  const force = options.force ?? false
  const kept = await agent.pushConfigs.create(task.id, config, { ...limits(budget), force })
  if (kept.url !== config.url) {
    return {
      facts: otherConfig(`the agent keeps the url ${quote(kept.url)} instead of ${quote(config.url)}`),
    }
  }
  const now = await agent.getTask(task.id, limits(budget))
  return { reply, task: now, kept, late: !isActive(now.status.state) }
}

/** The notifications of one task. */
export interface Course {
  task: Task
  notifications: Notification[]
  /** How long the task was pending in ms, if it still was when the wait ended. */
  unsettledMs?: number
}

/** Follows a task by its notifications and by polling, until it has settled and its last state was posted, or should have been. */
export async function receive(stage: Stage, first: Task, dialect: Dialect, from = 0): Promise<Course> {
  const { agent, receiver, options, budget } = stage
  const { deliveryMs, waitMs } = timesOf(stage)
  const { signal } = budget
  const came = (): Notification[] => readNotifications(receiver.arrivals.slice(from), dialect)
  const { task, unsettled } = await waitForTask(first, {
    ...pollingOf(agent, first.id, budget),
    waitMs,
    async pause(ms) {
      const before = receiver.arrivals.length
      await receiver.next(ms, signal)
      const isNotified = receiver.arrivals.length > before
      // A notification of a task that continues needs no poll, unless nothing else reports the end.
      return !isNotified || options.checkDelete === true || came().some(settles)
    },
  })
  if (unsettled) return { task, notifications: came(), unsettledMs: waitMs }
  const settledAt = systemClock.now()
  while (!tells(came(), task)) {
    const leftMs = settledAt + deliveryMs - systemClock.now()
    if (leftMs <= 0 || !(await receiver.next(leftMs, signal))) break
  }
  if (tells(came(), task)) while (await receiver.next(lingerMs, signal));
  return { task, notifications: came() }
}

function settles({ event }: Notification): boolean {
  if (event === undefined) return true
  if (event.type === 'task') return !isActive(event.task.status.state)
  return event.type === 'status' && !isActive(event.status.state)
}

/** The limits of collecting, in ms. */
export function timesOf({ agent, options }: Stage): { deliveryMs: number; waitMs: number } {
  const { deliveryMs = 10_000, waitMs = agent.options.waitMs ?? 60_000 } = options
  return { deliveryMs, waitMs }
}

/** The notifications of a task after its receiver was deleted; or the result that says why that cannot be checked. */
export async function receiveAfterDelete(stage: Stage): Promise<{ late: Notification[] } | { facts: Facts }> {
  const { agent, receiver, config, options, budget } = stage
  const registered = await register(stage)
  if ('facts' in registered) return registered
  const { task, reply, kept } = registered
  const force = options.force ?? false
  const within = { ...limits(budget), force }
  const configs = kept === undefined ? await agent.pushConfigs.list(task.id, within) : [kept]
  const id = configs.find(({ url }) => url === config.url)?.id
  if (id === undefined) {
    return {
      facts: otherConfig(`the config sent with the message is not among the configs of task ${task.id}`),
    }
  }
  await agent.pushConfigs.delete(task.id, id, within)
  const from = receiver.arrivals.length
  const now = await agent.getTask(task.id, limits(budget))
  if (!isActive(now.status.state)) {
    return unable(`the second task, ${task.id}, had already finished when its receiver was deleted`)
  }
  const quiet: Stage = {
    ...stage,
    options: { ...options, deliveryMs: Math.min(timesOf(stage).deliveryMs, 1000) },
  }
  const { task: last, notifications } = await receive(quiet, now, reply.dialect, from)
  if (isActive(last.status.state)) return unable(`the second task, ${task.id}, did not finish in time`)
  // A notification that was under way when the receiver was deleted reports an earlier state.
  return { late: notifications.filter((one) => settles(one)) }
}

/** The result for a task that ended too early for its notifications to be checked. */
export function tooLate({ id }: Task): { facts: Facts } {
  return unable(`task ${id} had already finished when its receiver was registered`)
}

function unable(received: string): { facts: Facts } {
  return {
    facts: {
      outcome: 'error',
      received,
      fix: 'Pass a message that starts a task which takes the agent a while.',
    },
  }
}

function otherConfig(received: string): Facts {
  return failing('push/config', received, {
    fix: 'Keep the push notification config as the client sent it, and list it by its task.',
  })
}
