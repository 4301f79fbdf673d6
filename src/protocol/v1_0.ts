import type { Codec, SendContext } from './codec.ts'
import { decodeEvent, decodeReply, decodeTask } from './decode.ts'
import { compact, fileSource, historyLength, messageMembers } from './encode.ts'
import { versionHeader, wireVersion } from './headers.ts'
import type { Message, Part } from './model.ts'
import { methodName } from './names.ts'
import type { JsonObject, WireForm } from './reading.ts'
import { wireRole } from './roles.ts'

const rpcForm: WireForm = { dialect: '1.0', binding: 'JSONRPC', json: false, proto: true }
const restForm: WireForm = { ...rpcForm, binding: 'HTTP+JSON' }

/** A2A 1.0 over JSON-RPC. Released servers refuse unknown members, so nothing but the proto's own is sent. */
export const v10: Codec = {
  ...common(rpcForm),
  send: (message, context) => ({
    binding: 'JSONRPC',
    method: methodName('send', rpcForm),
    params: encodeRequest(message, context, rpcForm),
  }),
  getTask: (id, { tenant, historyLength }) => ({
    binding: 'JSONRPC',
    method: methodName('getTask', rpcForm),
    params: compact({ tenant, id, historyLength }),
  }),
}

/** A2A 1.0 over HTTP+JSON: the same messages as bodies, and the tenant in front of the path too. */
export const v10Rest: Codec = {
  ...common(restForm),
  send: (message, context) => ({
    binding: 'HTTP+JSON',
    verb: 'POST',
    path: `${tenantPath(context.tenant)}/message:send`,
    method: methodName('send', restForm),
    body: encodeRequest(message, context, restForm),
  }),
  getTask: (id, context) => ({
    binding: 'HTTP+JSON',
    verb: 'GET',
    path: `${tenantPath(context.tenant)}/tasks/${encodeURIComponent(id)}`,
    method: methodName('getTask', restForm),
    ...(context.historyLength === undefined
      ? {}
      : { query: { historyLength: String(context.historyLength) } }),
  }),
}

function common(
  form: WireForm,
): Pick<Codec, 'dialect' | 'binding' | 'headers' | 'readReply' | 'readTask' | 'readEvent'> {
  return {
    dialect: form.dialect,
    binding: form.binding,
    headers: (version) => ({ [versionHeader]: wireVersion(version) }),
    readReply: (result) => decodeReply(form, result),
    readTask: (result) => decodeTask(form, result),
    readEvent: (result) => decodeEvent(form, result),
  }
}

function tenantPath(tenant: string | undefined): string {
  return tenant === undefined || tenant === '' ? '' : `/${encodeURIComponent(tenant)}`
}

function encodeRequest(message: Message, context: SendContext, form: WireForm): JsonObject {
  const configuration = compact({
    acceptedOutputModes: context.configuration?.acceptedOutputModes,
    historyLength: historyLength(context),
    returnImmediately: context.configuration?.wait === false ? true : undefined,
  })
  return compact({
    tenant: context.tenant,
    message: {
      ...messageMembers(message, wireRole(message.role, form), { parts: message.parts.map(encodePart) }),
      ...compact({ referenceTaskIds: message.referenceTaskIds }),
    },
    configuration,
    metadata: context.metadata,
  })
}

function encodePart(part: Part): JsonObject {
  return {
    ...encodeContent(part),
    ...compact({ metadata: part.metadata, filename: part.name, mediaType: part.mediaType }),
  }
}

function encodeContent(part: Part): JsonObject {
  if (part.kind === 'text') return { text: part.text }
  return part.kind === 'data' ? { data: part.data ?? null } : fileSource(part, 'raw', 'url')
}
