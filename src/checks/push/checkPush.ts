import { finding } from '../../findings/finding.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput } from '../../client/types.ts'
import { A2AUsageError } from '../../core/errors.ts'
import { badOption } from '../../core/validate.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../types.ts'
import type { PushConfig } from '../../protocol/model.ts'
import type { Verdict } from '../verdict.ts'
import type { AskOptions } from '../reply/sendAndCheck.ts'
import { failing, verdictOn, type CheckResult } from '../checkResult.ts'
import { cardOf, cardOrResult } from '../card/cardOf.ts'
import type { Notification } from './notification.ts'
import type { Receiver } from './receiver.ts'
import type { PushRun } from './collectNotifications.ts'
import { count, isRecord, listed } from '../phrases.ts'

/** Options of `toDeliverPushNotifications()`. */
export type PushOptions = AskOptions & {
  /** The token that the agent must send in `X-A2A-Notification-Token`. Default: none. */
  token?: string
  /** The scheme and credentials that the agent must send in `Authorization`. Default: none. */
  authentication?: { scheme: string; credentials?: string }
  /** Register the receiver with the message, or in a separate request once the task is known. Default `message`. */
  register?: 'message' | 'create'
  /** Where the agent reaches the receiver; required unless the agent runs on this machine, and requires `port`. */
  publicUrl?: string
  /** The port of the receiver. Default: a free one. */
  port?: number
  /** The host that the receiver listens on. Default 127.0.0.1. */
  host?: string
  /** Longest wait for the last notification after the task has settled, in ms. Default 10 000. */
  deliveryMs?: number
  /** Send the message once more, delete that receiver meanwhile, and check that no further notification arrives. Default false. */
  checkDelete?: boolean
  /** Check even if the card does not declare push notifications. Default false. */
  force?: boolean
}

const expected = 'push notifications that are complete, in order and authenticated'

/**
 * Opens a receiver, starts a task with one message, and checks what the agent posts until the task has settled. Throws A2AUsageError
 * `NOT_DECLARED` if the card does not declare push notifications, `BAD_OPTIONS` if the agent cannot reach the receiver.
 */
export async function checkPush(
  agent: A2AAgent,
  [message, options = {}]: readonly [message: MessageInput, options?: PushOptions],
  budget: Budget,
): Promise<Verdict> {
  const { token, authentication, host, port, publicUrl } = options
  refuseUnreachable(agent, options)
  const verdict = await verdictOn({ kind: 'agent', agent }, expected, async () => {
    const undeclared = options.force === true ? undefined : await undeclaredResult(agent)
    if (undeclared !== undefined) return undeclared
    // Loaded on first use, because it brings a server.
    const { openReceiver } = await import('./receiver.ts')
    const { randomUUID } = await import('node:crypto')
    const receiver = await openReceiver({ secret: randomUUID(), host, port, publicUrl })
    try {
      const config: PushConfig = {
        url: receiver.url,
        ...(token !== undefined && { token }),
        ...(authentication !== undefined && { authentication }),
      }
      return await judge({ agent, message, receiver, config, options, budget })
    } finally {
      await receiver.close()
    }
  })
  const mine = [token, authentication?.credentials].filter((value) => value !== undefined)
  return { ...verdict, secrets: [...verdict.secrets, ...mine] }
}

function refuseUnreachable(agent: A2AAgent, { publicUrl, port }: PushOptions): void {
  const owner = 'toDeliverPushNotifications'
  if (publicUrl === undefined && !isHere(agent.url)) {
    throw badOption(
      owner,
      `the agent at ${agent.url} cannot reach a receiver on 127.0.0.1.`,
      'Pass `publicUrl`, an address where the agent can reach this machine (a tunnel, a host name), and the `port` it leads to.',
    )
  }
  if (publicUrl !== undefined && port === undefined) {
    throw badOption(owner, '`publicUrl` needs `port`, the port of this machine that it leads to.')
  }
}

/** True for an agent that can reach a receiver on 127.0.0.1. */
function isHere(url: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}

