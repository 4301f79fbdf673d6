import { Refusal } from './engine.ts'
import type { Json, WireReply, WireRequest } from './wire.ts'

/** A JSON-RPC request that is well formed. */
export interface RpcRequest {
  id: unknown
  method: string
  params: Json
}

/** Reads the envelope, calls the method and writes its result, or the refusal, into an envelope of its own. */
export function answerRpc(
  request: WireRequest,
  call: (rpc: RpcRequest) => { result: unknown } | { events: unknown[] },
): WireReply {
  let body: unknown
  try {
    body = JSON.parse(request.body)
  } catch {
    return rpcError(null, -32700, 'Parse error')
  }
  if (!isObject(body)) return rpcError(null, -32600, 'Invalid request')
  const id = body['id'] ?? null
  if (body['jsonrpc'] !== '2.0' || typeof body['method'] !== 'string') {
    return rpcError(id, -32600, 'Invalid request')
  }
  try {
    const params = isObject(body['params']) ? body['params'] : {}
    const answer = call({ id, method: body['method'], params })
    if ('events' in answer) {
      return { events: answer.events.map((result) => ({ jsonrpc: '2.0', id, result })) }
    }
    return { json: { jsonrpc: '2.0', id, result: answer.result } }
  } catch (error) {
    if (error instanceof Refusal) return rpcError(id, error.code, error.message)
    return rpcError(id, -32603, 'Internal error')
  }
}

export function rpcError(id: unknown, code: number, message: string): WireReply {
  return { json: { jsonrpc: '2.0', id, error: { code, message } } }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field that must be a text. */
export function textField(from: Json, name: string): string {
  const value = from[name]
  if (typeof value !== 'string') throw new Refusal(-32602, `Invalid params: ${name} must be a string`)
  return value
}

/** A field that may be a text. */
export function optionalText(from: Json, name: string): string | undefined {
  return from[name] === undefined ? undefined : textField(from, name)
}
