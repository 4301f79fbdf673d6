import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply } from '../../client/types.ts'
import { waitForTask } from '../../client/wait/waitForTask.ts'
import { systemClock } from '../../core/clock.ts'
import type { Budget } from '../../runners/types.ts'
import { isActive, isTerminal, type Dialect, type PushConfig, type Task } from '../../protocol/model.ts'
import { limits, pollingOf, sendOptions } from '../reply/sendAndCheck.ts'
import { failing, type Facts } from '../checkResult.ts'
import type { PushOptions } from './checkPush.ts'
import { describeReply } from '../reply/describeReply.ts'
import { quote } from '../phrases.ts'
import { tells } from './pushFaults.ts'
import { readNotifications, type Notification } from './notification.ts'
import type { Receiver } from './receiver.ts'

/** What one run needs. */
export interface Stage {
  agent: A2AAgent
  message: MessageInput
  receiver: Receiver
  config: PushConfig
  options: PushOptions
  budget: Budget
}

/** A task that has a receiver. */
export interface Registered {
  reply: Reply
  task: Task
  /** How the agent keeps the config, where it was created by itself. */
  kept?: PushConfig
  /** The task had settled when its receiver was registered, or right after: that nothing comes says nothing then. */
  late?: boolean
}

/** How long the receiver stays open for stragglers once the end was told, in ms. */
const lingerMs = 100

/** Sends the message and registers the receiver, with it or for the task that it starts; or the facts that say why there is none. */
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
  if (task === undefined) return unable(`${describeReply(reply)}, and so no task to be told of`)
  if (task.id === '') return unable('the task has no id, so that nothing can be said of its notifications')
  if (inline) return { reply, task }

  if (isTerminal(task.status.state)) return tooLate(task)
  const force = options.force ?? false
  const kept = await agent.pushConfigs.create(task.id, config, { ...limits(budget), force })
  if (kept.url !== config.url) {
    return {
      facts: otherConfig(`the agent keeps the url ${quote(kept.url)} in place of ${quote(config.url)}`),
    }
  }
  const now = await agent.getTask(task.id, limits(budget))
  return { reply, task: now, kept, late: !isActive(now.status.state) }
}

/** What came, and what it was about. */
export interface Course {
  task: Task
  notifications: Notification[]
  /** How long the task went on in ms, when it did so until the wait ended. */
  unsettledMs?: number
}

/** Follows a task by what comes in, and by look-ups, until it has settled and the end was told, or should have been. */
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

/** The waits of a run, in ms. */
export function timesOf({ agent, options }: Stage): { deliveryMs: number; waitMs: number } {
  const { deliveryMs = 10_000, waitMs = agent.options.waitMs ?? 60_000 } = options
  return { deliveryMs, waitMs }
}

/** What came for a task after its receiver was deleted; or the facts that say why nothing can be seen of that. */
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
      facts: otherConfig(`the config that came with the message is not among those of task ${task.id}`),
    }
  }
  await agent.pushConfigs.delete(task.id, id, within)
  const from = receiver.arrivals.length
  const now = await agent.getTask(task.id, limits(budget))
  if (!isActive(now.status.state)) {
    return unable(`the second task, ${task.id}, finished before its receiver was deleted`)
  }
  const quiet: Stage = {
    ...stage,
    options: { ...options, deliveryMs: Math.min(timesOf(stage).deliveryMs, 1000) },
  }
  const { task: last, notifications } = await receive(quiet, now, reply.dialect, from)
  if (isActive(last.status.state)) return unable(`the second task, ${task.id}, did not finish in time`)
  // One that was under way when the receiver was deleted tells what was so before.
  return { late: notifications.filter((one) => settles(one)) }
}

/** Nothing can be said of the notifications of a task that ended too early. */
export function tooLate({ id }: Task): { facts: Facts } {
  return unable(`task ${id} finished before its receiver was registered`)
}

function unable(received: string): { facts: Facts } {
  return {
    facts: {
      outcome: 'error',
      received,
      fix: 'Give a message that starts a task, one that takes the agent a while.',
    },
  }
}

function otherConfig(received: string): Facts {
  return failing('push/config', received, {
    fix: 'Keep the push notification config as the client gives it, and list it by its task.',
  })
}