/** Undefined if the card declares push notifications; a result if there is no card. Throws `NOT_DECLARED`. */
async function undeclaredResult(agent: A2AAgent): Promise<CheckResult | undefined> {
  const read = cardOrResult(await cardOf({ kind: 'agent', agent }))
  if ('result' in read) return read.result
  const { capabilities } = read.card
  if (isRecord(capabilities) && capabilities.pushNotifications === true) return undefined
  throw new A2AUsageError(
    'NOT_DECLARED',
    'capabilities.pushNotifications is not declared in the agent card, so no notification can be expected',
    {
      fix: 'Set capabilities.pushNotifications to true once the agent has them, or pass force: true to check anyway.',
    },
  )
}

async function judge(run: PushRun): Promise<CheckResult> {
  const { register, receive, receiveAfterDelete, timesOf, alreadyFinished } =
    await import('./collectNotifications.ts')
  const { faultsOf, reportsState, stateNotReported } = await import('./pushFaults.ts')
  const { options, receiver, config } = run
  const registered = await register(run)
  if ('result' in registered) return registered.result
  const { reply, late = false } = registered
  const { task, notifications, unsettledMs } = await receive(run, registered.task, reply.dialect)
  const { deliveryMs } = timesOf(run)
  const excerpts = notificationExcerpts(notifications)
  const more = { findings: reply.findings, ...(excerpts.length > 0 && { excerpts }) }

  if (unsettledMs !== undefined) {
    const { state } = task.status
    return failing('wire/unsettled', `task ${task.id} still ${state} after ${unsettledMs} ms`, {
      ...more,
      fix: 'Make the task reach a terminal state, or raise `waitMs` if it needs longer.',
    })
  }
  if (late && !reportsState(notifications, task)) return { ...alreadyFinished(task).result, ...more }
  if (notifications.length === 0) {
    return failing('push/none', none(deliveryMs, receiver), {
      ...more,
      fix: 'Post updates of a task to the url of its config. An agent in a container cannot reach 127.0.0.1: pass `publicUrl` and `port`.',
    })
  }
  const faults = faultsOf(notifications, { task, config, dialect: reply.dialect })
  const unknown = faults.some(({ id }) => id === 'push/payload' || id === 'push/task-id')
  if (!reportsState(notifications, task) && !unknown)
    faults.push(stateNotReported(notifications, task, deliveryMs))

  if (options.checkDelete === true && !faults.some(({ level }) => level === 'error')) {
    const after = await receiveAfterDelete(run)
    if ('result' in after)
      return { ...after.result, ...more, findings: [...faults, ...(after.result.findings ?? [])] }
    if (after.late.length > 0) faults.push(afterDelete(after.late.length))
  }
  return {
    ...more,
    outcome: faults.some(({ level }) => level === 'error') ? 'failed' : 'passed',
    received: `${count(notifications.length, 'notification')} of task ${task.id}, which is ${task.status.state}`,
    findings: [...reply.findings, ...faults],
  }
}

function none(deliveryMs: number, { strays }: Receiver): string {
  const kinds = [...new Set(strays)]
  const more = kinds.length === 0 ? '' : `; received instead: ${listed(kinds.slice(0, 3))}`
  return `no push notification within ${deliveryMs} ms${more}`
}

function afterDelete(late: number): Finding {
  return finding('push/after-delete', `${count(late, 'notification')} arrived after the config was deleted`)
}

/** One line per notification, without anything that could be a secret. */
function notificationExcerpts(notifications: readonly Notification[]): { label: string; text: string }[] {
  if (notifications.length === 0) return []
  const [{ at: start } = { at: 0 }] = notifications
  const lines = notifications.map(({ at, headers, event, repeated }) => {
    const what =
      event === undefined
        ? 'unreadable'
        : event.type === 'task'
          ? `task ${event.task.id} ${event.task.status.state}`
          : event.type === 'status'
            ? `status of task ${event.taskId} ${event.status.state}`
            : event.type === 'artifact'
              ? `artifact ${event.artifact.artifactId} of task ${event.taskId}`
              : 'message'
    return `+${at - start} ms  ${headers['content-type'] ?? 'no content type'}  ${what}${repeated ? ' (again)' : ''}`
  })
  const shown = lines.length > 20 ? [...lines.slice(0, 10), '…', ...lines.slice(-9)] : lines
  return [{ label: 'Push notifications received', text: shown.join('\n') }]
}
