import type { Codec, RpcCall, SendContext } from '../codec.ts'
import { compact, fileSource, historyLength, objectData } from '../encode.ts'
import type { Message, Part } from '../model.ts'
import type { Operation } from '../versions/profile.ts'
import { operationName } from '../versions/profiles.ts'
import { listedPush } from '../pushes.ts'
import { readers } from './readers.ts'
import { formOf, type JsonObject } from '../reading.ts'

const form = formOf('0.1', 'JSONRPC', { json: true })

const call = (operation: Operation, params: JsonObject): RpcCall => ({
  binding: 'JSONRPC',
  method: operationName(operation, form),
  params,
})

/** A2A 0.1: the client makes the task id and the session id; messages have no ids, and nothing tells a server to wait. */
export const v01: Codec = {
  ...readers(form),
  headers: () => ({}),
  send: (message, context) => call('send', encodeRequest(message, context)),
  stream: (message, context) => call('stream', encodeRequest(message, context)),
  subscribe: (id, context) => call('subscribe', compact({ id, historyLength: context.historyLength })),
  getTask: (id, context) => call('getTask', compact({ id, historyLength: context.historyLength })),
  cancelTask: (id, context) => call('cancelTask', compact({ id, metadata: context.metadata })),
  createPushConfig: (taskId, config) =>
    call('createPushConfig', { id: taskId, pushNotificationConfig: listedPush(config, false) }),
  getPushConfig: (taskId) => call('getPushConfig', { id: taskId }),
}

function encodeRequest(message: Message, context: SendContext): JsonObject {
  return {
    id: message.taskId ?? context.newTaskId,
    sessionId: message.contextId ?? context.newSessionId,
    message: {
      role: message.role,
      parts: message.parts.map(encodePart),
      ...compact({ metadata: message.metadata }),
    },
    ...compact({
      acceptedOutputModes: context.configuration?.acceptedOutputModes,
      pushNotification: listedPush(context.configuration?.pushConfig, false),
      historyLength: historyLength(context),
      metadata: context.metadata,
    }),
  }
}

function encodePart(part: Part): JsonObject {
  if (part.kind === 'data') return { type: 'data', ...objectData(part) }
  const metadata = compact({ metadata: part.metadata })
  if (part.kind === 'text') return { type: 'text', text: part.text, ...metadata }
  const file = {
    ...compact({ name: part.name, mimeType: part.mediaType }),
    ...fileSource(part, 'bytes', 'uri'),
  }
  return { type: 'file', file, ...metadata }
}
