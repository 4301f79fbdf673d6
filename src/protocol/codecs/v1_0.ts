import type { CallContext, Codec, RestCall, RpcCall, SendContext } from '../codec.ts'
import { compact, fileSource, historyLength, messageMembers } from '../encode.ts'
import { versionHeader, wireVersion } from '../headers.ts'
import type { Message, Part, TaskQuery } from '../model.ts'
import type { Operation } from '../versions/profile.ts'
import { operationName } from '../versions/profiles.ts'
import { flatPush } from '../pushes.ts'
import { readers } from './readers.ts'
import { formOf, type JsonObject, type WireForm } from '../reading.ts'
import { wireRole } from '../roles.ts'
import { wireState } from '../states.ts'

const rpcForm = formOf('1.0', 'JSONRPC', { proto: true })
const restForm = formOf('1.0', 'HTTP+JSON', { proto: true })

const rpc = (operation: Operation, params: JsonObject): RpcCall => ({
  binding: 'JSONRPC',
  method: operationName(operation, rpcForm),
  params: compact(params),
})

const headers: Codec['headers'] = (version) => ({ [versionHeader]: wireVersion(version) })

/** A2A 1.0 over JSON-RPC. Released servers refuse unknown members, so nothing but the proto's own is sent. */
export const v10: Codec = {
  ...readers(rpcForm),
  headers,
  send: (message, context) => rpc('send', encodeRequest(message, context, rpcForm)),
  stream: (message, context) => rpc('stream', encodeRequest(message, context, rpcForm)),
  subscribe: (id, { tenant }) => rpc('subscribe', { tenant, id }),
  getTask: (id, { tenant, historyLength }) => rpc('getTask', { tenant, id, historyLength }),
  listTasks: (query, { tenant }) => rpc('listTasks', { tenant, ...encodeQuery(query, rpcForm) }),
  cancelTask: (id, { tenant, metadata }) => rpc('cancelTask', { tenant, id, metadata }),
  createPushConfig: (taskId, config, { tenant }) =>
    rpc('createPushConfig', flatPush(config, { tenant, taskId }) ?? {}),
  // The id is required; agents give a task's only config the id of the task.
  getPushConfig: (taskId, id = taskId, { tenant }) => rpc('getPushConfig', { tenant, taskId, id }),
  listPushConfigs: (taskId, { tenant }) => rpc('listPushConfigs', { tenant, taskId }),
  deletePushConfig: (taskId, id, { tenant }) => rpc('deletePushConfig', { tenant, taskId, id }),
  extendedCard: ({ tenant }) => rpc('extendedCard', { tenant }),
}

const rest = (
  operation: Operation,
  verb: RestCall['verb'],
  path: string,
  { tenant }: CallContext,
  more: Pick<RestCall, 'body' | 'query'> = {},
): RestCall => ({
  binding: 'HTTP+JSON',
  verb,
  path: `${tenantPath(tenant)}${path}`,
  method: operationName(operation, restForm),
  ...more,
})
const taskPath = (id: string): string => `/tasks/${encodeURIComponent(id)}`
const configPath = (taskId: string, id: string = taskId): string =>
  `${taskPath(taskId)}/pushNotificationConfigs/${encodeURIComponent(id)}`

/** A2A 1.0 over HTTP+JSON: the same messages as bodies, and the tenant in front of the path too. */
export const v10Rest: Codec = {
  ...readers(restForm),
  headers,
  send: (message, context) =>
    rest('send', 'POST', '/message:send', context, { body: encodeRequest(message, context, restForm) }),
  stream: (message, context) =>
    rest('stream', 'POST', '/message:stream', context, { body: encodeRequest(message, context, restForm) }),
  subscribe: (id, context) =>
    rest('subscribe', 'POST', `${taskPath(id)}:subscribe`, context, {
      body: compact({ tenant: context.tenant }),
    }),
  getTask: (id, context) =>
    rest('getTask', 'GET', taskPath(id), context, queryOf({ historyLength: context.historyLength })),
  listTasks: (query, context) =>
    rest('listTasks', 'GET', '/tasks', context, queryOf(encodeQuery(query, restForm))),
  cancelTask: (id, context) =>
    rest('cancelTask', 'POST', `${taskPath(id)}:cancel`, context, {
      body: compact({ tenant: context.tenant, metadata: context.metadata }),
    }),
  createPushConfig: (taskId, config, context) =>
    rest('createPushConfig', 'POST', `${taskPath(taskId)}/pushNotificationConfigs`, context, {
      body: flatPush(config, { tenant: context.tenant, taskId }) ?? {},
    }),
  getPushConfig: (taskId, id, context) => rest('getPushConfig', 'GET', configPath(taskId, id), context),
  listPushConfigs: (taskId, context) =>
    rest('listPushConfigs', 'GET', `${taskPath(taskId)}/pushNotificationConfigs`, context),
  deletePushConfig: (taskId, id, context) =>
    rest('deletePushConfig', 'DELETE', configPath(taskId, id), context),
  extendedCard: (context) => rest('extendedCard', 'GET', '/extendedAgentCard', context),
}

function tenantPath(tenant: string | undefined): string {
  return tenant === undefined || tenant === '' ? '' : `/${encodeURIComponent(tenant)}`
}

function encodeQuery(query: TaskQuery, form: WireForm): JsonObject {
  const { contextId, status, pageSize, pageToken, historyLength, statusTimestampAfter, includeArtifacts } =
    query
  return {
    contextId,
    status: status === undefined ? undefined : wireState(status, form),
    pageSize,
    pageToken,
    historyLength,
    statusTimestampAfter,
    includeArtifacts,
  }
}

/** Members as the query of a GET: what is not there is not asked. */
function queryOf(members: JsonObject): Pick<RestCall, 'query'> {
  const entries = Object.entries(compact(members)).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return entries.length === 0 ? {} : { query: Object.fromEntries(entries) }
}

function encodeRequest(message: Message, context: SendContext, form: WireForm): JsonObject {
  const configuration = compact({
    acceptedOutputModes: context.configuration?.acceptedOutputModes,
    taskPushNotificationConfig: flatPush(context.configuration?.pushConfig),
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
