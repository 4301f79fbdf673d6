import { A2AReplyError } from '../core/errors.ts'
import { isRecord } from '../core/guards.ts'
import { codeOfReason, errorName } from '../protocol/errorCodes.ts'
import { describeBody, describePlainAnswer, excerpt, isGood, isTransient, labelOf } from '../http/answers.ts'
import type { Answered, WireBinding } from './binding.ts'
import { rpcError } from './jsonrpc.ts'

/**
 * HTTP+JSON: verbs and paths below one address (A2A 0.3 §3.2.3, A2A 1.0 §11). Error bodies of every version are understood:
 * google.rpc.Status (1.0), problem+json (1.0 release candidate), `{code, message}` and `{message}` (0.3 SDKs).
 */
export const rest: WireBinding<'HTTP+JSON'> = {
  accept: 'application/a2a+json, application/json',
  typeSource: 'A2A 0.3 §3.2.3, A2A 1.0 §11.1',
  mayBeEmpty: true,
  hasErrorBodies: true,
  encode: ({ url, call: { verb, path, query, body = {} } }) => ({
    method: verb,
    url: joinRest(url, path, query),
    ...(verb === 'POST' && { payload: body }),
  }),
  label: ({ verb, path }) => `${verb} ${path}`,
  content: ({ body }) => body,
  expected: ({ method }) => `the JSON of ${method}`,

  read(json, answered) {
    const error = readError(json, answered)
    if (error !== undefined) throw error
    return isGood(answered.response.status) ? { result: json, findings: [] } : undefined
  },

  readEvents(answered) {
    const plain = { ...answered, wantsStream: false }
    return (json, event) => {
      const error = readError(json, plain)
      if (error !== undefined) throw error
      if (event.event === 'error') throw errorEvent(json, plain)
      return json
    }
  },

  // Any JSON with a good status is an answer.
  unknown: errorEvent,
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
function readError(json: unknown, answered: Answered): A2AReplyError | undefined {
  if (!isRecord(json)) return undefined
  if ('jsonrpc' in json && isRecord(json['error'])) return rpcError(json['error'], answered)
  const { response, wantsStream, context } = answered
  const known =
    fromStatus(json) ?? fromProblem(json) ?? fromCode(json) ?? fromMessageAlone(json, response.status)
  if (known === undefined) return undefined
  const { code, message, data } = known
  const name = errorName(code, context.dialect)
  const said = message === undefined || message === '' ? ' without a message' : `: "${excerpt(message)}"`
  const plain =
    wantsStream && isGood(response.status) ? `; the call was ${describePlainAnswer(response)}` : ''
  return new A2AReplyError(
    'RPC_ERROR',
    `${context.call.method} was answered with error ${code}${name === undefined ? '' : ` (${name})`}${said} ` +
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
function errorEvent(json: unknown, { response, context }: Answered): A2AReplyError {
  return new A2AReplyError(
    'RPC_ERROR',
    `${context.call.method} failed within its stream: ${describeBody(response, JSON.stringify(json))} (${labelOf(response)})`,
    { status: response.status, data: json },
  )
}
