import { faults, type Fault } from '../../src/testing/index.ts'
import type { Animal } from './faultyAgent.ts'
import { answering, echo10 } from './homes.ts'

const envelope = (patch: Record<string, unknown>): Fault => faults.envelope((own) => ({ ...own, ...patch }))
const refusing = (code: number, message: string): Fault =>
  faults.callReply({ json: { jsonrpc: '2.0', error: { code, message } } })

/** The JSON-RPC envelope. */
export const rpcEnvelope: Animal[] = [
  {
    name: 'leaves the version out of its envelope',
    finding: 'wire/rpc-version',
    level: 'warning',
    says: 'the response says "jsonrpc": nothing instead of "2.0"',
    path: 'jsonrpc',
    home: echo10,
    fault: envelope({ jsonrpc: undefined }),
  },
  {
    name: 'makes a text of the id',
    finding: 'wire/rpc-id',
    level: 'warning',
    says: 'response id "1" (string) does not equal request id 1 (number)',
    path: 'id',
    home: echo10,
    fault: envelope({ id: '1' }),
  },
  {
    name: 'leaves the id out',
    finding: 'wire/rpc-id',
    level: 'warning',
    says: 'the response has no id; the request has 1 (number)',
    home: echo10,
    fault: envelope({ id: undefined }),
  },
  {
    name: 'answers another request',
    finding: 'wire/rpc-id',
    level: 'error',
    says: 'response id 99 (number) does not equal request id 1 (number)',
    home: echo10,
    fault: envelope({ id: 99 }),
  },
  {
    name: 'answers a null id',
    finding: 'wire/rpc-id',
    level: 'error',
    says: 'response id null does not equal request id 1 (number)',
    home: echo10,
    fault: envelope({ id: null }),
  },
  {
    name: 'answers without an envelope',
    finding: 'wire/rpc-envelope',
    level: 'error',
    says: 'SendMessage was answered with JSON that is not a JSON-RPC response',
    home: echo10,
    fault: faults.callReply({ json: { message: 'Oslo' } }),
  },
  {
    name: 'answers one call with a batch',
    finding: 'wire/rpc-envelope',
    level: 'error',
    says: 'SendMessage was answered with a JSON array',
    home: echo10,
    fault: answering((own) => ({ ...own, json: [own.json] })),
  },
  {
    name: 'breaks down',
    finding: 'rpc/error',
    level: 'error',
    says: 'SendMessage was answered with error -32603 (InternalError): "quota used up"',
    home: echo10,
    fault: refusing(-32603, 'quota used up'),
  },
  {
    name: 'refuses a plain message',
    finding: 'rpc/error',
    level: 'error',
    says: 'error -32602 (InvalidParams): "message.kind is missing"',
    home: echo10,
    fault: refusing(-32602, 'message.kind is missing'),
  },
  {
    name: 'knows no way to send a message',
    finding: 'rpc/error',
    level: 'error',
    says: 'error -32601 (MethodNotFound): "Method not found"',
    home: echo10,
    fault: refusing(-32601, 'Method not found'),
  },
  {
    name: 'gives an error without a code',
    finding: 'rpc/error',
    level: 'error',
    says: 'an error without a code: "quota used up"',
    home: echo10,
    fault: faults.callReply({ json: { jsonrpc: '2.0', error: { message: 'quota used up' } } }),
  },
  {
    name: 'sends its result with HTTP 500',
    finding: 'wire/http-status',
    level: 'warning',
    says: 'a JSON-RPC result came with HTTP 500',
    home: echo10,
    fault: answering((own) => ({ ...own, status: 500 })),
  },
  {
    name: 'calls its JSON plain text',
    finding: 'wire/content-type',
    level: 'warning',
    says: 'has the content type "text/plain"',
    home: echo10,
    fault: answering((own) => ({ ...own, headers: { 'content-type': 'text/plain' } })),
  },
]
