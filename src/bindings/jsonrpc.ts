import { A2AReplyError } from '../core/errors.ts'
import type { Finding } from '../core/finding.ts'
import { isRecord } from '../core/guards.ts'
import type { RpcCall } from '../protocol/codec.ts'
import {
  badStatus,
  describePlainAnswer,
  excerpt,
  isGood,
  isStream,
  isTransient,
  labelOf,
  notJson,
  plainAnswerFinding,
  tryJson,
  typeFindings,
  withheldFindings,
  type CallContext,
  type CallResult,
} from '../http/answers.ts'
import { eventsOf } from '../http/events.ts'
import { rpcErrorName } from './rpcErrors.ts'
import { sniff } from '../http/sniff.ts'
import type { OpenResponse, Transport } from '../http/types.ts'

export type { CallContext, CallResult } from '../http/answers.ts'

/** One call in the JSON-RPC binding. */
export interface RpcContext extends CallContext {
  call: RpcCall
  id: number | string
}

/**
 * Makes one JSON-RPC call. A JSON-RPC body counts before the HTTP status, as servers pair them in every way (A2A 1.0 §9.5).
 * Throws A2AReplyError `RPC_ERROR` (with `rpcCode`), `HTTP_STATUS`, `NOT_JSON`, `BAD_REPLY`, and what `Transport.open` throws.
 */
export async function callRpc(transport: Transport, context: RpcContext): Promise<CallResult> {
  const { url, call, id, addressFrom, accept = 'application/json', signal } = context
  const params = Object.keys(call.params).length === 0 ? {} : { params: call.params }
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: call.method, ...params })
  const response = await transport.open({
    method: 'POST',
    url,
    headers: { ...context.headers, 'content-type': 'application/json', accept },
    body,
    purpose: call.method,
    timeoutMs: context.timeoutMs,
    timeoutOption: context.timeoutOption,
    ...(addressFrom === undefined ? {} : { addressFrom }),
    ...(signal === undefined ? {} : { signal }),
  })
  const findings = withheldFindings(transport, response, addressFrom)

  const wantsStream = accept.includes('text/event-stream')
  const readStream = (stream: OpenResponse): CallResult => {
    let strayId = false
    return eventsOf(transport, stream, findings, (json) => {
      const envelope = readEnvelope(json, response, call.method)
      if (envelope === undefined) throw notRpc(json, response, call.method)
      const odd = oddId(envelope, id, response)
      // One reply, one connection: an event can belong to nothing else, so a wrong id costs a warning at most.
      if (odd !== undefined && !strayId) {
        strayId = true
        findings.push(odd.finding)
      }
      return envelope['result']
    })
  }
  if (isStream(response) && isGood(response.status)) return readStream(response)
  const sniffed =
    wantsStream && isGood(response.status) ? await sniff(transport, response, context) : undefined
  if (sniffed?.kind === 'stream') {
    findings.push(sniffed.finding)
    return readStream(sniffed.response)
  }

  const text = sniffed === undefined ? await response.text() : sniffed.text
  const parsed = tryJson(text)
  const envelope =
    parsed === undefined ? undefined : readEnvelope(parsed.json, response, call.method, wantsStream)
  if (parsed === undefined || envelope === undefined) {
    if (!isGood(response.status)) {
      throw badStatus(transport, response, text, {
        body,
        payload: call.params,
        ...(addressFrom === undefined ? {} : { addressFrom }),
      })
    }
    throw parsed === undefined
      ? notJson(response, text, 'a JSON-RPC response')
      : notRpc(parsed.json, response, call.method)
  }

  findings.push(
    ...typeFindings(response, 'A2A 0.3 §3.2.1, A2A 1.0 §9.1'),
    ...envelopeFindings(envelope, response),
  )
  if (wantsStream) findings.push(plainAnswerFinding(response))
  const odd = oddId(envelope, id, response)
  if (odd !== undefined) {
    if (odd.fails)
      throw new A2AReplyError('BAD_REPLY', odd.finding.message, {
        finding: 'wire/rpc-id',
        status: response.status,
        fix: odd.fix,
      })
    findings.push(odd.finding)
  }
  return { kind: 'result', result: envelope['result'], findings, exchange: response.exchange }
}

type Envelope = Record<string, unknown>

