import type { Codec } from './codec.ts'
import { decodeEvent, decodeReply, decodeTask } from './decode.ts'
import { blockingConfiguration, compact, fileSource, messageMembers, objectData } from './encode.ts'
import type { Part } from './model.ts'
import { methodName } from './names.ts'
import type { JsonObject, WireForm } from './reading.ts'

const form: WireForm = { dialect: '0.3', binding: 'JSONRPC', json: true, proto: false }

/** A2A 0.2 and 0.3 over JSON-RPC, one wire for both: everything carries its `kind`. */
export const v02: Codec = {
  dialect: form.dialect,
  binding: form.binding,
  headers: () => ({}),
  send: (message, context) => ({
    binding: 'JSONRPC',
    method: methodName('send', form),
    params: {
      message: {
        kind: 'message',
        ...messageMembers(message, message.role, { parts: message.parts.map(encodePart) }),
        ...compact({ referenceTaskIds: message.referenceTaskIds }),
      },
      configuration: blockingConfiguration(context),
      ...compact({ metadata: context.metadata }),
    },
  }),
  getTask: (id, context) => ({
    binding: 'JSONRPC',
    method: methodName('getTask', form),
    params: compact({ id, historyLength: context.historyLength }),
  }),
  readReply: (result) => decodeReply(form, result),
  readTask: (result) => decodeTask(form, result),
  readEvent: (result) => decodeEvent(form, result),
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
