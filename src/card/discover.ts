import { finding } from '../findings/finding.ts'
import type { Deps } from '../core/deps.ts'
import { A2AReplyError, A2AUsageError, isA2AError, type A2AError } from '../core/errors.ts'
import type { Finding } from '../findings/types.ts'
import type { OpenResponse, Transport } from '../http/types.ts'
import type { CardAttempt, CardVersion, Discovery } from './types.ts'
import { httpUrl, isObject, show } from './values.ts'
import { profileOf } from '../protocol/versions/profiles.ts'

/** Where to look for a card. */
export interface CardQuestion {
  /** What the user typed: the agent's base URL, or the URL of its card, ending in `.json`. */
  target: string
  /** The card's own address (absolute, or relative to the target); nothing else is requested then. */
  cardUrl?: string
  /** Version whose card is wanted, of an agent that serves several. Default: 1.0. */
  version?: CardVersion
  transport: Transport
  signal?: AbortSignal
  deps?: Deps
}

/**
 * Looks for the agent card and keeps the first 200 answer that is a JSON object; otherwise every location is tried, whatever the
 * ones before it answered. Throws A2AUsageError `BAD_SUBJECT` for an address that is none, and A2AConnectionError `DEADLINE` or
 * `ABORTED` when the caller's deadline has passed. No answer is not an exception: see `discoveryError`.
 */
export async function discoverCard(question: CardQuestion): Promise<Discovery> {
  const discovery: Discovery = { attempts: [], findings: [] }
  for (const url of cardLocations(question.target, question.cardUrl)) {
    const { attempt, found } = await tryLocation(url, question, discovery.findings)
    discovery.attempts.push(attempt)
    if (found !== undefined) return { ...discovery, found }
  }
  return discovery
}

/**
 * The locations of a card in the order in which they are tried: below the typed path, then at the origin, the newer name first.
 * Source: A2A 0.3 §5.3, A2A 0.2 §5.3.
 */
export function cardLocations(target: string, cardUrl?: string): string[] {
  const base = httpUrl(target.trim())
  if (cardUrl !== undefined) {
    const at = httpUrl(cardUrl.trim()) ?? resolve(cardUrl, base)
    if (at === undefined) throw notAnAddress('option cardUrl', cardUrl)
    return [withoutHash(at)]
  }
  if (base === undefined) throw notAnAddress('the agent address', target)
  if (/\.json\/*$/i.test(base.pathname)) {
    base.pathname = base.pathname.replace(/\/+$/, '')
    return [withoutHash(base)]
  }
  const path = base.pathname.replace(/\/+$/, '')
  const names = ['agent-card.json', 'agent.json']
  const locations = [path, ''].flatMap((below) =>
    names.map((name) => {
      const url = new URL(base.href)
      // Joined by string: resolving against the base would throw its path away. A typed query may be what lets us in, so it stays.
      url.pathname = `${below}/.well-known/${name}`
      return withoutHash(url)
    }),
  )
  return [...new Set(locations)]
}

interface Located {
  attempt: CardAttempt
  found?: NonNullable<Discovery['found']>
}

const v10 = { 'A2A-Version': '1.0' }

async function tryLocation(url: string, question: CardQuestion, findings: Finding[]): Promise<Located> {
  const failed = (error: unknown): Located => ({ attempt: failure(url, error, question.transport) })
  let response: OpenResponse
  try {
    // An agent that serves both versions recognizes 0.x clients by the missing header.
    const [asked, other] =
      question.version === undefined || profileOf(question.version).headers.version !== undefined
        ? [v10, {}]
        : [{}, v10]
    response = await request(url, question, asked)
    const refused = response.status
    if (refused === 400 || refused === 406) {
      // Servers with interfaces of the other kind only may refuse the version instead of answering with their card.
      response.abort()
      response = await request(url, question, other)
      if (response.status === 200) {
        const [before, after] = asked === v10 ? ['with', 'without'] : ['without', 'with']
        findings.push(
          finding(
            'card/version-header',
            `${url} answered ${refused} to a request ${before} the header A2A-Version: 1.0, and 200 to one ${after} it`,
          ),
        )
      }
    }
  } catch (error) {
    return failed(error)
  }
  const head = { url, found: false, status: response.status, exchange: response.exchange }
  const answered = [response.status, response.mediaType].join(' ').trim()
  if (response.status !== 200) {
    response.abort()
    const challenge = response.headers['www-authenticate']
    const asked = challenge === undefined ? '' : ` (WWW-Authenticate: ${challenge})`
    return { attempt: { ...head, outcome: answered + asked } }
  }
  let body: string
  try {
    body = await response.text()
  } catch (error) {
    const { attempt } = failed(error)
    return { attempt: { ...head, outcome: `${answered}, ${attempt.outcome}`, error: error as A2AError } }
  }
  const json = readJson(body)
  if (!isObject(json)) return { attempt: { ...head, outcome: `${answered}, ${notAnObject(json, body)}` } }
  return {
    attempt: { ...head, outcome: answered, found: true },
    found: { url: response.url, json, mediaType: response.mediaType, headers: response.headers },
  }
}

function request(
  url: string,
  { transport, signal }: CardQuestion,
  version: Record<string, string>,
): Promise<OpenResponse> {
  const { limits } = transport
  return transport.open({
    method: 'GET',
    url,
    headers: { Accept: 'application/json', ...version },
    purpose: 'agent card',
    timeoutMs: limits.cardTimeoutMs,
    timeoutOption: 'limits.cardTimeoutMs',
    maxBytes: limits.maxCardBytes,
    maxBytesOption: 'maxCardBytes',
    ...(signal === undefined ? {} : { signal }),
  })
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

function notAnObject(json: unknown, body: string): string {
  if (json !== undefined) return `expected a JSON object, not ${show(json)}`
  const start = body.replace(/^\uFEFF/, '').trim()
  if (start === '') return 'an empty body, expected JSON'
  const what = start.startsWith('<') ? 'an HTML page (login page or SPA fallback?), ' : ''
  return `${what}expected JSON: ${show(start.replaceAll(/\s+/g, ' '))}`
}

const notOfThisLocation = new Set(['DEADLINE', 'ABORTED', 'BAD_OPTIONS', 'BAD_USE', 'MISSING_PACKAGE'])

/** An attempt that ended without a whole answer. What is not about this location alone is thrown on. */
function failure(url: string, error: unknown, transport: Transport): CardAttempt {
  if (!isA2AError(error) || notOfThisLocation.has(error.code)) throw error
  return { url, found: false, outcome: phrase(error, transport), error }
}

function phrase(error: A2AError, { limits }: Transport): string {
  switch (error.code) {
    case 'TIMEOUT':
      return `no answer within ${limits.cardTimeoutMs} ms`
    case 'TOO_LARGE':
      return `larger than ${limits.maxCardBytes} bytes, so it was not read on (limits.maxCardBytes)`
    case 'UNREACHABLE':
      return causes[causeCode(error)] ?? firstLine(error.message)
    default:
      return firstLine(error.message)
  }
}

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  UND_ERR_SOCKET: 'connection closed',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name not found (the name server did not answer)',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
}

function causeCode(error: unknown, depth = 0): string {
  if (typeof error !== 'object' || error === null || depth > 4) return ''
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown }
  if (typeof code === 'string' && code in causes) return code
  return causeCode(cause, depth + 1) || causeCode(Array.isArray(errors) ? errors[0] : undefined, depth + 1)
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? message
}

