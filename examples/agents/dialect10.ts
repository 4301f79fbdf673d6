import { createHash } from 'node:crypto'
import {
  createEngine,
  Refusal,
  type DemoEvent,
  type DemoMessage,
  type DemoPart,
  type DemoState,
  type DemoStatus,
  type DemoTask,
  type Engine,
  type Incoming,
  type Respond,
} from './engine.ts'
import { answerRpc, isObject, optionalText, textField } from './rpc.ts'
import type { DemoOptions, Handler, Json, WireReply, WireRequest } from './wire.ts'

/** Serves A2A 1.0: the card, JSON-RPC at /a2a/jsonrpc and HTTP+JSON under /a2a/rest. */
export function speak10(respond: Respond, options: DemoOptions): (card: unknown) => Handler {
  const engine = createEngine(respond, options)
  return (card) => (request) => {
    if (request.method === 'GET' && request.path === '/.well-known/agent-card.json') return cardReply(card)
    if (request.path === '/a2a/jsonrpc') {
      if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
      return answerRpc(request, ({ method, params }) => {
        checkVersion(request)
        return callMethod(engine, method, params)
      })
    }
    return request.path.startsWith('/a2a/rest/') ? answerRest(engine, request) : undefined
  }
}

function cardReply(card: unknown): WireReply {
  const etag = createHash('sha256')
    .update(JSON.stringify(card) ?? '')
    .digest('base64url')
    .slice(0, 16)
  return { json: card, headers: { 'cache-control': 'max-age=3600', etag: `"${etag}"` } }
}

// A 1.0 agent reads a missing version as 0.3, which this one does not speak (A2A 1.0 §3.6.2).
function checkVersion(request: WireRequest): void {
  const version = request.headers['a2a-version'] ?? request.query['A2A-Version'] ?? '0.3'
  if (!/^1\.\d+$/.test(version)) {
    throw new Refusal(-32009, `Version ${version} is not supported. Supported versions: 1.0`)
  }
}

function callMethod(
  engine: Engine,
  method: string,
  params: Json,
): { result: unknown } | { events: unknown[] } {
  switch (method) {
    case 'SendMessage':
      return { result: send(engine, params) }
    case 'SendStreamingMessage':
      return { events: engine.stream(readMessage(params)).map(writeEvent) }
    case 'GetTask':
      return { result: writeTask(engine.get(textField(params, 'id'))) }
    case 'ListTasks':
      return { result: list(engine, params) }
    case 'CancelTask':
      return { result: writeTask(engine.cancel(textField(params, 'id'))) }
    default:
      throw new Refusal(-32601, `Method not found: ${method}`)
  }
}

function answerRest(engine: Engine, request: WireRequest): WireReply {
  const route = `${request.method} ${request.path.slice('/a2a/rest'.length)}`
  const task = /^(GET|POST) \/tasks\/([^/:]+)(:cancel)?$/.exec(route)
  try {
    checkVersion(request)
    if (route === 'POST /message:send') return { json: send(engine, readBody(request)) }
    if (route === 'POST /message:stream') {
      return { events: engine.stream(readMessage(readBody(request))).map(writeEvent) }
    }
    if (route === 'GET /tasks') return { json: list(engine, request.query) }
    if (task?.[1] === 'GET' && !task[3]) return { json: writeTask(engine.get(task[2] ?? '')) }
    if (task?.[1] === 'POST' && task[3]) return { json: writeTask(engine.cancel(task[2] ?? '')) }
    return restError(404, 'NOT_FOUND', `No such route: ${route}`)
  } catch (error) {
    if (!(error instanceof Refusal)) return restError(500, 'INTERNAL', 'Internal error')
    const [status, name, reason] = restErrors[error.code] ?? [400, 'INVALID_ARGUMENT', 'INVALID_PARAMS']
    return restError(status, name, error.message, reason)
  }
}

