import { isRecord } from '../core/guards.ts'
import type { Artifact, Message, Task, TaskStatus } from './model.ts'
import { readParts } from './parts.ts'
import { badReply, isEmpty, own, quote, type JsonObject, type Reading } from './reading.ts'
import { readRole } from './roles.ts'
import { readState } from './states.ts'

/** Reads a message of the agent; `inHistory` where it is only looked at, not answered with. */
export function readMessage(reading: Reading, object: JsonObject, path: string, inHistory: boolean): Message {
  noteKind(reading, object, 'message', path)
  const message: Message = {
    kind: 'message',
    messageId: reading.string(object, 'messageId', path) ?? '',
    role: readRole(reading, reading.member(object, 'role', path), `${path}.role`, inHistory),
    parts: readMessageParts(reading, object, path),
  }
  if (message.messageId === '') noteMissingId(reading, 'messageId', 'message', path)
  const contextId = reading.string(object, 'contextId', path)
  const taskId = reading.string(object, 'taskId', path)
  const referenceTaskIds = reading.strings(object, 'referenceTaskIds', path)
  const extensions = reading.strings(object, 'extensions', path)
  const metadata = reading.struct(object, 'metadata', path)
  if (contextId !== undefined) message.contextId = contextId
  if (taskId !== undefined) message.taskId = taskId
  if (referenceTaskIds !== undefined) message.referenceTaskIds = referenceTaskIds
  if (extensions !== undefined) message.extensions = extensions
  if (metadata !== undefined) message.metadata = metadata
  return message
}

function readMessageParts(reading: Reading, object: JsonObject, path: string): Message['parts'] {
  const parts = reading.member(object, 'parts', path)
  const content = reading.member(object, 'content', path)
  // An empty list may be a default beside the one that is filled.
  const useContent = content !== undefined && isEmpty(parts)
  if (useContent && !reading.form.earlyProto) {
    const message = 'the message has "content", the name of 0.3 over HTTP+JSON (expected "parts")'
    reading.note('wire/message-content', `${path}.content`, message)
  }
  const read = readParts(reading, useContent ? content : parts, `${path}.${useContent ? 'content' : 'parts'}`)
  if (read.length === 0) reading.note('wire/no-parts', path, 'the message has no parts')
  return read
}

/** Reads a task. Throws A2AReplyError `BAD_REPLY` when it has no readable status. */
export function readTask(reading: Reading, object: JsonObject, path: string): Task {
  noteKind(reading, object, 'task', path)
  const task: Task = {
    kind: 'task',
    id: reading.string(object, 'id', path) ?? '',
    status: readStatus(reading, own(object, 'status'), `${path}.status`, 'task'),
    artifacts: readItems(reading, object, 'artifacts', path).map(([artifact, at], position) =>
      readArtifact(reading, artifact, at, String(position)),
    ),
    history: readItems(reading, object, 'history', path).map(([message, at]) =>
      readMessage(reading, message, at, true),
    ),
  }
  if (task.id === '') noteMissingId(reading, 'id', 'task', path)
  const contextId = readContextId(reading, object, path)
  if (contextId !== undefined) task.contextId = contextId
  else if (reading.form.version.wire.requiresContextId) noteMissingId(reading, 'contextId', 'task', path)
  const metadata = reading.struct(object, 'metadata', path)
  if (metadata !== undefined) task.metadata = metadata
  return task
}

/** The conversation's id: `contextId`, or `sessionId` as 0.1 calls it. */
export function readContextId(reading: Reading, object: JsonObject, path: string): string | undefined {
  const contextId = reading.string(object, 'contextId', path)
  if (contextId !== undefined) return contextId
  const sessionId = reading.string(object, 'sessionId', path)
  if (sessionId !== undefined && reading.form.version.wire.contextName !== 'sessionId') {
    const message = '"sessionId" is the name of 0.1 (expected "contextId")'
    reading.note('wire/session-id', `${path}.sessionId`, message)
  }
  return sessionId
}

