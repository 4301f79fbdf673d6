import { finding } from '../findings/finding.ts'
import { A2AReplyError } from '../core/errors.ts'
import type { Finding } from '../findings/types.ts'
import { isRecord } from '../core/guards.ts'
import { errorName } from '../protocol/errorCodes.ts'
import { describePlainAnswer, excerpt, isGood, isTransient, labelOf } from '../http/answers.ts'
import type { OpenResponse } from '../http/types.ts'
import type { Answered, WireBinding } from './binding.ts'

/** JSON-RPC 2.0 over HTTP: every call is a POST to one address (A2A 0.3 §3.2.1, A2A 1.0 §9). */
export const jsonRpc: WireBinding<'JSONRPC'> = {
  accept: 'application/json',
  typeSource: 'A2A 0.3 §3.2.1, A2A 1.0 §9.1',
  mayBeEmpty: false,
  hasErrorBodies: false,
  encode: ({ url, id, call: { method, params } }) => ({
    method: 'POST',
    url,
    payload:
      Object.keys(params).length === 0
        ? { jsonrpc: '2.0', id, method }
        : { jsonrpc: '2.0', id, method, params },
  }),
  label: ({ method }) => method,
  content: ({ params }) => params,
  expected: () => 'a JSON-RPC response',

  read(json, answered) {
    const envelope = readEnvelope(json, answered)
    if (envelope === undefined) return undefined
    const { response, context } = answered
    const odd = oddId(envelope, context.id, response)
    if (odd?.fails === true) {
      const { message, fix } = odd.finding
      throw new A2AReplyError('BAD_REPLY', message, {
        finding: 'wire/rpc-id',
        status: response.status,
        ...(fix !== undefined && { fix }),
      })
    }
    const findings = envelopeFindings(envelope, response)
    if (odd !== undefined) findings.push(odd.finding)
    return { result: envelope['result'], findings }
  },

  readEvents(answered, note) {
    const { response, context } = answered
    let isNoted = false
    return (json) => {
      const envelope = readEnvelope(json, { ...answered, wantsStream: false })
      if (envelope === undefined) throw notRpc(json, answered)
      // One reply, one connection: an event can belong to nothing else, so a wrong id is a warning at most.
      const odd = isNoted ? undefined : oddId(envelope, context.id, response)
      if (odd !== undefined) {
        isNoted = true
        note(odd.finding)
      }
      return envelope['result']
    }
  },

  unknown: notRpc,
}

type Envelope = Record<string, unknown>

/** The envelope of a success; throws the error of a failure; undefined for JSON that is not a JSON-RPC response. */
function readEnvelope(json: unknown, answered: Answered): Envelope | undefined {
  if (!isRecord(json)) return undefined
  const error = json['error']
  if (isRecord(error) && ('code' in error || 'jsonrpc' in json)) throw rpcError(error, answered)
  const hasError = error !== undefined && error !== null
  if (hasError) return undefined
  // Some servers leave `result` out where it is null (after a delete), so the version alone makes a response.
  return 'result' in json || 'jsonrpc' in json ? json : undefined
}

/** The error that a JSON-RPC error object becomes. */
export function rpcError(error: Record<string, unknown>, answered: Answered): A2AReplyError {
  const { response, wantsStream, context } = answered
  const { method } = context.call
  const { message, data } = error
  const code = Number(error['code'])
  const known = error['code'] !== null && Number.isInteger(code)
  const name = known ? errorName(code, context.dialect) : undefined
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

function notRpc(json: unknown, { response, context }: Answered): A2AReplyError {
  const what = Array.isArray(json)
    ? 'a JSON array'
    : isRecord(json) && 'error' in json
      ? 'an error that is not a JSON-RPC error'
      : 'JSON that is not a JSON-RPC response (neither "jsonrpc" nor "result" nor "error")'
  return new A2AReplyError(
    'BAD_REPLY',
    `${context.call.method} was answered with ${what}: ${excerpt(JSON.stringify(json) ?? '')} (${labelOf(response)}, HTTP ${response.status})`,
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
    findings.push(
      finding(
        'wire/rpc-version',
        `the response says "jsonrpc": ${JSON.stringify(envelope['jsonrpc']) ?? 'nothing'} instead of "2.0"`,
        { path: 'jsonrpc' },
      ),
    )
  }
  if (!isGood(response.status)) {
    findings.push(finding('wire/http-status', `a JSON-RPC result came with HTTP ${response.status}`))
  }
  return findings
}

interface OddId {
  finding: Finding
  /** True when this cannot be the answer to the request. */
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
  return {
    finding: finding('wire/rpc-id', `${message} (${labelOf(response)})`, { path: 'id' }),
    fails: received !== undefined && !sameText,
  }
}

function withType(id: unknown): string {
  return id === null ? 'null' : `${JSON.stringify(id)} (${typeof id})`
}
