import { A2AReplyError } from '../core/errors.ts'
import type { Decoded } from '../findings/types.ts'
import { isRecord } from '../core/guards.ts'
import { exactEvent, exactReply } from './exact.ts'
import type { Message, StreamEvent, Task } from './model.ts'
import { badReply, isEmpty, own, quote, Reading, type JsonObject, type WireForm } from './reading.ts'
import {
  noteKind,
  noteMissingId,
  readArtifact,
  readContextId,
  readMessage,
  readStatus,
  readTask,
} from './shapes.ts'
import type { Operation } from './versions/profile.ts'
import { operationName } from './versions/profiles.ts'

type Shape = 'task' | 'message' | 'status-update' | 'artifact-update'
type Wanted = 'reply' | 'task' | 'event'

/** The members that wrap a value, in 1.0 and over HTTP+JSON in 0.3, and what each holds. */
const wrappers: readonly [string, Shape][] = [
  ['task', 'task'],
  ['message', 'message'],
  ['statusUpdate', 'status-update'],
  ['artifactUpdate', 'artifact-update'],
]
const wrapperOf = new Map<Shape, string>(wrappers.map(([name, shape]) => [shape, name]))
const shapes: ReadonlySet<unknown> = new Set(wrappers.map(([, shape]) => shape))
const deepestWrapping = 2

/** Reads what `send` was answered with, whatever version's form it has. Throws A2AReplyError `BAD_REPLY`. */
export function decodeReply(form: WireForm, value: unknown): Decoded<Message | Task> {
  const exact = exactReply(form, value)
  if (exact !== undefined) return { value: exact, findings: [] }
  const reading = new Reading(form)
  const found = find(reading, value, 'reply')
  if (found.shape === 'message') {
    if (!form.version.wire.repliesWithMessages) {
      const message = `${operationName('send', form)} was answered with a message (${form.dialect} answers with a task)`
      reading.note('wire/reply-kind', found.path, message)
    }
    return { value: readAnswer(reading, found), findings: reading.findings }
  }
  if (found.shape !== 'task')
    throw badReply('wire/reply-shape', `the result is ${article(found.shape)}, neither a Message nor a Task`)
  return { value: readTask(reading, found.object, found.path), findings: reading.findings }
}

/** Reads what `getTask` or `cancelTask` was answered with. Throws A2AReplyError `BAD_REPLY`. */
export function decodeTask(
  form: WireForm,
  value: unknown,
  operation: 'getTask' | 'cancelTask' = 'getTask',
): Decoded<Task> {
  const reading = new Reading(form)
  const found = find(reading, value, 'task', operation)
  if (found.shape !== 'task') {
    throw badReply(
      'wire/reply-shape',
      `${operationName(operation, form)} was answered with ${article(found.shape)} (expected a task)`,
    )
  }
  return { value: readTask(reading, found.object, found.path), findings: reading.findings }
}

/** Reads one event of a stream. Throws A2AReplyError `BAD_REPLY`. */
export function decodeEvent(form: WireForm, value: unknown): Decoded<StreamEvent> {
  const exact = exactEvent(form, value)
  if (exact !== undefined) return { value: exact, findings: [] }
  const reading = new Reading(form)
  const found = find(reading, value, 'event')
  return { value: readEvent(reading, found), findings: reading.findings }
}

function readEvent(reading: Reading, found: Found): StreamEvent {
  const { object, path } = found
  if (found.shape === 'task') return { type: 'task', task: readTask(reading, object, path) }
  if (found.shape === 'message') return { type: 'message', message: readAnswer(reading, found) }
  noteKind(reading, object, found.shape, path)
  // 0.1 calls the task's id `id`.
  const taskId = reading.string(object, 'taskId', path) ?? reading.string(object, 'id', path) ?? ''
  if (taskId === '') noteMissingId(reading, 'taskId', found.shape.replace('-', ' '), path)
  const contextId = readContextId(reading, object, path)
  const ids = contextId === undefined ? { taskId } : { taskId, contextId }
  if (found.shape === 'status-update') {
    const status = readStatus(reading, own(object, 'status'), `${path}.status`, 'status update')
    return { type: 'status', ...ids, status, final: own(object, 'final') === true }
  }
  const inner = own(object, 'artifact')
  if (!isRecord(inner)) throw badReply('wire/no-artifact', 'the artifact update has no artifact')
  // In 0.1 these two stand in the artifact itself.
  const isSet = (name: string): boolean =>
    reading.member(object, name, path) === true || reading.member(inner, name, `${path}.artifact`) === true
  const artifact = readArtifact(reading, inner, `${path}.artifact`, '0')
  return { type: 'artifact', ...ids, artifact, append: isSet('append'), lastChunk: isSet('lastChunk') }
}

/** Reads a message that is the answer: the user's own words given back are none. */
function readAnswer(reading: Reading, found: Found): Message {
  const message = readMessage(reading, found.object, found.path, false)
  if (message.role === 'user') throw badReply('wire/role', 'the reply has role user')
  return message
}

interface Found {
  shape: Shape
  object: JsonObject
  path: string
}

