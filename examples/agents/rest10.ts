import { isObject, parseJson, type MethodAnswer } from './rpc.ts'
import { Refusal } from './task.ts'
import type { Json, WireReply, WireRequest } from './wire.ts'

/** The routes of A2A 1.0 §11.3 and their methods; named groups of the path become parameters. */
const routes: [verbs: string, path: RegExp, method: string][] = [
  ['POST', /^\/message:send$/, 'SendMessage'],
  ['POST', /^\/message:stream$/, 'SendStreamingMessage'],
  ['GET', /^\/tasks$/, 'ListTasks'],
  ['GET', /^\/tasks\/(?<id>[^/:]+)$/, 'GetTask'],
  ['POST', /^\/tasks\/(?<id>[^/:]+):cancel$/, 'CancelTask'],
  // The text says POST, the proto says GET.
  ['POST GET', /^\/tasks\/(?<id>[^/:]+):subscribe$/, 'SubscribeToTask'],
  ['POST', /^\/tasks\/(?<taskId>[^/:]+)\/pushNotificationConfigs$/, 'CreateTaskPushNotificationConfig'],
  ['GET', /^\/tasks\/(?<taskId>[^/:]+)\/pushNotificationConfigs$/, 'ListTaskPushNotificationConfigs'],
  [
    'GET',
    /^\/tasks\/(?<taskId>[^/:]+)\/pushNotificationConfigs\/(?<id>[^/:]+)$/,
    'GetTaskPushNotificationConfig',
  ],
  [
    'DELETE',
    /^\/tasks\/(?<taskId>[^/:]+)\/pushNotificationConfigs\/(?<id>[^/:]+)$/,
    'DeleteTaskPushNotificationConfig',
  ],
  ['GET', /^\/extendedAgentCard$/, 'GetExtendedAgentCard'],
]

/** Answers a request under /a2a/rest with the method of its route. */
export async function answerRest(
  request: WireRequest,
  call: (request: WireRequest, method: string, params: Json) => MethodAnswer | Promise<MethodAnswer>,
): Promise<WireReply> {
  const path = request.path.slice('/a2a/rest'.length)
  const route = routes.find(([verbs, form]) => verbs.split(' ').includes(request.method) && form.test(path))
  if (!route) return restError(404, 'NOT_FOUND', `No such route: ${request.method} ${path}`)
  const [, form, method] = route
  try {
    const inPath = Object.entries(form.exec(path)?.groups ?? {})
    const params = { ...readParams(request), ...Object.fromEntries(inPath.map(([k, v]) => [k, decode(v)])) }
    const answer = await call(request, method, params)
    return 'stream' in answer ? answer : { json: answer.result ?? {} }
  } catch (error) {
    if (!(error instanceof Refusal)) return restError(500, 'INTERNAL', 'Internal error')
    const [status, name, reason] = restErrors[error.code] ?? [400, 'INVALID_ARGUMENT', 'INVALID_PARAMS']
    return restError(status, name, error.message, reason)
  }
}

/** HTTP status, gRPC name and reason by JSON-RPC code (A2A 1.0.1 §5.4). */
const restErrors: Record<number, [number, string, string]> = {
  [-32001]: [404, 'NOT_FOUND', 'TASK_NOT_FOUND'],
  [-32002]: [400, 'FAILED_PRECONDITION', 'TASK_NOT_CANCELABLE'],
  [-32003]: [400, 'FAILED_PRECONDITION', 'PUSH_NOTIFICATION_NOT_SUPPORTED'],
  [-32004]: [400, 'FAILED_PRECONDITION', 'UNSUPPORTED_OPERATION'],
  [-32007]: [400, 'FAILED_PRECONDITION', 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'],
  [-32009]: [400, 'FAILED_PRECONDITION', 'VERSION_NOT_SUPPORTED'],
}

function restError(code: number, status: string, message: string, reason?: string): WireReply {
  const details = reason && [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' },
  ]
  return { status: code, json: { error: { code, status, message, ...(details && { details }) } } }
}

function readParams(request: WireRequest): Json {
  if (request.method !== 'POST') return request.query
  // Cancel and subscribe need no body.
  if (request.body === '') return {}
  const body = parseJson(request.body)
  if (body === undefined) throw new Refusal(-32700, 'The body is not JSON')
  if (!isObject(body)) throw new Refusal(-32602, 'The body is not a JSON object')
  return body
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Refusal(-32602, 'The path is not well encoded')
  }
}