/** Reads the status of a task or of an update. Throws A2AReplyError `BAD_REPLY` without a readable state. */
export function readStatus(reading: Reading, value: unknown, path: string, owner: string): TaskStatus {
  if (value === undefined || value === null) throw badReply('wire/no-status', `the ${owner} has no status`)
  if (!isRecord(value))
    throw badReply(
      'wire/no-status',
      `the status of the ${owner} is ${quote(value)}, not an object with a state`,
    )
  const status: TaskStatus = {
    state: readState(reading, reading.member(value, 'state', path), `${path}.state`),
  }
  const message = reading.member(value, 'message', path) ?? own(value, 'update')
  if (isRecord(message) && !isEmpty(message)) {
    status.message = readMessage(reading, message, `${path}.message`, false)
  } else if (typeof message === 'string' && message !== '') {
    reading.note(
      'wire/status-message',
      `${path}.message`,
      'the status message is a bare string (expected a message)',
    )
    status.message = {
      kind: 'message',
      messageId: '',
      role: 'agent',
      parts: [{ kind: 'text', text: message }],
    }
  }
  const timestamp = readTimestamp(reading, reading.member(value, 'timestamp', path), `${path}.timestamp`)
  if (timestamp !== undefined) status.timestamp = timestamp
  return status
}

/** As sent; an odd one is only noted. 0.1 and 0.3 know no zone rule, 1.0 wants RFC 3339 in UTC. */
function readTimestamp(reading: Reading, value: unknown, path: string): string | undefined {
  if (value === undefined || value === '') return undefined
  const { wire, sources } = reading.form.version
  const isReadable = typeof value === 'string' && !Number.isNaN(Date.parse(value))
  const hasZone = typeof value === 'string' && /(?:z|[+-]\d\d:?\d\d)$/i.test(value)
  if (!isReadable || (wire.timestampNeedsZone && !hasZone)) {
    reading.note('wire/timestamp', path, `timestamp ${quote(value)} is not ${wire.timestamp}`, {
      source: sources.timestamps,
    })
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Reads an artifact; `position` names it where it has neither an id, nor an index, nor a name. */
export function readArtifact(reading: Reading, object: JsonObject, path: string, position: string): Artifact {
  const index = own(object, 'index')
  const name = reading.string(object, 'name', path)
  const id = reading.string(object, 'artifactId', path)
  if (id === undefined) noteMissingId(reading, 'artifactId', 'artifact', path)
  const artifact: Artifact = {
    artifactId: id ?? (Number.isInteger(index) ? String(index) : (name ?? position)),
    parts: readParts(reading, reading.member(object, 'parts', path), `${path}.parts`),
  }
  const description = reading.string(object, 'description', path)
  const extensions = reading.strings(object, 'extensions', path)
  const metadata = reading.struct(object, 'metadata', path)
  if (name !== undefined) artifact.name = name
  if (description !== undefined) artifact.description = description
  if (extensions !== undefined) artifact.extensions = extensions
  if (metadata !== undefined) artifact.metadata = metadata
  return artifact
}

/** Notes a `kind` that 0.3 over JSON-RPC requires and lacks, or one in 1.0, which has none. */
export function noteKind(reading: Reading, object: JsonObject, kind: string, path: string): void {
  const found = own(object, 'kind')
  const { dialect, proto, version } = reading.form
  const { partTag } = version.wire
  const noun = kind.replace('-', ' ')
  if (partTag === 'kind' && !proto && found !== kind) {
    const what = isEmpty(found) ? 'has no kind' : `has kind ${quote(found)}`
    reading.note('wire/kind-missing', path, `the ${noun} ${what} (${dialect} requires kind "${kind}")`)
  } else if (partTag === 'none' && !isEmpty(found)) {
    reading.note(
      'wire/kind-extra',
      path,
      `the ${noun} carries kind ${quote(found)}, which ${dialect} does not have`,
    )
  }
}

/** Notes an id that the version requires; 0.1 has ids for tasks only. */
export function noteMissingId(reading: Reading, name: string, owner: string, path: string): void {
  const { dialect, version } = reading.form
  if (!version.wire.hasIds && name !== 'id') return
  reading.note('wire/missing-id', path, `the ${owner} has no ${name}, which ${dialect} requires`)
}

/** The objects of a list, each with its path. */
export function readItems(
  reading: Reading,
  owner: JsonObject,
  name: string,
  path: string,
): [JsonObject, string][] {
  const value = reading.member(owner, name, path)
  if (value === undefined || value === '') return []
  const list = Array.isArray(value) ? value : [value]
  if (list !== value) reading.note('wire/list-type', `${path}.${name}`, `${name} is not an array`)
  const items: [JsonObject, string][] = []
  list.forEach((item: unknown, index) => {
    const at = `${path}.${name}[${index}]`
    if (isRecord(item)) items.push([item, at])
    else reading.note('wire/list-type', at, `${name} holds ${quote(item)} (expected objects)`)
  })
  return items
}
