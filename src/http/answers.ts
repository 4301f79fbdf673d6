import { finding } from '../findings/finding.ts'
import { A2AReplyError, type A2AReplyErrorDetail } from '../core/errors.ts'
import type { Finding } from '../findings/types.ts'
import { isRecord } from '../core/guards.ts'
import { what } from './errors.ts'
import type { Exchange, OpenResponse, Transport } from './types.ts'

/** The answer to a call. Either form may answer either kind of call: servers stream unasked, and refuse to. */
export type CallResult =
  | {
      kind: 'result'
      /** The JSON-RPC `result`, or the body of a REST answer; undefined for an empty one. */
      result: unknown
      findings: Finding[]
      exchange: Exchange
    }
  | {
      kind: 'events'
      /** Each is the JSON-RPC `result`, or the REST event's body. Throws A2AReplyError, A2APolicyError, A2AConnectionError. */
      events: AsyncIterable<unknown>
      /**
       * The next event where it has arrived already, without a turn of the event loop; undefined where it must be awaited. Throws as
       * reading the events does; reading must stop then.
       */
      ready(): { value: unknown } | undefined
      /** Grows while the events are read. */
      findings: Finding[]
      exchange: Exchange
      /** Ends the connection; reading then ends without an error. */
      abort(): void
    }

/** `POST http://127.0.0.1:4100/rpc` for the address that answered. */
export function labelOf(response: OpenResponse): string {
  return what({ method: response.exchange.method, url: new URL(response.url) })
}

export function isStream(response: OpenResponse): boolean {
  return response.mediaType === 'text/event-stream'
}

export function isGood(status: number): boolean {
  return status >= 200 && status < 300
}

