import { finding } from '../../findings/finding.ts'
import { isReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import { codecFor } from '../../protocol/codecs.ts'
import type { Dialect, StreamEvent, TaskStatus } from '../../protocol/model.ts'
import { isRecord, quote } from '../phrases.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'
import type { Arrival } from './receiver.ts'

/** One push notification, parsed. */
export interface Notification extends Arrival {
  /** Its content; absent if it could not be read. */
  event?: StreamEvent
  /** True if an earlier notification had the same content, as with a retry. */
  repeated: boolean
  /** Why it could not be read, or what had to be tolerated. */
  findings: Finding[]
}

const members = ['task', 'message', 'statusUpdate', 'artifactUpdate'] as const

/** Notifications are read again with each new one, so what was read is kept. */
const alreadyRead = new WeakMap<Arrival, Pick<Notification, 'event' | 'findings'>>()

/** Reads notifications of any version; `dialect` is the one of the agent's interface. */
export function readNotifications(arrivals: readonly Arrival[], dialect: Dialect): Notification[] {
  const seen = new Set<string>()
  return arrivals.map((arrival) => {
    const repeated = seen.has(arrival.body)
    seen.add(arrival.body)
    const known = alreadyRead.get(arrival) ?? read(arrival, dialect)
    alreadyRead.set(arrival, known)
    return { ...arrival, repeated, ...known }
  })
}

function read(arrival: Arrival, dialect: Dialect): Pick<Notification, 'event' | 'findings'> {
  const { body, truncated } = arrival
  if (truncated) return unreadable('is too large')
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return unreadable(body === '' ? 'has no body' : `is not JSON: ${quote(body, 60)}`)
  }
  if (!isRecord(json)) return unreadable(`is not a JSON object: ${quote(body, 60)}`)
  const isWrapped = members.some((name) => isRecord(json[name]))
  try {
    const isOwnForm = isWrapped === (profileOf(dialect).push.payload === 'event')
    const spoken = isOwnForm ? dialect : isWrapped ? '1.0' : '0.3'
    const { value, findings } = codecFor(spoken, 'JSONRPC').readEvent(json)
    return { event: value, findings: [...form(value, isWrapped, dialect), ...findings] }
  } catch (error) {
    if (!isReplyError(error)) throw error
    return unreadable(`contains neither a task nor an update: ${error.message}`)
  }
}

/** The finding for the form of another version: 0.3 posts whole tasks, 1.0 stream events. */
function form(event: StreamEvent, isWrapped: boolean, dialect: Dialect): Finding[] {
  const { push, sources, wire } = profileOf(dialect)
  const postsEvents = push.payload === 'event'
  const found = postsEvents
    ? isWrapped
      ? undefined
      : 'is a bare object as in 0.3, not one of task, message, statusUpdate and artifactUpdate'
    : isWrapped
      ? 'is wrapped as in 1.0, not a bare task'
      : event.type === 'task' || !wire.streamsTasks
        ? undefined
        : `is a bare ${event.type === 'message' ? 'message' : `${event.type} update`}, not the task`
  if (found === undefined) return []
  return [
    finding('push/form', `the notification ${found}`, {
      fix: postsEvents
        ? 'Post `{"statusUpdate": …}` and similar, as in a stream.'
        : 'Post the whole task with its new status.',
      source: sources.push,
    }),
  ]
}

function unreadable(why: string): Pick<Notification, 'findings'> {
  return {
    findings: [finding('push/payload', `the notification ${why}`)],
  }
}

/** The id of the task in a notification, if it has one. */
export function taskIdOf({ event }: Notification): string | undefined {
  if (event === undefined) return undefined
  if (event.type === 'task') return event.task.id
  return event.type === 'message' ? event.message.taskId : event.taskId
}

/** The status in a notification, if it has one. */
export function statusOf({ event }: Notification): TaskStatus | undefined {
  if (event?.type === 'task') return event.task.status
  return event?.type === 'status' ? event.status : undefined
}
