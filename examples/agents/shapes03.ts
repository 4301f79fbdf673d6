import { isObject, optionalText, textField } from './rpc.ts'
import {
  Refusal,
  type DemoEvent,
  type DemoMessage,
  type DemoPart,
  type DemoStatus,
  type DemoTask,
  type Incoming,
} from './task.ts'
import type { Json } from './wire.ts'

/** Reads the message of a request in the shape of A2A 0.3. */
export function readMessage(params: Json): Incoming {
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

export function writeMessage({ parts, ...rest }: DemoMessage): Json {
  return { kind: 'message', ...rest, parts: parts.map(writePart) }
}

function writeStatus({ message, ...rest }: DemoStatus): Json {
  return { ...rest, ...(message && { message: writeMessage(message) }) }
}

function writeArtifact({ parts, ...rest }: DemoTask['artifacts'][number]): Json {
  return { ...rest, parts: parts.map(writePart) }
}

/** A task with the last messages of its history: all of them without a length, no list for 0. */
export function writeTask(task: DemoTask, historyLength: number = Infinity): Json {
  const history = historyLength > 0 && task.history.slice(-historyLength)
  return {
    kind: 'task',
    id: task.id,
    contextId: task.contextId,
    status: writeStatus(task.status),
    ...(history && { history: history.map(writeMessage) }),
    ...(task.artifacts.length > 0 && { artifacts: task.artifacts.map(writeArtifact) }),
  }
}

/** An event of a stream, identified by its kind. */
export function writeEvent(event: DemoEvent): Json {
  if ('message' in event) return writeMessage(event.message)
  const { id: taskId, contextId } = event.task
  if ('artifact' in event) {
    const { artifact, append, more } = event
    return {
      kind: 'artifact-update',
      taskId,
      contextId,
      artifact: writeArtifact(artifact),
      ...(append && { append }),
      lastChunk: !more,
    }
  }
  if ('status' in event) {
    return { kind: 'status-update', taskId, contextId, status: writeStatus(event.status), final: event.final }
  }
  return writeTask(event.task)
}
