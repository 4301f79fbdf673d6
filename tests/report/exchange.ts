import type { Exchange } from '../../src/http/types.ts'

/** A plain exchange, to be varied. */
export function exchange(over: Partial<Exchange> = {}): Exchange {
  return {
    purpose: 'SendMessage',
    method: 'POST',
    url: 'http://127.0.0.1:4100/rpc',
    requestHeaders: { 'content-type': 'application/json' },
    requestBody: '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{}}',
    withheld: [],
    status: 200,
    responseHeaders: { 'content-type': 'application/json; charset=utf-8' },
    responseBody: '{"jsonrpc":"2.0","id":1,"result":{"kind":"message"}}',
    responseBytes: 52,
    redirects: [],
    startedAt: 1_700_000_000_000,
    ms: 14.4,
    ...over,
  }
}
