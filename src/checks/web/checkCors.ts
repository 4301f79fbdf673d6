import type { A2AAgent } from '../../agent/types.ts'
import type { ProbeAnswer } from '../../client/probe/types.ts'
import type { FindingId } from '../../findings/catalogue.ts'
import { finding } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../types.ts'
import type { AgentInterface } from '../../protocol/model.ts'
import type { Verdict } from '../verdict.ts'
import { verdictOn, type DeadlineOption, type CheckResult } from '../checkResult.ts'
import { cardOf, cardOrResult } from '../card/cardOf.ts'
import { count, listed, quote } from '../phrases.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'

/** Options of `toAllowCors()`. */
export type CorsOptions = DeadlineOption & {
  /** The origin of the page. Default `https://other-agent.example`. */
  origin?: string
  /** Methods that the page calls with. Default `['POST']`. */
  methods?: string[]
  /** Headers that the page sends. Default `Content-Type`, `Authorization`, and `A2A-Version` where 1.0 is spoken. */
  headers?: string[]
  /** `all` interfaces that this client can call, or only the `first`, which `send()` calls. Default `all`. */
  interfaces?: 'all' | 'first'
}

const usualOrigin = 'https://other-agent.example'
const fetchStandard = 'Fetch §3.2, the guide to A2A endpoints'

/** Calls every endpoint as a browser does for a page: a preflight, then the call, whose headers must allow the page as well. */
export async function checkCors(
  agent: A2AAgent,
  [options = {}]: readonly [options?: CorsOptions],
  budget: Budget,
): Promise<Verdict> {
  const { origin = usualOrigin, methods = ['POST'], interfaces = 'all' } = options
  const subject = { kind: 'agent', agent } as const
  return verdictOn(subject, `an agent that pages of ${origin} can call`, async () => {
    const found = await cardOf(subject)
    const read = cardOrResult(found)
    if ('result' in read) return read.result
    const all = await agent.interfaces(budget.signal)
    const asked = interfaces === 'first' ? all.slice(0, 1) : all
    const findings: Finding[] = []
    let isUp = false
    for (const to of asked) {
      const headers = options.headers ?? usualHeaders(to)
      for (const method of methods) {
        const answer = await ask(agent, to, budget, {
          method: 'OPTIONS',
          as: 'anonymous',
          headers: {
            origin,
            'access-control-request-method': method,
            'access-control-request-headers': headers
              .map((name) => name.toLowerCase())
              .toSorted()
              .join(','),
          },
        })
        if (answer === undefined) continue
        isUp ||= answer.status < 500
        findings.push(...preflightFindings(answer, { origin, method, headers, to }))
      }
      const answer = await ask(agent, to, budget, { headers: { origin } })
      if (answer !== undefined) {
        isUp ||= answer.status < 500
        findings.push(...answerFindings(answer, origin, to))
      }
    }
    findings.push(...(await cardFindings(agent, found.discovery?.found?.url, asked[0], { origin, budget })))
    return { ...resultOf(once(findings), asked.length), unanswered: !isUp }
  })
}

interface CorsRequest {
  method?: 'GET' | 'OPTIONS'
  url?: string
  as?: 'anonymous'
  headers: Record<string, string>
}

function ask(
  agent: A2AAgent,
  to: AgentInterface,
  { signal }: Budget,
  request: CorsRequest,
): Promise<ProbeAnswer | undefined> {
  const operation = request.method === undefined ? 'getTask' : 'send'
  return agent.probe({ to, operation, signal, ...request })
}

function usualHeaders({ dialect }: AgentInterface): string[] {
  const { version } = profileOf(dialect).headers
  return ['Content-Type', 'Authorization', ...(version !== undefined ? [version] : [])]
}

interface Preflight {
  origin: string
  method: string
  headers: readonly string[]
  to: AgentInterface
}

