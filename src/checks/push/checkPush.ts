import { finding } from '../../findings/finding.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput } from '../../client/types.ts'
import { A2AUsageError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../../runners/types.ts'
import type { PushConfig } from '../../protocol/model.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { AskOptions } from '../reply/sendAndCheck.ts'
import { failing, verdictOn, type Facts } from '../checkResult.ts'
import { cardOf, cardOrFacts } from '../card/cardOf.ts'
import type { Notification } from './notification.ts'
import type { Receiver } from './receiver.ts'
import type { Stage } from './collectNotifications.ts'
import { count, isRecord, listed, quote } from '../phrases.ts'

/** Options of `toDeliverPushNotifications()`. */
export type PushOptions = AskOptions & {
  /** What the agent is told to show in `X-A2A-Notification-Token`. Default: none. */
  token?: string
  /** What the agent is told to show in `Authorization`. Default: none. */
  authentication?: { scheme: string; credentials?: string }
  /** Register the receiver with the message, or by a request of its own once the task is known. Default `message`. */
  register?: 'message' | 'create'
  /** Where the agent reaches the receiver; needed unless the agent runs on this machine, and needs `port`. */
  publicUrl?: string
  /** Port of the receiver. Default: a free one. */
  port?: number
  /** Host that the receiver listens at. Default 127.0.0.1. */
  host?: string
  /** Longest wait for the notification of the end, after the task has settled, in ms. Default 10 000. */
  deliveryMs?: number
  /** Send the message once more, delete that receiver meanwhile, and see that nothing comes any more. Default false. */
  checkDelete?: boolean
  /** Go on where the card does not declare push notifications. Default false. */
  force?: boolean
}

const expected = 'push notifications that are complete, in order and from the agent'

/**
 * Opens a receiver, lets one message start a task, and judges what the agent posts until that has settled. Throws A2AUsageError
 * `NOT_DECLARED` where the card does not declare push notifications, `BAD_OPTIONS` where the agent cannot reach the receiver.
 */
export async function checkPush(
  agent: A2AAgent,
  [message, options = {}]: readonly [message: MessageInput, options?: PushOptions],
  budget: Budget,
): Promise<Verdict> {
  const { token, authentication, host, port, publicUrl } = options
  refuseWrong(agent, options)
  const verdict = await verdictOn({ kind: 'agent', agent }, expected, async () => {
    const undeclared = options.force === true ? undefined : await undeclaredFacts(agent)
    if (undeclared !== undefined) return undeclared
    // Loads a server with the first receiver.
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

function refuseWrong(agent: A2AAgent, { publicUrl, port, authentication }: PushOptions): void {
  const wrong = (message: string, fix: string): never => {
    throw new A2AUsageError('BAD_OPTIONS', message, { fix })
  }
  if (port !== undefined && port > 65_535) {
    wrong(`the option port of toDeliverPushNotifications is ${port}.`, 'Give a port from 1 to 65535.')
  }
  if (authentication !== undefined && !isAuthentication(authentication)) {
    wrong(
      'the option authentication of toDeliverPushNotifications needs a scheme, such as "Bearer", and takes credentials besides.',
      "Write authentication: { scheme: 'Bearer', credentials: '…' }.",
    )
  }
  if (publicUrl === undefined) {
    if (isHere(agent.url)) return
    wrong(
      `the agent at ${agent.url} cannot reach a receiver on 127.0.0.1.`,
      'Pass publicUrl, an address at which the agent reaches this machine (a tunnel, a host name), and port, to which that leads.',
    )
  } else if (!isHttp(publicUrl)) {
    wrong(
      `the option publicUrl of toDeliverPushNotifications is ${quote(publicUrl)}, which is no http(s) URL.`,
      'Give an address such as https://my-tunnel.example.com.',
    )
  } else if (port === undefined) {
    wrong(
      'the option publicUrl of toDeliverPushNotifications needs the option port.',
      'Give the port to which publicUrl leads.',
    )
  }
}

function isAuthentication({ scheme, credentials, ...rest }: Record<string, unknown>): boolean {
  const isScheme = typeof scheme === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(scheme)
  const areCredentials = credentials === undefined || (typeof credentials === 'string' && credentials !== '')
  return isScheme && areCredentials && Object.keys(rest).length === 0
}

/** True for an agent that finds this machine's own receiver at 127.0.0.1. */
function isHere(url: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

/** Undefined where the card declares push notifications; the facts where there is no card. Throws `NOT_DECLARED`. */
async function undeclaredFacts(agent: A2AAgent): Promise<Facts | undefined> {
  const read = cardOrFacts(await cardOf({ kind: 'agent', agent }))
  if ('facts' in read) return read.facts
  const { capabilities } = read.card
  if (isRecord(capabilities) && capabilities.pushNotifications === true) return undefined
  throw new A2AUsageError(
    'NOT_DECLARED',
    'capabilities.pushNotifications is not declared in the agent card, so that no notification can be expected',
    {
      fix: 'Set capabilities.pushNotifications to true once the agent has them, or pass force: true to look all the same.',
    },
  )
}

async function judge(stage: Stage): Promise<Facts> {
  const { register, receive, receiveAfterDelete, timesOf, tooLate } =
    await import('./collectNotifications.ts')
  const { faultsOf, tells, untold } = await import('./pushFaults.ts')
  const { options, receiver, config } = stage
  const registered = await register(stage)
  if ('facts' in registered) return registered.facts
  const { reply, late = false } = registered
  const { task, notifications, unsettledMs } = await receive(stage, registered.task, reply.dialect)
  const { deliveryMs } = timesOf(stage)
  const excerpts = told(notifications)
  const more = { findings: reply.findings, ...(excerpts.length > 0 && { excerpts }) }

  if (unsettledMs !== undefined) {
    const { state } = task.status
    return failing('wire/unsettled', `task ${task.id} still ${state} after ${unsettledMs} ms`, {
      ...more,
      fix: 'Let the task reach a terminal state, or raise waitMs when it needs longer.',
    })
  }
  if (late && !tells(notifications, task)) return { ...tooLate(task).facts, ...more }
  if (notifications.length === 0) {
    return failing('push/none', none(deliveryMs, receiver), {
      ...more,
      fix: 'Post the news of a task to the url of its config. An agent in a container does not reach 127.0.0.1: pass publicUrl and port.',
    })
  }
  const faults = faultsOf(notifications, { task, config, dialect: reply.dialect })
  const unknown = faults.some(({ id }) => id === 'push/payload' || id === 'push/task-id')
  if (!tells(notifications, task) && !unknown) faults.push(untold(notifications, task, deliveryMs))

  if (options.checkDelete === true && !faults.some(({ level }) => level === 'error')) {
    const after = await receiveAfterDelete(stage)
    if ('facts' in after)
      return { ...after.facts, ...more, findings: [...faults, ...(after.facts.findings ?? [])] }
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
  const more = kinds.length === 0 ? '' : `; what came instead: ${listed(kinds.slice(0, 3))}`
  return `no push notification within ${deliveryMs} ms${more}`
}

function afterDelete(late: number): Finding {
  return finding('push/after-delete', `${count(late, 'notification')} came after the config was deleted`)
}

/** One line a notification, without anything that could be a secret. */
function told(notifications: readonly Notification[]): { label: string; text: string }[] {
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
