import { isRecord } from '../core/guards.ts'
import type { Artifact, Message, Part, Role, StreamEvent, Task, TaskStatus } from './model.ts'
import { isEmpty, type JsonObject, type WireForm } from './reading.ts'
import { exactState } from './states.ts'

/*
 * The fast path of reading: replies and events that are written exactly as their version has it, in the members that nearly all of
 * them have. Each function gives undefined for anything else, down to a single member that it does not expect; that is read in full
 * then (decode.ts). What is read here, the full reading would read alike, without a finding.
 */

/** The task of a reply. */
export function exactReply(form: WireForm, value: unknown): Task | undefined {
  const object = isExact(form) ? unwrap(form, value, 'task', 'task') : undefined
  return object === undefined ? undefined : exactTask(form.proto, object)
}

/** A chunk of an artifact or a change of state. */
export function exactEvent(form: WireForm, value: unknown): StreamEvent | undefined {
  if (!isExact(form)) return undefined
  const chunk = unwrap(form, value, 'artifactUpdate', 'artifact-update')
  if (chunk !== undefined) return exactChunk(form.proto, chunk)
  const update = unwrap(form, value, 'statusUpdate', 'status-update')
  return update === undefined ? undefined : exactStatusUpdate(form.proto, update)
}

/** True where one form alone is right: not over HTTP+JSON in 0.3, and not in 0.1, where ids are optional. */
function isExact({ version, json, proto }: WireForm): boolean {
  return version.wire.hasIds && json !== proto
}

/** What stands alone under that name (1.0), or says that it is of that kind (0.3). */
function unwrap({ proto }: WireForm, value: unknown, name: string, kind: string): JsonObject | undefined {
  if (!isRecord(value)) return undefined
  if (!proto) return value['kind'] === kind ? value : undefined
  const inner = value[name]
  if (!isRecord(inner)) return undefined
  for (const other in value) if (other !== name) return undefined
  return inner
}

function exactTask(proto: boolean, object: JsonObject): Task | undefined {
  const { id, contextId, artifacts = [], history = [] } = object
  if (!isId(id) || !isId(contextId)) return undefined
  for (const name in object) if (!taskMembers.has(name) && (proto || name !== 'kind')) return undefined
  const status = exactStatus(proto, object['status'])
  const readArtifacts = exactList(proto, artifacts, exactArtifact)
  const readHistory = exactList(proto, history, exactMessage)
  if (status === undefined || readArtifacts === undefined || readHistory === undefined) return undefined
  return { kind: 'task', id, status, artifacts: readArtifacts, history: readHistory, contextId }
}

const taskMembers: ReadonlySet<string> = new Set(['id', 'contextId', 'status', 'artifacts', 'history'])

function exactChunk(proto: boolean, object: JsonObject): StreamEvent | undefined {
  const { taskId, contextId, append = false, lastChunk = false } = object
  if (!isId(taskId) || (contextId !== undefined && !isId(contextId))) return undefined
  if (typeof append !== 'boolean' || typeof lastChunk !== 'boolean') return undefined
  const artifact = exactArtifact(proto, object['artifact'])
  if (artifact === undefined) return undefined
  for (const name in object) if (!chunkMembers.has(name) && (proto || name !== 'kind')) return undefined
  return contextId === undefined
    ? { type: 'artifact', taskId, artifact, append, lastChunk }
    : { type: 'artifact', taskId, contextId, artifact, append, lastChunk }
}

const chunkMembers: ReadonlySet<string> = new Set(['taskId', 'contextId', 'artifact', 'append', 'lastChunk'])

function exactStatusUpdate(proto: boolean, object: JsonObject): StreamEvent | undefined {
  const { taskId, contextId, final = false } = object
  if (!isId(taskId) || (contextId !== undefined && !isId(contextId))) return undefined
  if (typeof final !== 'boolean') return undefined
  const status = exactStatus(proto, object['status'])
  if (status === undefined) return undefined
  for (const name in object) {
    const isOfJson = !proto && (name === 'kind' || name === 'final')
    if (name !== 'taskId' && name !== 'contextId' && name !== 'status' && !isOfJson) return undefined
  }
  return contextId === undefined
    ? { type: 'status', taskId, status, final }
    : { type: 'status', taskId, contextId, status, final }
}

const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

function exactStatus(proto: boolean, value: unknown): TaskStatus | undefined {
  if (!isRecord(value)) return undefined
  const state = exactState(value['state'], proto)
  if (state === undefined) return undefined
  const status: TaskStatus = { state }
  for (const name in value) {
    if (name === 'message') {
      const message = exactMessage(proto, value[name])
      if (message === undefined) return undefined
      status.message = message
    } else if (name === 'timestamp') {
      const timestamp = value[name]
      if (typeof timestamp !== 'string' || !utcTime.test(timestamp) || Number.isNaN(Date.parse(timestamp)))
        return undefined
      status.timestamp = timestamp
    } else if (name !== 'state') return undefined
  }
  return status
}

function exactMessage(proto: boolean, value: unknown): Message | undefined {
  if (!isRecord(value) || (!proto && value['kind'] !== 'message')) return undefined
  const { messageId, contextId, taskId } = value
  const role = exactRole(proto, value['role'])
  const parts = exactList(proto, value['parts'], exactPart)
  if (!isId(messageId) || role === undefined || parts === undefined || parts.length === 0) return undefined
  for (const name in value) if (!messageMembers.has(name) && (proto || name !== 'kind')) return undefined
  const message: Message = { kind: 'message', messageId, role, parts }
  if (contextId !== undefined) {
    if (!isId(contextId)) return undefined
    message.contextId = contextId
  }
  if (taskId !== undefined) {
    if (!isId(taskId)) return undefined
    message.taskId = taskId
  }
  return message
}

const messageMembers: ReadonlySet<string> = new Set(['messageId', 'role', 'parts', 'contextId', 'taskId'])

function exactRole(proto: boolean, value: unknown): Role | undefined {
  if (value === (proto ? 'ROLE_AGENT' : 'agent')) return 'agent'
  return value === (proto ? 'ROLE_USER' : 'user') ? 'user' : undefined
}

function exactArtifact(proto: boolean, value: unknown): Artifact | undefined {
  if (!isRecord(value)) return undefined
  const { artifactId, name } = value
  const parts = exactList(proto, value['parts'], exactPart)
  if (!isId(artifactId) || parts === undefined || (name !== undefined && !isId(name))) return undefined
  for (const member in value)
    if (member !== 'artifactId' && member !== 'parts' && member !== 'name') return undefined
  return name === undefined ? { artifactId, parts } : { artifactId, parts, name }
}

function exactPart(proto: boolean, value: unknown): Part | undefined {
  if (!isRecord(value)) return undefined
  const { text, data, kind } = value
  for (const name in value)
    if (name !== 'text' && name !== 'data' && (proto || name !== 'kind')) return undefined
  if (typeof text === 'string' && data === undefined && (proto || kind === 'text'))
    return { kind: 'text', text }
  const isData = isRecord(data) && !isEmpty(data) && text === undefined
  return isData && (proto || kind === 'data') ? { kind: 'data', data } : undefined
}

function exactList<T>(
  proto: boolean,
  value: unknown,
  read: (proto: boolean, item: unknown) => T | undefined,
): T[] | undefined {
  if (!Array.isArray(value)) return undefined
  const list: T[] = []
  for (const item of value as unknown[]) {
    const one = read(proto, item)
    if (one === undefined) return undefined
    list.push(one)
  }
  return list
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
