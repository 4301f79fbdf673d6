import { faults, type Fault, type Json, type WireRequest } from '../../src/testing/index.ts'

/** The JSON-RPC method of a request. */
export function methodOf({ body }: WireRequest): string | undefined {
  return body === '' ? undefined : (JSON.parse(body) as { method?: string }).method
}

/** Changes the results of these methods. */
export function onResult(methods: readonly string[], change: (result: Json) => unknown): Fault {
  return faults.result((result, request) =>
    methods.includes(methodOf(request) ?? '') ? change(result) : result,
  )
}

/** Changes the parameters of these methods before the agent reads them. */
export function onParams(methods: readonly string[], change: (params: Json) => Json): Fault {
  return {
    request(request) {
      if (!methods.includes(methodOf(request) ?? '')) return request
      const rpc = JSON.parse(request.body) as { params?: Json }
      return { ...request, body: JSON.stringify({ ...rpc, params: change(rpc.params ?? {}) }) }
    },
  }
}

/** Answers a method with an error. */
export function errorOf(method: string, code: number, message: string): Fault {
  return faults.method(method, { json: { jsonrpc: '2.0', error: { code, message } } })
}
