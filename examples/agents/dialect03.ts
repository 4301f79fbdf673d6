import {
  createEngine,
  Refusal,
  type DemoEvent,
  type DemoMessage,
  type DemoPart,
  type DemoStatus,
  type DemoTask,
  type Engine,
  type Incoming,
  type Respond,
} from './engine.ts'
import { answerRpc, isObject, optionalText, textField } from './rpc.ts'
import type { DemoOptions, Handler, Json } from './wire.ts'

/** Serves A2A 0.3: the card, and JSON-RPC at /a2a. */
export function speak03(respond: Respond, options: DemoOptions): (card: unknown) => Handler {
  const engine = createEngine(respond, options)
  return (card) => (request) => {
    if (request.method === 'GET' && request.path === '/.well-known/agent-card.json') return { json: card }
    if (request.path !== '/a2a') return undefined
    if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
    return answerRpc(request, ({ method, params }) => callMethod(engine, method, params))
  }
}

function callMethod(
  engine: Engine,
  method: string,
  params: Json,
): { result: unknown } | { events: unknown[] } {
  switch (method) {
    case 'message/send': {
      const configuration = isObject(params['configuration']) ? params['configuration'] : {}
      const answer = engine.send(readMessage(params), { wait: configuration['blocking'] !== false })
      return { result: 'role' in answer ? writeMessage(answer) : writeTask(answer) }
    }
    case 'message/stream':
      return { events: engine.stream(readMessage(params)).map(writeEvent) }
    case 'tasks/get':
      return { result: writeTask(engine.get(textField(params, 'id'))) }
    case 'tasks/cancel':
      return { result: writeTask(engine.cancel(textField(params, 'id'))) }
    default:
      throw new Refusal(-32601, `Method not found: ${method}`)
  }
}

function readMessage(params: Json): Incoming {
  const message = params['message']
  if (!isObject(message)) throw new Refusal(-32602, 'Invalid params: message is missing')
  const parts = message['parts']
  if (message['role'] !== 'user') throw new Refusal(-32602, 'Invalid params: message.role must be "user"')
  if (!Array.isArray(parts) || parts.length === 0) {
    throw new Refusal(-32602, 'Invalid params: message.parts must have at least one part')
  }
  const contextId = optionalText(message, 'contextId')
  const taskId = optionalText(message, 'taskId')
  return {
    messageId: textField(message, 'messageId'),
    ...(contextId !== undefined && { contextId }),
    ...(taskId !== undefined && { taskId }),
    parts: parts.map(readPart),
    ...(isObject(message['metadata']) && { metadata: message['metadata'] }),
  }
}

function readPart(part: unknown): DemoPart {
  if (isObject(part)) {
    if (part['kind'] === 'text') return { text: textField(part, 'text') }
    if (part['kind'] === 'data') return { data: part['data'] }
    if (part['kind'] === 'file' && isObject(part['file'])) {
      const { bytes, uri, name, mimeType } = part['file']
      const about = {
        ...(typeof name === 'string' && { filename: name }),
        ...(typeof mimeType === 'string' && { mediaType: mimeType }),
      }
      if (typeof bytes === 'string') return { raw: bytes, ...about }
      if (typeof uri === 'string') return { url: uri, ...about }
    }
  }
  throw new Refusal(-32602, 'Invalid params: a part has a kind of "text", "file" or "data"')
}

function writePart(part: DemoPart): Json {
  if ('text' in part) return { kind: 'text', text: part.text }
  if ('data' in part) return { kind: 'data', data: part.data }
  return {
    kind: 'file',
    file: {
      ...(part.filename !== undefined && { name: part.filename }),
      ...(part.mediaType !== undefined && { mimeType: part.mediaType }),
      ...('raw' in part ? { bytes: part.raw } : { uri: part.url }),
    },
  }
}

function writeMessage({ parts, ...rest }: DemoMessage): Json {
  return { kind: 'message', ...rest, parts: parts.map(writePart) }
}

function writeStatus({ message, ...rest }: DemoStatus): Json {
  return { ...rest, ...(message && { message: writeMessage(message) }) }
}

function writeArtifact({ parts, ...rest }: DemoTask['artifacts'][number]): Json {
  return { ...rest, parts: parts.map(writePart) }
}

function writeTask(task: DemoTask): Json {
  return {
    kind: 'task',
    id: task.id,
    contextId: task.contextId,
    status: writeStatus(task.status),
    history: task.history.map(writeMessage),
    ...(task.artifacts.length > 0 && { artifacts: task.artifacts.map(writeArtifact) }),
  }
}

function writeEvent(event: DemoEvent): Json {
  if ('message' in event) return writeMessage(event.message)
  if ('artifact' in event) {
    const { id: taskId, contextId } = event.task
    return {
      kind: 'artifact-update',
      taskId,
      contextId,
      artifact: writeArtifact(event.artifact),
      lastChunk: true,
    }
  }
  if ('status' in event) {
    const { id: taskId, contextId } = event.task
    return { kind: 'status-update', taskId, contextId, status: writeStatus(event.status), final: event.final }
  }
  return writeTask(event.task)
}