/** What a browser would reject in the answer to a preflight. */
function preflightFindings(answer: ProbeAnswer, { origin, method, headers, to }: Preflight): Finding[] {
  const say = speaker(to)
  const where = answer.exchange.url
  if (answer.status < 200 || answer.status > 299) {
    const closed = answer.status === 401 || answer.status === 403
    const message = `OPTIONS ${where} was answered with HTTP ${answer.status}; a browser needs 200 or 204 before it sends the ${method}`
    return [
      say(
        'cors/preflight',
        message,
        closed ? openFix : 'Answer OPTIONS at the endpoint with the three CORS headers.',
      ),
    ]
  }
  const allow = (name: string): string | undefined => answer.headers[`access-control-allow-${name}`]
  const originFinding = originFindings(answer, origin, { to, id: 'cors/origin', what: `OPTIONS ${where}` })
  // Without any CORS header, one finding is enough.
  if (['origin', 'methods', 'headers'].every((name) => allow(name) === undefined)) return originFinding
  const credentials = allow('credentials') === 'true'
  const allowed = names(allow('methods'))
  const permitted = names(allow('headers')).map((name) => name.toLowerCase())
  const findings = [...originFinding]
  if (!allowed.includes(method) && (credentials || !allowed.includes('*'))) {
    findings.push(
      say(
        'cors/methods',
        `OPTIONS ${where} does not allow ${method}: Access-Control-Allow-Methods is ${shown(allow('methods'))}`,
        'Answer Access-Control-Allow-Methods: GET, POST, OPTIONS.',
      ),
    )
  }
  const missing = headers.filter((name) => {
    const lower = name.toLowerCase()
    // `*` covers all headers except this one (Fetch §4.8).
    const wild = permitted.includes('*') && !credentials && lower !== 'authorization'
    return !wild && !permitted.includes(lower)
  })
  if (missing.length > 0) {
    findings.push(
      say(
        'cors/headers',
        `OPTIONS ${where} does not allow ${listed(missing)}: Access-Control-Allow-Headers is ${shown(allow('headers'))}`,
        `Answer Access-Control-Allow-Headers: ${headers.join(', ')}.`,
      ),
    )
  }
  return findings
}

const openFix =
  'Browsers send no credentials with a preflight: answer OPTIONS before credentials are checked.'

/** What a browser would reject in the answer itself, after a successful preflight. */
function answerFindings(answer: ProbeAnswer, origin: string, to: AgentInterface): Finding[] {
  return originFindings(answer, origin, { to, id: 'cors/answer', what: `the answer to ${answer.asked}` })
}

function originFindings(
  { headers }: ProbeAnswer,
  origin: string,
  { to, id, what }: { to: AgentInterface; id: FindingId; what: string },
): Finding[] {
  const say = speaker(to)
  const allowed = headers['access-control-allow-origin']
  if (allowed === undefined || (allowed !== '*' && allowed !== origin)) {
    const has =
      allowed === undefined
        ? 'has no Access-Control-Allow-Origin'
        : `allows only the origin ${quote(allowed)}`
    return [
      say(
        id,
        `${what} ${has}, so a browser keeps it from pages of ${origin}`,
        `Answer Access-Control-Allow-Origin: * (or the page's own origin) there, errors included.`,
      ),
    ]
  }
  if (allowed === '*') {
    if (headers['access-control-allow-credentials'] !== 'true') return []
    return [
      say(
        'cors/credentials',
        `${what} has Access-Control-Allow-Credentials: true with the origin *, which browsers reject for requests with cookies`,
        'Name the origin, or omit Access-Control-Allow-Credentials.',
      ),
    ]
  }
  const vary = names(headers['vary']).map((name) => name.toLowerCase())
  if (vary.includes('origin') || vary.includes('*')) return []
  return [
    say(
      'cors/vary',
      `${what} names the origin ${quote(allowed)}, but has no Vary: Origin, so a cache may serve it to pages of other origins`,
      'Answer Vary: Origin if Access-Control-Allow-Origin depends on the request.',
    ),
  ]
}

/** A page must be able to read the card as well, but many cards are static files on another server. */
async function cardFindings(
  agent: A2AAgent,
  url: string | undefined,
  to: AgentInterface | undefined,
  { origin, budget }: { origin: string; budget: Budget },
): Promise<Finding[]> {
  if (url === undefined || to === undefined || agent.options.card !== undefined) return []
  const answer = await ask(agent, to, budget, { method: 'GET', url, headers: { origin } })
  if (answer === undefined) return []
  const { path: _, ...nowhere } = to
  return originFindings(answer, origin, {
    to: nowhere,
    id: 'cors/card',
    what: `GET ${url}`,
  })
}

function resultOf(findings: Finding[], endpoints: number): CheckResult {
  const error = findings.find(({ level }) => level === 'error')
  if (error !== undefined) return { outcome: 'failed', received: error.message, findings }
  return {
    outcome: 'passed',
    received: `the CORS headers that browsers need at ${count(endpoints, 'endpoint')}`,
    findings,
  }
}

function speaker({ path }: AgentInterface): (id: FindingId, message: string, fix: string) => Finding {
  return (id, message, fix) => finding(id, message, { path, fix, source: fetchStandard })
}

function once(findings: readonly Finding[]): Finding[] {
  return findings.filter(
    ({ id, path, level }, at) =>
      level === 'error' || findings.findIndex((one) => one.id === id && one.path === path) === at,
  )
}

function names(list: string | undefined): string[] {
  return (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function shown(value: string | undefined): string {
  return value === undefined ? 'not there' : quote(value)
}
