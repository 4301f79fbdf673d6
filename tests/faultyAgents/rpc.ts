import { faults, type Fault } from '../../src/testing/index.ts'
import type { FaultyAgent } from './faultyAgent.ts'
import { answering, echo10 } from './baseAgents.ts'

const envelope = (patch: Record<string, unknown>): Fault => faults.envelope((own) => ({ ...own, ...patch }))
const refusing = (code: number, message: string): Fault =>
  faults.callReply({ json: { jsonrpc: '2.0', error: { code, message } } })

/** The JSON-RPC envelope. */
export const rpcEnvelope: FaultyAgent[] = [
  {
    name: 'leaves the version out of its envelope',
    finding: 'wire/rpc-version',
    level: 'warning',
    message: 'the response says "jsonrpc": nothing instead of "2.0"',
    path: 'jsonrpc',
    start: echo10,
    fault: envelope({ jsonrpc: undefined }),
  },
  {
    name: 'makes a text of the id',
    finding: 'wire/rpc-id',
    level: 'warning',
    message: 'response id "1" (string) does not equal request id 1 (number)',
    path: 'id',
    start: echo10,
    fault: envelope({ id: '1' }),
  },
  {
    name: 'leaves the id out',
    finding: 'wire/rpc-id',
    level: 'warning',
    message: 'the response has no id; the request has 1 (number)',
    start: echo10,
    fault: envelope({ id: undefined }),
  },
  {
    name: 'answers another request',
    finding: 'wire/rpc-id',
    level: 'error',
    message: 'response id 99 (number) does not equal request id 1 (number)',
    start: echo10,
    fault: envelope({ id: 99 }),
  },
  {
    name: 'answers a null id',
    finding: 'wire/rpc-id',
    level: 'error',
    message: 'response id null does not equal request id 1 (number)',
    start: echo10,
    fault: envelope({ id: null }),
  },
  {
    name: 'answers without an envelope',
    finding: 'wire/rpc-envelope',
    level: 'error',
    message: 'SendMessage was answered with JSON that is not a JSON-RPC response',
    start: echo10,
    fault: faults.callReply({ json: { message: 'Oslo' } }),
  },
  {
    name: 'answers one call with a batch',
    finding: 'wire/rpc-envelope',
    level: 'error',
    message: 'SendMessage was answered with a JSON array',
    start: echo10,
    fault: answering((own) => ({ ...own, json: [own.json] })),
  },
  {
    name: 'breaks down',
    finding: 'rpc/error',
    level: 'error',
    message: 'SendMessage was answered with error -32603 (InternalError): "quota used up"',
    start: echo10,
    fault: refusing(-32603, 'quota used up'),
  },
  {
    name: 'refuses a plain message',
    finding: 'rpc/error',
    level: 'error',
    message: 'error -32602 (InvalidParams): "message.kind is missing"',
    start: echo10,
    fault: refusing(-32602, 'message.kind is missing'),
  },
  {
    name: 'knows no way to send a message',
    finding: 'rpc/error',
    level: 'error',
    message: 'error -32601 (MethodNotFound): "Method not found"',
    start: echo10,
    fault: refusing(-32601, 'Method not found'),
  },
  {
    name: 'gives an error without a code',
    finding: 'rpc/error',
    level: 'error',
    message: 'an error without a code: "quota used up"',
    start: echo10,
    fault: faults.callReply({ json: { jsonrpc: '2.0', error: { message: 'quota used up' } } }),
  },
  {
    name: 'sends its result with HTTP 500',
    finding: 'wire/http-status',
    level: 'warning',
    message: 'a JSON-RPC result came with HTTP 500',
    start: echo10,
    fault: answering((own) => ({ ...own, status: 500 })),
  },
  {
    name: 'calls its JSON plain text',
    finding: 'wire/content-type',
    level: 'warning',
    message: 'has the content type "text/plain"',
    start: echo10,
    fault: answering((own) => ({ ...own, headers: { 'content-type': 'text/plain' } })),
  },
]
