import { checkCors, type CorsOptions } from '../../src/checks/web/checkCors.ts'
import { checkEndpointCard } from '../../src/checks/web/checkEndpointCard.ts'
import type { Fault, WireReply, WireRequest } from '../../src/testing/index.ts'
import { budget, type FaultyAgent, type StartAgent } from './faultyAgent.ts'
import { agentFrom, studio01 } from './baseAgents.ts'

const check =
  (options: CorsOptions = {}): NonNullable<FaultyAgent['check']> =>
  (agent) =>
    checkCors(agent, [options], budget)

/** Lets pages of every origin call. */
const open10 = agentFrom({ cors: true })
const open03 = agentFrom({ cors: true, dialect: '0.3' })

type Kind = 'preflight' | 'answer' | 'card'

function kindOf({ method, path }: WireRequest): Kind {
  if (method === 'OPTIONS') return 'preflight'
  return path.includes('/.well-known/') ? 'card' : 'answer'
}

/** Changes what is answered to a preflight, a call or the request for the card. */
const on = (kinds: Kind[], change: (own: WireReply) => WireReply): Fault => ({
  reply: (own, request) => (kinds.includes(kindOf(request)) ? change(own) : own),
})

const header = (kinds: Kind[], name: string, value: string | undefined): Fault =>
  on(kinds, (own) => {
    const { [name]: _, ...others } = own.headers ?? {}
    return { ...own, headers: value === undefined ? others : { ...others, [name]: value } }
  })

const allow = (name: string): string => `access-control-allow-${name}`
const everywhere: Kind[] = ['preflight', 'answer', 'card']

const cases: (Omit<FaultyAgent, 'start' | 'check'> & { start?: StartAgent; wanted?: CorsOptions })[] = [
  {
    name: 'does not know OPTIONS',
    finding: 'cors/preflight',
    level: 'error',
    message: 'was answered with HTTP 405; a browser needs 200 or 204 before it sends the POST',
    fault: on(['preflight'], ({ headers = {} }) => ({ status: 405, headers })),
  },
  {
    name: 'wants credentials for a preflight',
    finding: 'cors/preflight',
    level: 'error',
    message: 'was answered with HTTP 401',
    path: 'url',
    start: open03,
    fault: on(['preflight'], ({ headers = {} }) => ({ status: 401, headers })),
  },
  {
    name: 'redirects a preflight',
    finding: 'cors/preflight',
    level: 'error',
    message: 'was answered with HTTP 307',
    fault: on(['preflight'], () => ({ status: 307, headers: { location: '/elsewhere' } })),
  },
  {
    name: 'answers a preflight without CORS headers',
    finding: 'cors/origin',
    level: 'error',
    message: 'has no Access-Control-Allow-Origin',
    fault: on(['preflight'], () => ({ status: 204 })),
  },
  {
    name: 'allows another origin',
    finding: 'cors/origin',
    level: 'error',
    message:
      'allows only the origin "https://app.example.com", so a browser keeps it from pages of https://other-agent.example',
    fault: header(['preflight'], allow('origin'), 'https://app.example.com'),
  },
  {
    name: 'names no methods',
    finding: 'cors/methods',
    level: 'error',
    message: 'does not allow POST: Access-Control-Allow-Methods is not there',
    fault: header(['preflight'], allow('methods'), undefined),
  },
  {
    name: 'allows to read only',
    finding: 'cors/methods',
    level: 'error',
    message: 'does not allow POST: Access-Control-Allow-Methods is "GET, OPTIONS"',
    fault: header(['preflight'], allow('methods'), 'GET, OPTIONS'),
  },
  {
    name: 'does not let a page delete',
    finding: 'cors/methods',
    level: 'error',
    message: 'does not allow DELETE: Access-Control-Allow-Methods is "GET, POST, OPTIONS"',
    fault: header(['preflight'], allow('methods'), 'GET, POST, OPTIONS'),
    wanted: { methods: ['POST', 'DELETE'] },
  },
  {
    name: 'forgets the header of the version',
    finding: 'cors/headers',
    level: 'error',
    message: 'does not allow A2A-Version: Access-Control-Allow-Headers is "content-type, AUTHORIZATION"',
    fault: header(['preflight'], allow('headers'), 'content-type, AUTHORIZATION'),
  },
  {
    name: 'takes a star for Authorization, too',
    finding: 'cors/headers',
    level: 'error',
    message: 'does not allow Authorization: Access-Control-Allow-Headers is "*"',
    fault: header(['preflight'], allow('headers'), '*'),
  },
  {
    name: 'answers calls without CORS headers',
    finding: 'cors/answer',
    level: 'error',
    message: 'the answer to GetTask has no Access-Control-Allow-Origin',
    fault: header(['answer'], allow('origin'), undefined),
  },
  {
    name: 'keeps its card from pages',
    finding: 'cors/card',
    level: 'warning',
    message: '/.well-known/agent-card.json has no Access-Control-Allow-Origin',
    fault: header(['card'], allow('origin'), undefined),
  },
  {
    name: 'allows cookies from everywhere',
    finding: 'cors/credentials',
    level: 'warning',
    message: 'has Access-Control-Allow-Credentials: true with the origin *',
    fault: header(['answer'], allow('credentials'), 'true'),
  },
  {
    name: 'names the origin without a Vary',
    finding: 'cors/vary',
    level: 'note',
    message: 'names the origin "https://other-agent.example", but has no Vary: Origin',
    fault: header(everywhere, allow('origin'), 'https://other-agent.example'),
  },
]

/** Faults that browsers would block. */
export const browsers: FaultyAgent[] = cases.map(({ start = open10, wanted, ...faulty }) => ({
  ...faulty,
  start,
  check: check(wanted),
}))

const onGet = (change: (own: WireReply) => WireReply): Fault => ({
  reply: (own, { method, path }) => (method === 'GET' && path === '/api/agent' ? change(own) : own),
})

/** What GET at the endpoint gives. */
export const endpoints: FaultyAgent[] = (
  [
    {
      name: 'takes POST only',
      finding: 'card/not-at-endpoint',
      level: 'error',
      message: '/api/agent was answered with HTTP 405',
      fault: onGet(() => ({ status: 405 })),
    },
    {
      name: 'has a web page at its endpoint',
      finding: 'card/not-at-endpoint',
      level: 'error',
      message: 'was answered with HTTP 200 text/html, which is not an agent card',
      fault: onGet(() => ({ headers: { 'content-type': 'text/html' }, text: '<title>Hi</title>' })),
    },
    {
      name: 'has a health status at its endpoint',
      finding: 'card/not-at-endpoint',
      level: 'error',
      message: 'was answered with HTTP 200 application/json, which is not an agent card',
      fault: onGet(() => ({ json: { status: 'ok' } })),
    },
    {
      name: 'has an older card at its endpoint',
      finding: 'card/endpoint-differs',
      level: 'error',
      message: 'returns a card that differs from the published one: version and skills differ',
      fault: onGet((own) => ({ ...own, json: { ...(own.json as object), version: '0.9.0', skills: [] } })),
    },
  ] satisfies Omit<FaultyAgent, 'start' | 'check'>[]
).map((faulty) => ({ ...faulty, start: studio01, check: (agent) => checkEndpointCard(agent, [], budget) }))
