import { A2AReplyError } from '../core/errors.ts'
import { isRecord } from '../core/guards.ts'
import type { RestCall } from '../protocol/codec.ts'
import {
  badStatus,
  describeBody,
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
import { rpcError } from './jsonrpc.ts'
import { codeOfReason, rpcErrorName } from './rpcErrors.ts'
import { sniff } from '../http/sniff.ts'
import type { OpenResponse, Transport } from '../http/types.ts'

/** One call in the HTTP+JSON binding. */
export interface RestContext extends CallContext {
  call: RestCall
}

/**
 * Makes one HTTP+JSON call. Error bodies of every version are understood: google.rpc.Status (1.0), problem+json (1.0 release
 * candidate), `{code, message}` and `{message}` (0.3 SDKs). Throws A2AReplyError `RPC_ERROR` when the body says which A2A error
 * it is, else `HTTP_STATUS`; `NOT_JSON`; and what `Transport.open` throws.
 */
export async function callRest(transport: Transport, context: RestContext): Promise<CallResult> {
  const { call, addressFrom, accept = 'application/a2a+json, application/json', signal } = context
  const body = call.verb === 'POST' ? JSON.stringify(call.body ?? {}) : undefined
  const response = await transport.open({
    method: call.verb,
    url: joinRest(context.url, call.path, call.query),
    headers: {
      ...context.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      accept,
    },
    ...(body === undefined ? {} : { body }),
    purpose: call.method,
    timeoutMs: context.timeoutMs,
    timeoutOption: context.timeoutOption,
    ...(addressFrom === undefined ? {} : { addressFrom }),
    ...(signal === undefined ? {} : { signal }),
  })
  const findings = withheldFindings(transport, response, addressFrom)

  const wantsStream = accept.includes('text/event-stream')
  const readStream = (stream: OpenResponse): CallResult =>
    eventsOf(transport, stream, findings, (json, event) => {
      const error = readError(json, response, call.method)
      if (error !== undefined) throw error
      if (event.event === 'error') throw errorEvent(json, response, call.method)
      return json
    })
  if (isStream(response) && isGood(response.status)) return readStream(response)
  const sniffed =
    wantsStream && isGood(response.status) ? await sniff(transport, response, context) : undefined
  if (sniffed?.kind === 'stream') {
    findings.push(sniffed.finding)
    return readStream(sniffed.response)
  }

  const text = sniffed === undefined ? await response.text() : sniffed.text
  const parsed = tryJson(text)
  if (!isGood(response.status)) {
    const known = parsed === undefined ? undefined : readError(parsed.json, response, call.method)
    throw (
      known ??
      badStatus(
        transport,
        response,
        text,
        {
          payload: call.body,
          ...(body === undefined ? {} : { body }),
          ...(addressFrom === undefined ? {} : { addressFrom }),
        },
        parsed === undefined ? {} : { data: parsed.json },
      )
    )
  }
  if (text.trim() === '') return { kind: 'result', result: undefined, findings, exchange: response.exchange }
  if (parsed === undefined) throw notJson(response, text, `the JSON of ${call.method}`)
  const error = readError(parsed.json, response, call.method, wantsStream)
  if (error !== undefined) throw error
  findings.push(...typeFindings(response, 'A2A 0.3 §3.2.3, A2A 1.0 §11.1'))
  if (wantsStream) findings.push(plainAnswerFinding(response))
  return { kind: 'result', result: parsed.json, findings, exchange: response.exchange }
}

/**
 * The address of a REST call: the interface's URL, without a slash at its end, and the path. A URL that already ends in /v1 does
 * not get a second one; a query in the URL is kept.
 */
export function joinRest(base: string, path: string, query: Record<string, string> = {}): string {
  let url: URL
  try {
    url = new URL(base)
  } catch {
    // The transport says what is wrong with it.
    return base
  }
  const stem = url.pathname.replace(/\/+$/, '')
  const slashed = path.startsWith('/') ? path : `/${path}`
  url.pathname =
    stem.endsWith('/v1') && /^\/v1(\/|$)/.test(slashed) ? stem + slashed.slice(3) : stem + slashed
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

interface KnownError {
  code: number
  message?: string
  data: unknown
}

/** The A2A error that a body is, or undefined when it does not say so. */
function readError(
  json: unknown,
  response: OpenResponse,
  method: string,
  wantsStream = false,
): A2AReplyError | undefined {
  if (!isRecord(json)) return undefined
  if ('jsonrpc' in json && isRecord(json['error']))
    return rpcError(json['error'], response, method, wantsStream)
  const known =
    fromStatus(json) ?? fromProblem(json) ?? fromCode(json) ?? fromMessageAlone(json, response.status)
  if (known === undefined) return undefined
  const { code, message, data } = known
  const name = rpcErrorName(code, 'GetTask')
  const said = message === undefined || message === '' ? ' without a message' : `: "${excerpt(message)}"`
  const plain =
    wantsStream && isGood(response.status) ? `; the call was ${describePlainAnswer(response)}` : ''
  return new A2AReplyError(
    'RPC_ERROR',
    `${method} was answered with error ${code}${name === undefined ? '' : ` (${name})`}${said} ` +
      `(${labelOf(response)}, HTTP ${response.status})${plain}`,
    { status: response.status, rpcCode: code, data, transient: isTransient(response.status) },
  )
}

/** google.rpc.Status with an ErrorInfo (A2A 1.0 §11.6). The reason decides, never the status, which has many meanings. */
function fromStatus(json: Record<string, unknown>): KnownError | undefined {
  const status = isRecord(json['error']) ? json['error'] : json
  if (!Array.isArray(status['details'])) return undefined
  for (const detail of status['details'] as unknown[]) {
    if (!isRecord(detail) || typeof detail['reason'] !== 'string') continue
    const domain = detail['domain']
    if (typeof domain === 'string' && domain !== '' && domain !== 'a2a-protocol.org') continue
    const code = codeOfReason(detail['reason'])
    if (code !== undefined) return { code, ...messageOf(status['message']), data: status }
  }
  return undefined
}

/** RFC 9457, as in the release candidates of 1.0: the type ends in the error's name. */
function fromProblem(json: Record<string, unknown>): KnownError | undefined {
  const type = json['type']
  if (typeof type !== 'string') return undefined
  const name = /^https:\/\/a2a-protocol\.org\/errors\/([a-z-]+)\/?$/.exec(type)?.[1]
  const code = name === undefined ? undefined : codeOfReason(name.replace(/-error$/, ''))
  return code === undefined ? undefined : { code, ...messageOf(json['detail'] ?? json['title']), data: json }
}

/** `{code: -32001, message}` of the 0.3 JavaScript SDK. */
function fromCode(json: Record<string, unknown>): KnownError | undefined {
  const body = isRecord(json['error']) ? json['error'] : json
  const code = body['code']
  if (typeof code !== 'number' || code > -32000 || code < -32768) return undefined
  return { code, ...messageOf(body['message']), data: body['data'] ?? body }
}

const pythonStatuses: Record<number, number> = { 409: -32002, 415: -32005, 422: -32602 }

/** `{message}` alone, of the 0.3 Python SDK: its HTTP status tells the error, a 404 only when it speaks of a task. */
function fromMessageAlone(json: Record<string, unknown>, status: number): KnownError | undefined {
  const message = json['message']
  if (isGood(status) || typeof message !== 'string' || Object.keys(json).length !== 1) return undefined
  const code = status === 404 && /\btask\b/i.test(message) ? -32001 : pythonStatuses[status]
  return code === undefined ? undefined : { code, message, data: json }
}

function messageOf(value: unknown): { message?: string } {
  return typeof value === 'string' ? { message: value } : {}
}

/** An `event: error` whose body names no A2A error. */
function errorEvent(json: unknown, response: OpenResponse, method: string): A2AReplyError {
  return new A2AReplyError(
    'RPC_ERROR',
    `${method} failed within its stream: ${describeBody(response, JSON.stringify(json))} (${labelOf(response)})`,
    { status: response.status, data: json },
  )
}
