import { addFindings } from '../../findings/addFindings.ts'
import { finding } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import { isTerminal, type Dialect, type PushConfig, type Task } from '../../protocol/model.ts'
import { count, listed, quote } from '../phrases.ts'
import { statusOf, taskIdOf, type Notification } from './notification.ts'
import { faultsOfProof } from './authenticationFaults.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'

const source = 'A2A 0.3 §9.5, A2A 1.0 §4.3.3'

/** What the notifications are compared with. */
export interface Expectation {
  /** The task as fetched at the end. */
  task: Task
  config: Pick<PushConfig, 'token' | 'authentication'>
  dialect: Dialect
}

/** The faults in the notifications of one task: form, sender, content and order. */
export function faultsOf(
  notifications: readonly Notification[],
  { task, config, dialect }: Expectation,
): Finding[] {
  const found: Finding[] = []
  for (const { findings } of notifications) addFindings(found, findings)
  const readable = notifications.filter(({ event }) => event !== undefined)
  return [
    ...found,
    ...contentTypes(notifications, dialect),
    ...faultsOfProof(notifications, config, dialect),
    ...otherTasks(readable, task),
    ...order(readable.filter(({ repeated }) => !repeated)),
    // Unreadable notifications may have contained them.
    ...(readable.length === notifications.length ? artifacts(readable, task) : []),
  ]
}

/** True if a notification reported the current state of the task. */
export function reportsState(notifications: readonly Notification[], { id, status }: Task): boolean {
  return notifications.some((one) => taskIdOf(one) === id && statusOf(one)?.state === status.state)
}

/** The finding for a task whose last state was never posted. */
export function stateNotReported(notifications: readonly Notification[], task: Task, ms: number): Finding {
  const states = notifications.flatMap((one) => statusOf(one)?.state ?? [])
  const last = states.length === 0 ? 'none of them has a status' : `the last one says ${states.at(-1)}`
  return finding(
    'push/incomplete',
    `task ${task.id} is ${task.status.state}, but no notification within ${ms} ms says so: of ${count(notifications.length, 'notification')} ${last}`,
    { source },
  )
}

function contentTypes(notifications: readonly Notification[], dialect: Dialect): Finding[] {
  const { mediaTypes } = profileOf(dialect).push
  const isRight = (type = ''): boolean =>
    mediaTypes.includes(type.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  const bad = notifications.find(({ headers }) => !isRight(headers['content-type']))
  if (bad === undefined) return []
  const type = bad.headers['content-type']
  return [
    finding(
      'push/content-type',
      `content-type: expected ${mediaTypes.join(' or ')}, got ${type === undefined ? 'none' : quote(type, 60)}`,
      { path: 'headers.content-type', source },
    ),
  ]
}

function otherTasks(readable: readonly Notification[], { id }: Task): Finding[] {
  const other = readable.find((one) => taskIdOf(one) !== id)
  if (other === undefined) return []
  const named = taskIdOf(other)
  const what = named === undefined || named === '' ? 'no task' : `task ${quote(named, 60)}`
  return [finding('push/task-id', `a notification for the config of task ${id} names ${what}`, { source })]
}

/** Updates after the end, or with an older timestamp than the update before. */
function order(readable: readonly Notification[]): Finding[] {
  let before: { state: string; time: number; timestamp: string | undefined } | undefined
  for (const one of readable) {
    const status = statusOf(one)
    const what = status === undefined ? `an ${one.event?.type ?? 'unknown'} update` : status.state
    const ended = before !== undefined && isTerminal(before.state as Task['status']['state'])
    if (ended && what !== before?.state) return [disorder(`${what} was posted after ${before?.state}`)]
    if (status === undefined) continue
    if (status.state === 'submitted' && before !== undefined && before.state !== 'submitted') {
      return [disorder(`submitted was posted after ${before.state}`)]
    }
    const time = status.timestamp === undefined ? NaN : Date.parse(status.timestamp)
    if (before !== undefined && time < before.time) {
      return [
        disorder(
          `${status.state} (${status.timestamp}) was posted after ${before.state} (${before.timestamp}), which is newer`,
        ),
      ]
    }
    before = { state: status.state, time, timestamp: status.timestamp }
  }
  return []
}

function disorder(message: string): Finding {
  return finding('push/order', message, { source })
}

function artifacts(readable: readonly Notification[], { artifacts: expected }: Task): Finding[] {
  const seen = new Set(
    readable.flatMap(({ event }) =>
      event?.type === 'task'
        ? event.task.artifacts.map(({ artifactId }) => artifactId)
        : event?.type === 'artifact'
          ? [event.artifact.artifactId]
          : [],
    ),
  )
  const lost = expected.filter(({ artifactId }) => !seen.has(artifactId))
  if (lost.length === 0) return []
  return [
    finding(
      'push/artifacts',
      `no notification has the artifact ${listed(lost.slice(0, 3).map(({ artifactId }) => quote(artifactId, 40)))}`,
      { source },
    ),
  ]
}
