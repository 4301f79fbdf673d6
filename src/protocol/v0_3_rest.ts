import type { Codec } from './codec.ts'
import { decodeEvent, decodeReply, decodeTask } from './decode.ts'
import { blockingConfiguration, compact, fileSource, messageMembers, objectData } from './encode.ts'
import type { Part } from './model.ts'
import { methodName } from './names.ts'
import type { JsonObject, WireForm } from './reading.ts'
import { wireRole } from './roles.ts'

const form: WireForm = { dialect: '0.3', binding: 'HTTP+JSON', json: true, proto: true }

/**
 * A2A 0.3 over HTTP+JSON, as deployed: the ProtoJSON of its proto file, where parts are called `content`. Released servers
 * refuse members that the proto does not have, so `referenceTaskIds` stays behind.
 */
export const v03Rest: Codec = {
  dialect: form.dialect,
  binding: form.binding,
  headers: () => ({}),
  send: (message, context) => ({
    binding: 'HTTP+JSON',
    verb: 'POST',
    path: '/v1/message:send',
    method: methodName('send', form),
    body: {
      message: messageMembers(message, wireRole(message.role, form), {
        content: message.parts.map(encodePart),
      }),
      configuration: blockingConfiguration(context),
      ...compact({ metadata: context.metadata }),
    },
  }),
  getTask: (id, context) => ({
    binding: 'HTTP+JSON',
    verb: 'GET',
    path: `/v1/tasks/${encodeURIComponent(id)}`,
    method: methodName('getTask', form),
    ...(context.historyLength === undefined
      ? {}
      : { query: { historyLength: String(context.historyLength) } }),
  }),
  readReply: (result) => decodeReply(form, result),
  readTask: (result) => decodeTask(form, result),
  readEvent: (result) => decodeEvent(form, result),
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