/**
 * What a discovery without a card means: undefined when there is one; the first attempt's own error when no location answered at all
 * (nothing can be said of the agent); else A2AReplyError `NO_CARD`, whose message begins with a 401, 403 or 5xx if there was one
 * and lists every location.
 */
export function discoveryError({ found, attempts }: Discovery): A2AError | undefined {
  if (found !== undefined) return undefined
  const answered = attempts.filter(({ status, error }) => status !== undefined || error?.code === 'TOO_LARGE')
  const first = attempts[0]?.error
  if (answered.length === 0 && first !== undefined) return first
  const lead = noCardLead(attempts)
  const tried = attempts.map(({ url, outcome }) => `  ${url} → ${outcome}`).join('\n')
  return new A2AReplyError('NO_CARD', `${lead.message}\n${tried}`, {
    fix: lead.fix,
    ...(lead.status === undefined ? {} : { status: lead.status }),
  })
}

/** The first line about a card that was not found, and how to fix it; the attempts are listed by the caller. */
export function noCardLead(attempts: readonly CardAttempt[]): {
  message: string
  fix: string
  status?: number
  /** The attempt that says more than "nothing here": a 401, 403 or 5xx. */
  telling?: CardAttempt
} {
  const telling = attempts.find(({ status = 0 }) => status === 401 || status === 403 || status >= 500)
  const status = telling?.status
  const fix = 'Pass the option cardUrl when the card is served elsewhere.'
  if (telling === undefined || status === undefined) {
    return { message: 'no agent card was found at any location:', fix }
  }
  const message = `no agent card was found: ${telling.url} answered ${telling.outcome}; all locations:`
  if (status >= 500)
    return { message, fix: "Look into the agent's own log: it failed to serve its card.", status, telling }
  const why =
    'Either credentials are missing (option headers) or the path is wrong (option cardUrl): some hosts answer ' +
    `${status} for unknown paths.`
  return { message, fix: why, status, telling }
}

function resolve(relative: string, base: URL | undefined): URL | undefined {
  if (base === undefined || !/^[/.?\w]/.test(relative) || /^[a-z][a-z\d+.-]*:/i.test(relative))
    return undefined
  return httpUrl(new URL(relative, base).href)
}

function withoutHash(url: URL): string {
  url.hash = ''
  return url.href
}

function notAnAddress(what: string, value: string): A2AUsageError {
  return new A2AUsageError('BAD_SUBJECT', `${what} ${show(value)} must be an absolute http(s) URL`)
}