/** The envelope of a success; throws the error of a failure; undefined for JSON that is no JSON-RPC response. */
function readEnvelope(
  json: unknown,
  response: OpenResponse,
  method: string,
  wantsStream = false,
): Envelope | undefined {
  if (!isRecord(json)) return undefined
  const error = json['error']
  if (isRecord(error) && ('code' in error || 'jsonrpc' in json)) {
    throw rpcError(error, response, method, wantsStream)
  }
  const hasError = error !== undefined && error !== null
  if (hasError) return undefined
  // Some servers leave `result` out where it is null (after a delete), so the version alone makes a response.
  return 'result' in json || 'jsonrpc' in json ? json : undefined
}

/** The error that a JSON-RPC error object becomes. */
export function rpcError(
  error: Record<string, unknown>,
  response: OpenResponse,
  method: string,
  wantsStream = false,
): A2AReplyError {
  const { message, data } = error
  const code = Number(error['code'])
  const known = error['code'] !== null && Number.isInteger(code)
  const name = known ? rpcErrorName(code, method) : undefined
  const said =
    typeof message === 'string' && message !== '' ? `: "${excerpt(message)}"` : ' without a message'
  const numbered = known
    ? `error ${code}`
    : error['code'] === undefined
      ? 'an error without a code'
      : `error ${JSON.stringify(error['code'])}`
  const more = data === undefined || data === null ? '' : `; data: ${excerpt(JSON.stringify(data))}`
  const status = isGood(response.status) ? '' : `, HTTP ${response.status}`
  const plain =
    wantsStream && isGood(response.status) ? `; the call was ${describePlainAnswer(response)}` : ''
  return new A2AReplyError(
    'RPC_ERROR',
    `${method} was answered with ${numbered}` +
      `${name === undefined ? '' : ` (${name})`}${said}${more} (${labelOf(response)}${status})${plain}`,
    {
      status: response.status,
      transient: isTransient(response.status),
      ...(known ? { rpcCode: code } : {}),
      ...(data === undefined ? {} : { data }),
    },
  )
}

function notRpc(json: unknown, response: OpenResponse, method: string): A2AReplyError {
  const what = Array.isArray(json)
    ? 'a JSON array'
    : isRecord(json) && 'error' in json
      ? 'an error that is no JSON-RPC error'
      : 'JSON that is no JSON-RPC response (neither "jsonrpc" nor "result" nor "error")'
  return new A2AReplyError(
    'BAD_REPLY',
    `${method} was answered with ${what}: ${excerpt(JSON.stringify(json) ?? '')} (${labelOf(response)}, HTTP ${response.status})`,
    {
      finding: 'wire/rpc-envelope',
      status: response.status,
      fix: 'Is this the address of the JSON-RPC binding? HTTP+JSON answers look like this.',
    },
  )
}

function envelopeFindings(envelope: Envelope, response: OpenResponse): Finding[] {
  const findings: Finding[] = []
  if (envelope['jsonrpc'] !== '2.0') {
    findings.push({
      id: 'wire/rpc-version',
      level: 'warning',
      path: 'jsonrpc',
      message: `the response says "jsonrpc": ${JSON.stringify(envelope['jsonrpc']) ?? 'nothing'} instead of "2.0"`,
      fix: 'Write "jsonrpc": "2.0" into every response.',
      source: 'JSON-RPC 2.0 §5',
    })
  }
  if (!isGood(response.status)) {
    findings.push({
      id: 'wire/http-status',
      level: 'warning',
      message: `a JSON-RPC result came with HTTP ${response.status}`,
      fix: 'Answer results with HTTP 200.',
      source: 'A2A 1.0 §9.1',
    })
  }
  return findings
}

interface OddId {
  finding: Finding
  fix: string
  /** True when the answer cannot be taken for the answer to this request. */
  fails: boolean
}

/** What is wrong with the id of a success, or undefined. */
function oddId(envelope: Envelope, sent: number | string, response: OpenResponse): OddId | undefined {
  const received = envelope['id']
  if (received === sent) return undefined
  const sameText =
    (typeof received === 'string' || typeof received === 'number') && String(received) === String(sent)
  const message =
    received === undefined
      ? `the response has no id; the request has ${withType(sent)}`
      : `response id ${withType(received)} does not equal request id ${withType(sent)}`
  const fix = 'Copy the id of the request into the response, with its type.'
  return {
    finding: {
      id: 'wire/rpc-id',
      level: 'warning',
      path: 'id',
      message: `${message} (${labelOf(response)})`,
      fix,
      source: 'JSON-RPC 2.0 §5',
    },
    fix,
    fails: received !== undefined && !sameText,
  }
}

function withType(id: unknown): string {
  return id === null ? 'null' : `${JSON.stringify(id)} (${typeof id})`
}
