import type { Codec, RpcCall, SendContext } from '../codec.ts'
import { blockingConfiguration, compact, fileSource, messageMembers, objectData } from '../encode.ts'
import type { Message, Part } from '../model.ts'
import type { Operation } from '../versions/profile.ts'
import { operationName } from '../versions/profiles.ts'
import { listedPush } from '../pushes.ts'
import { readers } from './readers.ts'
import { formOf, type JsonObject } from '../reading.ts'

const form = formOf('0.3', 'JSONRPC', { json: true })

const call = (operation: Operation, params: JsonObject): RpcCall => ({
  binding: 'JSONRPC',
  method: operationName(operation, form),
  params,
})

/** A2A 0.2 and 0.3 over JSON-RPC, one wire for both: everything carries its `kind`. */
export const v03: Codec = {
  ...readers(form),
  headers: () => ({}),
  send: (message, context) => call('send', encodeRequest(message, context)),
  stream: (message, context) => call('stream', encodeRequest(message, context)),
  subscribe: (id) => call('subscribe', { id }),
  getTask: (id, context) => call('getTask', compact({ id, historyLength: context.historyLength })),
  cancelTask: (id, context) => call('cancelTask', compact({ id, metadata: context.metadata })),
  createPushConfig: (taskId, config) =>
    call('createPushConfig', { taskId, pushNotificationConfig: listedPush(config, true) }),
  getPushConfig: (taskId, id) => call('getPushConfig', compact({ id: taskId, pushNotificationConfigId: id })),
  listPushConfigs: (taskId) => call('listPushConfigs', { id: taskId }),
  deletePushConfig: (taskId, id) => call('deletePushConfig', { id: taskId, pushNotificationConfigId: id }),
  extendedCard: () => call('extendedCard', {}),
}

function encodeRequest(message: Message, context: SendContext): JsonObject {
  return {
    message: {
      kind: 'message',
      ...messageMembers(message, message.role, { parts: message.parts.map(encodePart) }),
      ...compact({ referenceTaskIds: message.referenceTaskIds }),
    },
    configuration: {
      ...blockingConfiguration(context),
      ...compact({ pushNotificationConfig: listedPush(context.configuration?.pushConfig, true) }),
    },
    ...compact({ metadata: context.metadata }),
  }
}

/** A text or data part has no place for a media type or a name in 0.x: both stay behind. */
function encodePart(part: Part): JsonObject {
  if (part.kind === 'data') return { kind: 'data', ...objectData(part) }
  const metadata = compact({ metadata: part.metadata })
  if (part.kind === 'text') return { kind: 'text', text: part.text, ...metadata }
  const file = {
    ...fileSource(part, 'bytes', 'uri'),
    ...compact({ mimeType: part.mediaType, name: part.name }),
  }
  return { kind: 'file', file, ...metadata }
}
