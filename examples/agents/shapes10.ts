import { isObject, optionalText, textField } from './rpc.ts'
import {
  Refusal,
  type DemoEvent,
  type DemoMessage,
  type DemoPart,
  type DemoState,
  type DemoStatus,
  type DemoTask,
  type Incoming,
} from './task.ts'
import type { Json } from './wire.ts'

/** Reads the message of a request in the shape of A2A 1.0. */
export function readMessage(params: Json): Incoming {
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

export function writeState(state: DemoState): string {
  return `TASK_STATE_${state.toUpperCase().replace('-', '_')}`
}

export function writeMessage({ role, parts, metadata, ...ids }: DemoMessage): Json {
  return { ...ids, role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT', parts, ...(metadata && { metadata }) }
}

function writeStatus(status: DemoStatus): Json {
  return {
    state: writeState(status.state),
    ...(status.message && { message: writeMessage(status.message) }),
    timestamp: status.timestamp,
  }
}

/** A task with the last messages of its history: all of them without a length, no list for 0. */
export function writeTask(task: DemoTask, historyLength: number = Infinity): Json {
  const history = historyLength > 0 && task.history.slice(-historyLength)
  return {
    id: task.id,
    contextId: task.contextId,
    status: writeStatus(task.status),
    ...(history && { history: history.map(writeMessage) }),
    ...(task.artifacts.length > 0 && { artifacts: [...task.artifacts] }),
  }
}

/** An event as a StreamResponse. */
export function writeEvent(event: DemoEvent): Json {
  if ('message' in event) return { message: writeMessage(event.message) }
  const { id: taskId, contextId } = event.task
  if ('artifact' in event) {
    const { artifact, append, more } = event
    return {
      artifactUpdate: {
        taskId,
        contextId,
        artifact,
        ...(append && { append }),
        ...(!more && { lastChunk: true }),
      },
    }
  }
  if ('status' in event) return { statusUpdate: { taskId, contextId, status: writeStatus(event.status) } }
  return { task: writeTask(event.task) }
}