/** Finds the value under at most two wrappers, and notes wrappers that do not belong there. */
function find(reading: Reading, value: unknown, wanted: Wanted, operation: Operation = 'getTask'): Found {
  const trail: string[] = []
  let here = value
  let path = reading.root
  let hint: Shape | undefined
  for (;;) {
    if (isEmpty(here)) throw badReply('wire/reply-empty', emptyText(wanted))
    if (!isRecord(here)) throw badReply('wire/reply-shape', neitherText(wanted, here))
    const inside = wrappedIn(reading, here, path)
    const shape = shapeOf(reading, here, wanted, hint) ?? (inside.length === 0 ? hint : undefined)
    if (shape !== undefined) {
      noteWrapping(reading, wanted, shape, trail, operation)
      return { shape, object: here, path }
    }
    if (inside.length > 1) throw badReply('wire/reply-shape', severalText(wanted, inside))
    if (Object.hasOwn(here, 'jsonrpc') && isRecord(own(here, 'error'))) throw nestedError(here['error'])
    const name = inside[0] ?? (isEmpty(own(here, 'result')) ? undefined : 'result')
    if (name === undefined || trail.length === deepestWrapping)
      throw badReply('wire/reply-shape', neitherText(wanted, here))
    trail.push(name)
    hint = wrappers.find(([wrapper]) => wrapper === name)?.[1]
    here = reading.member(here, name, path)
    path = `${path}.${name}`
  }
}

function wrappedIn(reading: Reading, object: JsonObject, path: string): string[] {
  const found: string[] = []
  for (const [name] of wrappers) {
    const value = reading.member(object, name, path)
    if (isRecord(value) && !isEmpty(value)) found.push(name)
  }
  return found
}

/** Tells what an object is: by its `kind`, else by its members, since many servers leave `kind` out. */
function shapeOf(
  reading: Reading,
  object: JsonObject,
  wanted: Wanted,
  hint: Shape | undefined,
): Shape | undefined {
  const kind = own(object, 'kind')
  if (shapes.has(kind)) return kind as Shape
  if (isRecord(own(object, 'artifact'))) return 'artifact-update'
  const status = own(object, 'status')
  const hasId = own(object, 'id') !== undefined
  if (isRecord(status) || (typeof status === 'string' && hasId)) {
    if (hint === 'status-update') return hint
    const isUpdate = own(object, 'taskId') ?? own(object, 'task_id') ?? own(object, 'final')
    if (!isEmpty(isUpdate)) return hasId && wanted !== 'event' ? 'task' : 'status-update'
    // A bare id and status in a stream is an update where streams hold no task.
    const isBare = !['artifacts', 'sessionId', 'history'].some((name) => !isEmpty(own(object, name)))
    const isUpdateInStream = wanted === 'event' && isBare && !reading.form.version.wire.streamsTasks
    return isUpdateInStream ? 'status-update' : 'task'
  }
  if (Array.isArray(own(object, 'parts')) || Array.isArray(own(object, 'content'))) return 'message'
  const isMessage = typeof own(object, 'role') === 'string' || typeof own(object, 'messageId') === 'string'
  return isMessage ? 'message' : undefined
}

function noteWrapping(
  reading: Reading,
  wanted: Wanted,
  shape: Shape,
  trail: string[],
  operation: Operation,
): void {
  const { form } = reading
  const wrapper = wrapperOf.get(shape) ?? ''
  const isBare = trail.length === 0
  const isWrapped = trail.length === 1 && trail[0] === wrapper
  const allowsWrapped = form.proto && wanted !== 'task'
  const allowsBare = form.json || wanted === 'task'
  if ((isBare && allowsBare) || (isWrapped && allowsWrapped)) return
  const got = isBare
    ? `a bare ${shape.replace('-', ' ')}`
    : trail.reduceRight((inner, name) => `{"${name}": ${inner}}`, '…')
  const source = form.version.sources.replies
  reading.note('wire/wrapping', reading.root, `${ruleText(form, wanted, operation)}, got ${got}`, { source })
}

function ruleText(form: WireForm, wanted: Wanted, operation: Operation): string {
  if (wanted === 'task') return `${operationName(operation, form)} result must be the task itself`
  const { wrapsReplies, repliesWithMessages } = form.version.wire
  if (wanted === 'event') {
    return wrapsReplies
      ? `a stream event must be {"task"}, {"message"}, {"statusUpdate"} or {"artifactUpdate"} in ${form.dialect}`
      : `a stream event must be the task, message or update itself in ${form.dialect}`
  }
  const rule = wrapsReplies
    ? '{"task"} or {"message"}'
    : `the task${repliesWithMessages ? ' or the message' : ''} itself`
  return `${operationName('send', form)} result must be ${rule} in ${form.dialect}`
}

function emptyText(wanted: Wanted): string {
  if (wanted === 'task') return 'result is empty: no task'
  return wanted === 'event'
    ? 'event is empty: no task, no message and no update'
    : 'result is empty: no task and no message'
}

function neitherText(wanted: Wanted, value: unknown): string {
  if (wanted === 'task') return `the result is no Task: ${quote(value)}`
  return wanted === 'event'
    ? `the event is neither a Task, a Message nor an update: ${quote(value)}`
    : `the result is neither a Message nor a Task: ${quote(value)}`
}

function severalText(wanted: Wanted, names: string[]): string {
  if (wanted === 'event') return `the event has both ${names.map(quote).join(' and ')}`
  return `the result has both ${names.map((name) => `a ${name}`).join(' and ')}`
}

function article(shape: Shape): string {
  return `${shape === 'artifact-update' ? 'an' : 'a'} ${shape.replace('-', ' ')}`
}

function nestedError(error: unknown): A2AReplyError {
  const body = error as JsonObject
  const code = own(body, 'code')
  const text = `the result holds a JSON-RPC error: ${quote(own(body, 'message') ?? '')} (${quote(code)})`
  return new A2AReplyError('BAD_REPLY', text, {
    finding: 'rpc/nested-error',
    ...(typeof code === 'number' ? { rpcCode: code } : {}),
    data: own(body, 'data'),
  })
}