/** Parses a body, or gives undefined; never throws. */
export function tryJson(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The error for an answer that should have been JSON. */
export function notJson(response: OpenResponse, text: string, expected: string): A2AReplyError {
  const received =
    text.trim() === '' ? 'an empty body' : (describeHtml(response, text) ?? `"${excerpt(text)}"`)
  return new A2AReplyError(
    'NOT_JSON',
    `${labelOf(response)} answered HTTP ${response.status}${typeOf(response)} with ${received}, not with ${expected}`,
    { status: response.status, fix: 'Is this the address of the agent, and not of a page or a proxy?' },
  )
}

/** The error for an answer that is bad by its HTTP status, with all that helps: reason, challenge, size, who withheld what. */
export function badStatus(
  transport: Transport,
  response: OpenResponse,
  text: string,
  request: { body: string | undefined; payload: unknown; addressFrom: string | undefined },
  detail: A2AReplyErrorDetail = {},
): A2AReplyError {
  const { status, headers } = response
  const notes = [
    headers['www-authenticate'] === undefined ? '' : `WWW-Authenticate: ${headers['www-authenticate']}`,
    headers['retry-after'] === undefined ? '' : `Retry-After: ${headers['retry-after']}`,
  ].filter((note) => note !== '')
  const size = status === 413 ? ` for ${describeSize(request.body, request.payload)}` : ''
  const message =
    `${labelOf(response)} answered HTTP ${status}${size}` +
    `${notes.length === 0 ? '' : ` (${notes.join('; ')})`}: ${describeBody(response, text)}`
  const fix = fixOf(transport, response, request.addressFrom)
  return new A2AReplyError('HTTP_STATUS', message, {
    status,
    ...(status === 401 || status === 403 ? { finding: 'http/unauthorized' } : {}),
    transient: isTransient(status),
    ...(fix === undefined ? {} : { fix }),
    ...detail,
  })
}

/** True for the statuses after which the same request may succeed. */
export function isTransient(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504
}

/** A finding for headers that were left out, or nothing. */
export function withheldFindings(
  transport: Transport,
  response: OpenResponse,
  addressFrom: string | undefined,
): Finding[] {
  const note = describeWithheld(transport, response, addressFrom)
  return note === undefined
    ? []
    : [
        finding('wire/credentials-withheld', note, {
          path: addressFrom,
          fix: `If that origin is yours: trustedOrigins: ['${new URL(response.url).origin}'].`,
        }),
      ]
}

/** A finding for a media type that is not the right one, or nothing. */
export function typeFindings(response: OpenResponse, source: string): Finding[] {
  const { mediaType } = response
  if (mediaType === 'application/json' || mediaType.endsWith('+json') || mediaType.endsWith('/json'))
    return []
  return [
    finding(
      'wire/content-type',
      `the JSON answer of ${labelOf(response)} has ${mediaType === '' ? 'no content type' : `the content type "${mediaType}"`}`,
      { fix: 'Answer with content-type application/json.', source },
    ),
  ]
}

/** A finding for a stream call that got one plain answer. */
export function plainAnswerFinding(response: OpenResponse): Finding {
  return finding(
    'wire/stream-as-json',
    `a streaming call was ${describePlainAnswer(response)}; it was read as a stream of one event`,
  )
}

export function describePlainAnswer(response: OpenResponse): string {
  return `answered with ${response.mediaType === '' ? 'no content type' : response.mediaType}, not text/event-stream`
}

export function unterminatedFinding(): Finding {
  return finding('wire/sse-unterminated', 'the last SSE event was not terminated by a blank line')
}

/** What an error body says, as a quoted text, whatever framework wrote it. */
export function describeBody(response: OpenResponse, text: string): string {
  if (text.trim() === '') return 'an empty body'
  const html = describeHtml(response, text)
  if (html !== undefined) return html
  const parsed = tryJson(text)
  return JSON.stringify(excerpt(parsed === undefined ? text : (saidBy(parsed.json) ?? text)))
}

/** At most 300 characters, without line breaks and without base64. */
export function excerpt(text: string, length = 300): string {
  const short = hideBase64(text.slice(0, 100_000)).replace(/\s+/g, ' ').trim()
  return short.length <= length ? short : `${short.slice(0, length)}…`
}

/** Long runs of base64 as what they are: `<1398101 characters of base64>`. */
export function hideBase64(text: string): string {
  return text.replace(/[A-Za-z0-9+/]{120,}={0,2}/g, (run) => `<${run.length} characters of base64>`)
}

function saidBy(json: unknown): string | undefined {
  if (typeof json === 'string') return json
  if (!isRecord(json)) return undefined
  if (isRecord(json['error'])) return saidBy(json['error'])
  for (const name of ['error_description', 'message', 'detail', 'error', 'title', 'reason']) {
    const value = json[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

function describeHtml({ mediaType }: OpenResponse, text: string): string | undefined {
  if (!mediaType.includes('html') && !/^\s*(<!doctype html|<html)/i.test(text)) return undefined
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim()
  const titled = title === undefined || title === '' ? '' : ` titled "${excerpt(title, 80)}"`
  return `an HTML page${titled} (login page or proxy?)`
}

function typeOf({ mediaType }: OpenResponse): string {
  return mediaType === '' ? '' : ` ${mediaType}`
}

function describeWithheld(
  { typedOrigin }: Transport,
  { exchange, url }: OpenResponse,
  addressFrom: string | undefined,
): string | undefined {
  if (exchange.withheld.length === 0) return undefined
  const who =
    exchange.redirects.length > 0
      ? 'a redirect leads'
      : addressFrom === undefined
        ? 'the request goes'
        : 'the card points'
  const other =
    typedOrigin === undefined ? 'an origin that was not given' : `a different origin from ${typedOrigin}`
  return `${who} to ${new URL(url).origin}, ${other}; ${exchange.withheld.join(', ')} not sent there (option trustedOrigins)`
}

function fixOf(
  transport: Transport,
  response: OpenResponse,
  addressFrom: string | undefined,
): string | undefined {
  switch (response.status) {
    case 401:
    case 403:
      return (
        describeWithheld(transport, response, addressFrom) ??
        (response.status === 401
          ? 'Give credentials (options headers or credentials).'
          : 'The credentials that were given (options headers or credentials) do not allow this.')
      )
    case 404:
    case 405:
      return addressFrom === undefined
        ? 'Is the address right, and does it take this binding? Option endpoint calls another one.'
        : `Does the agent card's ${addressFrom} name the right path and binding? Option endpoint calls another one.`
    case 413:
      return 'Send smaller files, or files by url; or raise the limit of the server or the proxy before it.'
    case 415:
      return 'Requests of every A2A version are application/json.'
    default:
      return undefined
  }
}

/** `a request of 1398312 bytes (file part p.png: 1048576 bytes before base64)` */
function describeSize(body: string | undefined, payload: unknown): string {
  const files = filesIn(payload).map(
    ({ name, bytes }) => `file part${name === undefined ? '' : ` ${name}`}: ${bytes} bytes before base64`,
  )
  const list = files.length === 0 ? '' : ` (${files.slice(0, 5).join('; ')})`
  return `a request of ${Buffer.byteLength(body ?? '')} bytes${list}`
}

function filesIn(value: unknown, depth = 0): { name?: string; bytes: number }[] {
  if (depth > 6 || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => filesIn(each, depth + 1))
  const object = value as Record<string, unknown>
  const base64 = object['bytes'] ?? object['raw'] ?? object['fileWithBytes']
  if (typeof base64 === 'string') {
    const name = object['name'] ?? object['filename']
    return [
      {
        ...(typeof name === 'string' ? { name } : {}),
        bytes: Buffer.from(base64, 'base64').length,
      },
    ]
  }
  return Object.values(object).flatMap((each) => filesIn(each, depth + 1))
}
