import type { Codec, RestCall, SendContext } from '../codec.ts'
import { blockingConfiguration, compact, fileSource, messageMembers, objectData } from '../encode.ts'
import type { Message, Part } from '../model.ts'
import type { Operation } from '../versions/profile.ts'
import { operationName } from '../versions/profiles.ts'
import { listedPush } from '../pushes.ts'
import { readers } from './readers.ts'
import { formOf, type JsonObject } from '../reading.ts'
import { wireRole } from '../roles.ts'

const form = formOf('0.3', 'HTTP+JSON', { json: true, proto: true, earlyProto: true })

const call = (
  operation: Operation,
  verb: RestCall['verb'],
  path: string,
  more: Pick<RestCall, 'body' | 'query'> = {},
): RestCall => ({
  binding: 'HTTP+JSON',
  verb,
  path: `/v1${path}`,
  method: operationName(operation, form),
  ...more,
})
const taskPath = (id: string): string => `/tasks/${encodeURIComponent(id)}`
// Servers give a task's only config the id of the task.
const configPath = (taskId: string, id: string = taskId): string =>
  `${taskPath(taskId)}/pushNotificationConfigs/${encodeURIComponent(id)}`

/**
 * A2A 0.3 over HTTP+JSON, as deployed: the ProtoJSON of its proto file, where parts are called `content`. Released servers
 * refuse members that the proto does not have, so `referenceTaskIds` stays behind.
 */
export const v03Rest: Codec = {
  ...readers(form),
  headers: () => ({}),
  earlyProto: true,
  send: (message, context) =>
    call('send', 'POST', '/message:send', { body: encodeRequest(message, context) }),
  stream: (message, context) =>
    call('stream', 'POST', '/message:stream', { body: encodeRequest(message, context) }),
  subscribe: (id) => call('subscribe', 'POST', `${taskPath(id)}:subscribe`, { body: {} }),
  getTask: (id, context) =>
    call('getTask', 'GET', taskPath(id), {
      ...(context.historyLength !== undefined && { query: { historyLength: String(context.historyLength) } }),
    }),
  cancelTask: (id) => call('cancelTask', 'POST', `${taskPath(id)}:cancel`, { body: {} }),
  // The proto's whole request: that is what released servers read, though its annotation says `body: "config"`.
  createPushConfig: (taskId, config) =>
    call('createPushConfig', 'POST', `${taskPath(taskId)}/pushNotificationConfigs`, {
      body: compact({
        parent: `tasks/${taskId}`,
        configId: config.id,
        config: compact({
          name: config.id === undefined ? undefined : `tasks/${taskId}/pushNotificationConfigs/${config.id}`,
          pushNotificationConfig: listedPush(config, true),
        }),
      }),
    }),
  getPushConfig: (taskId, id) => call('getPushConfig', 'GET', configPath(taskId, id)),
  listPushConfigs: (taskId) => call('listPushConfigs', 'GET', `${taskPath(taskId)}/pushNotificationConfigs`),
  deletePushConfig: (taskId, id) => call('deletePushConfig', 'DELETE', configPath(taskId, id)),
  extendedCard: () => call('extendedCard', 'GET', '/card'),
}

function encodeRequest(message: Message, context: SendContext): JsonObject {
  return {
    message: messageMembers(message, wireRole(message.role, form), {
      content: message.parts.map(encodePart),
    }),
    configuration: {
      ...blockingConfiguration(context),
      ...compact({ pushNotification: listedPush(context.configuration?.pushConfig, true) }),
    },
    ...compact({ metadata: context.metadata }),
  }
}

function encodePart(part: Part): JsonObject {
  if (part.kind === 'data') {
    const { data, metadata } = objectData(part)
    return { data: { data }, ...compact({ metadata }) }
  }
  const metadata = compact({ metadata: part.metadata })
  if (part.kind === 'text') return { text: part.text, ...metadata }
  const file = {
    ...fileSource(part, 'fileWithBytes', 'fileWithUri'),
    ...compact({ mimeType: part.mediaType, name: part.name }),
  }
  return { file, ...metadata }
}
