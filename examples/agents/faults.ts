import { accessFaults, type AccessFaults } from './accessFaults.ts'
import { isCardRequest, isObject, parseJson } from './rpc.ts'
import { onResults, streamFaults, type StreamFaults } from './streamFaults.ts'
import type { Fault, Json, WireReply, WireRequest } from './wire.ts'

/** Ready-made faults for the `fault` option of any demo agent, alone or in an array. */
export interface FaultPresets extends StreamFaults, AccessFaults {
  /** Sets a member of the card, written `skills[0].id`; `undefined` removes it. */
  card(path: string, value: unknown): Fault
  /** Answers the path of the card with something else: HTML, another status, … */
  cardReply(reply: WireReply): Fault
  /** Changes the result of every call: the JSON-RPC `result`, each event of a stream, or the REST body. */
  result(change: (result: Json, request: WireRequest) => unknown): Fault
  /** Sets a member of every result, written `task.status.state`; `undefined` removes it. Results without it do not change. */
  resultField(path: string, value: unknown): Fault
  /** Changes the whole JSON-RPC answer: id, version, error. */
  envelope(change: (envelope: Json, request: WireRequest) => unknown): Fault
  /** Answers calls with something else; with `times`, only the first ones. */
  callReply(reply: WireReply, times?: number): Fault
  /** Answers one method with something else. */
  method(name: string, reply: WireReply): Fault
  /** Changes the user's message before the agent reads it: an agent that ignores the context, the task, … */
  hears(change: (message: Json) => void): Fault
}

/** Makers of faults: `startHelpdesk({ fault: faults.card('url', '/a2a') })`. */
export const faults: FaultPresets = {
  ...streamFaults,
  ...accessFaults,
  card: (path, value) => ({ card: (card) => setPath(card, path, value) }),
  cardReply: (reply) => ({ reply: (own, request) => (isCardRequest(request) ? reply : own) }),
  result: (change) => ({
    reply: (own, request) => (isCardRequest(request) ? own : onResult(own, request, change)),
  }),
  resultField: (path, value) =>
    faults.result((result) => (hasPath(result, path) ? setPath(result, path, value) : result)),
  envelope: (change) => ({
    reply: (own, request) =>
      isObject(own.json) && 'jsonrpc' in own.json ? { ...own, json: change(own.json, request) } : own,
  }),
  callReply(reply, times = Infinity) {
    let left = times
    return {
      reply: (own, request) => (isCardRequest(request) || left-- <= 0 ? own : withId(reply, request)),
    }
  },
  method: (name, reply) => ({
    reply: (own, request) => (methodOf(request) === name ? withId(reply, request) : own),
  }),
  hears: (change) => ({
    request(request) {
      const body = parseJson(request.body)
      if (!isObject(body)) return request
      const message = isObject(body['params']) ? body['params']['message'] : body['message']
      if (isObject(message)) change(message)
      return { ...request, body: JSON.stringify(body) }
    },
  }),
}

function onResult(
  own: WireReply,
  request: WireRequest,
  change: (result: Json, request: WireRequest) => unknown,
): WireReply {
  const one = (json: unknown): unknown => {
    if (!isObject(json)) return json
    if (!('jsonrpc' in json)) return change(json, request)
    return isObject(json['result']) ? { ...json, result: change(json['result'], request) } : json
  }
  if (own.stream) return { ...own, stream: onResults(own.stream, (result) => change(result, request)) }
  if (own.events) return { ...own, events: own.events.map(one) }
  return own.json === undefined || (own.status ?? 200) >= 400 ? own : { ...own, json: one(own.json) }
}

/** An answer without a JSON-RPC id gets the id of the request. */
function withId(reply: WireReply, request: WireRequest): WireReply {
  if (!isObject(reply.json) || !('jsonrpc' in reply.json) || 'id' in reply.json) return reply
  const body = parseJson(request.body)
  return { ...reply, json: { ...reply.json, id: isObject(body) ? (body['id'] ?? null) : null } }
}

function methodOf(request: WireRequest): string | undefined {
  const body = parseJson(request.body)
  return isObject(body) && typeof body['method'] === 'string' ? body['method'] : undefined
}

function steps(path: string): string[] {
  return path.split(/[.[\]]+/).filter((step) => step !== '')
}

function hasPath(root: unknown, path: string): boolean {
  const parents = steps(path).slice(0, -1)
  return isContainer(parents.reduce<unknown>((at, step) => (isContainer(at) ? at[step] : undefined), root))
}

function setPath(root: Json, path: string, value: unknown): Json {
  const names = steps(path)
  const last = names.pop() ?? ''
  let at: Json = root
  for (const name of names) {
    const next = at[name]
    if (!isContainer(next))
      throw new Error(`There is no "${path}" to break: "${name}" is not an object or a list.`)
    at = next
  }
  if (value !== undefined) at[last] = value
  else if (Array.isArray(at)) at.splice(Number(last), 1)
  else delete at[last]
  return root
}

function isContainer(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}