/** HTTP status, gRPC name and reason by JSON-RPC code (A2A 1.0.1 §5.4). */
const restErrors: Record<number, [number, string, string]> = {
  [-32001]: [404, 'NOT_FOUND', 'TASK_NOT_FOUND'],
  [-32002]: [400, 'FAILED_PRECONDITION', 'TASK_NOT_CANCELABLE'],
  [-32004]: [400, 'FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION'],
  [-32009]: [400, 'FAILED_PRECONDITION', 'VERSION_NOT_SUPPORTED'],
}

function restError(code: number, status: string, message: string, reason?: string): WireReply {
  const details = reason && [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' },
  ]
  return { status: code, json: { error: { code, status, message, ...(details && { details }) } } }
}

function readBody(request: WireRequest): Json {
  let body: unknown
  try {
    body = JSON.parse(request.body)
  } catch {
    throw new Refusal(-32700, 'The body is not JSON')
  }
  if (!isObject(body)) throw new Refusal(-32602, 'The body is not a JSON object')
  return body
}

function send(engine: Engine, params: Json): Json {
  const configuration = isObject(params['configuration']) ? params['configuration'] : {}
  const answer = engine.send(readMessage(params), { wait: configuration['returnImmediately'] !== true })
  return 'role' in answer ? { message: writeMessage(answer) } : { task: writeTask(answer) }
}

function list(engine: Engine, params: Json): Json {
  const contextId = optionalText(params, 'contextId')
  const tasks = engine
    .list()
    .filter((task) => contextId === undefined || task.contextId === contextId)
    .map((task) => {
      const { artifacts, ...rest } = writeTask(task)
      return String(params['includeArtifacts']) === 'true' ? { ...rest, artifacts } : rest
    })
  return { tasks, nextPageToken: '', pageSize: 50, totalSize: tasks.length }
}

function readMessage(params: Json): Incoming {
  const message = params['message']
  if (!isObject(message)) throw new Refusal(-32602, 'Invalid params: message is missing')
  const parts = message['parts']
  if (message['role'] !== 'ROLE_USER')
    throw new Refusal(-32602, 'Invalid params: message.role must be ROLE_USER')
  if (!Array.isArray(parts) || parts.length === 0) {
    throw new Refusal(-32602, 'Invalid params: message.parts must have at least one part')
  }
  const contextId = optionalText(message, 'contextId')
  const taskId = optionalText(message, 'taskId')
  return {
    messageId: textField(message, 'messageId'),
    ...(contextId !== undefined && { contextId }),
    ...(taskId !== undefined && { taskId }),
    parts: parts as DemoPart[],
    ...(isObject(message['metadata']) && { metadata: message['metadata'] }),
  }
}

function writeState(state: DemoState): string {
  return `TASK_STATE_${state.toUpperCase().replace('-', '_')}`
}

function writeMessage({ role, parts, metadata, ...ids }: DemoMessage): Json {
  return { ...ids, role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT', parts, ...(metadata && { metadata }) }
}

function writeStatus(status: DemoStatus): Json {
  return {
    state: writeState(status.state),
    ...(status.message && { message: writeMessage(status.message) }),
    timestamp: status.timestamp,
  }
}

function writeTask(task: DemoTask): Json {
  return {
    id: task.id,
    contextId: task.contextId,
    status: writeStatus(task.status),
    history: task.history.map(writeMessage),
    ...(task.artifacts.length > 0 && { artifacts: task.artifacts }),
  }
}

function writeEvent(event: DemoEvent): Json {
  if ('message' in event) return { message: writeMessage(event.message) }
  if ('artifact' in event) {
    const { id: taskId, contextId } = event.task
    return { artifactUpdate: { taskId, contextId, artifact: event.artifact, lastChunk: true } }
  }
  if ('status' in event) {
    const { id: taskId, contextId } = event.task
    return { statusUpdate: { taskId, contextId, status: writeStatus(event.status) } }
  }
  return { task: writeTask(event.task) }
}
