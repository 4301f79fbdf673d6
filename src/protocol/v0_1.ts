import type { Codec } from './codec.ts'
import { decodeEvent, decodeReply, decodeTask } from './decode.ts'
import { compact, fileSource, historyLength, objectData } from './encode.ts'
import type { Part } from './model.ts'
import { methodName } from './names.ts'
import type { JsonObject, WireForm } from './reading.ts'

const form: WireForm = { dialect: '0.1', binding: 'JSONRPC', json: true, proto: false }

/** A2A 0.1: the client makes the task id and the session id; messages have no ids, and nothing tells a server to wait. */
export const v01: Codec = {
  dialect: form.dialect,
  binding: form.binding,
  headers: () => ({}),
  send: (message, context) => ({
    binding: 'JSONRPC',
    method: methodName('send', form),
    params: {
      id: message.taskId ?? context.newTaskId,
      sessionId: message.contextId ?? context.newSessionId,
      message: {
        role: message.role,
        parts: message.parts.map(encodePart),
        ...compact({ metadata: message.metadata }),
      },
      ...compact({
        acceptedOutputModes: context.configuration?.acceptedOutputModes,
        historyLength: historyLength(context),
        metadata: context.metadata,
      }),
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
