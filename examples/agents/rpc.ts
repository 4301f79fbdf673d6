import { Refusal } from './task.ts'
import type { Json, WireReply, WireRequest } from './wire.ts'

/** A valid JSON-RPC request. */
export interface RpcRequest {
  id: unknown
  method: string
  params: Json
}

/** What a method returns: one result, or several over time. */
export type MethodAnswer = { result: unknown } | { stream: AsyncIterable<unknown> }

/** Methods by their names. */
export type Methods = Record<string, (params: Json) => MethodAnswer | Promise<MethodAnswer>>

/** Calls the method of that name, or throws a refusal. */
export function methodOf(
  methods: Methods,
): (method: string, params: Json) => MethodAnswer | Promise<MethodAnswer> {
  return (method, params) => {
    const own = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!own) throw new Refusal(-32601, `Method not found: ${method}`)
    return own(params)
  }
}

/** Reads the envelope, calls the method and writes its result, or the refusal, into a response. */
export async function answerRpc(
  request: WireRequest,
  call: (rpc: RpcRequest) => MethodAnswer | Promise<MethodAnswer>,
): Promise<WireReply> {
  const body = parseJson(request.body)
  if (body === undefined) return rpcError(null, -32700, 'Parse error')
  if (!isObject(body)) return rpcError(null, -32600, 'Invalid request')
  const id = body['id'] ?? null
  if (body['jsonrpc'] !== '2.0' || typeof body['method'] !== 'string') {
    return rpcError(id, -32600, 'Invalid request')
  }
  try {
    const params = isObject(body['params']) ? body['params'] : {}
    const answer = await call({ id, method: body['method'], params })
    if ('stream' in answer) {
      return { stream: mapStream(answer.stream, (result) => ({ jsonrpc: '2.0', id, result })) }
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

/** The value of a JSON text; undefined if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** True for a request that asks for the agent card, and not for one that calls the agent. */
export function isCardRequest(request: WireRequest): boolean {
  return request.method === 'GET' && (request.path.endsWith('.json') || request.path === '/api/agent')
}

/** A required string field. */
export function textField(from: Json, name: string): string {
  const value = from[name]
  if (typeof value !== 'string') throw new Refusal(-32602, `Invalid params: ${name} must be a string`)
  return value
}

/** An optional string field. */
export function optionalText(from: Json, name: string): string | undefined {
  return from[name] === undefined ? undefined : textField(from, name)
}

/** Maps each value; if the reader stops, so does the source. */
export function mapStream<From, To>(
  source: AsyncIterable<From>,
  change: (value: From) => To,
): AsyncIterable<To> {
  return {
    [Symbol.asyncIterator]() {
      const reader = source[Symbol.asyncIterator]()
      return {
        async next() {
          const { done, value } = await reader.next()
          return done ? { done, value: undefined } : { done: false, value: change(value) }
        },
        async return() {
          await reader.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
