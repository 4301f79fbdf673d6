import {
  checkAuthentication,
  type AuthenticationOptions,
} from '../../src/checks/access/checkAuthentication.ts'
import { checkExtendedCard } from '../../src/checks/access/checkExtendedCard.ts'
import { faults, type Fault, type Json, type WireReply, type WireRequest } from '../../src/testing/index.ts'
import { budget, type Animal } from './faultyAgent.ts'
import { patch } from './cardHomes.ts'
import { agentFrom, studio01 } from './homes.ts'

const token = 't0ken'
const bearer = `Bearer ${token}`
const options = { credentials: { bearer: token } }

/** Wants a token for every call, over both bindings and for streams, too. */
const closed10 = agentFrom({ token })
const closed03 = agentFrom({ token, dialect: '0.3' })
/** Knows a key, in the place that its card names. */
const keyed = (where: 'header' | 'query' | 'cookie') =>
  agentFrom(
    {
      token,
      dialect: '0.3',
      card: {
        securitySchemes: { helpdesk: { type: 'apiKey', in: where, name: 'helpdesk-key' } },
        security: [{ helpdesk: [] }],
      },
    },
    [
      {
        request(request) {
          const { cookie = '' } = request.headers
          const found = {
            header: request.headers['helpdesk-key'],
            query: request.query['helpdesk-key'],
            cookie,
          }[where]
          const right = where === 'cookie' ? `helpdesk-key=${token}` : token
          return found === right ? showing(request, bearer) : request
        },
      },
    ],
  )

const check =
  (wanted: AuthenticationOptions = {}): NonNullable<Animal['check']> =>
  (agent) =>
    checkAuthentication(agent, [wanted], budget)

const showing = (request: WireRequest, authorization: string): WireRequest => ({
  ...request,
  headers: { ...request.headers, authorization },
})

/** Lets in whoever this says yes to. */
const letting = (inside: (headers: Record<string, string>, request: WireRequest) => boolean): Fault => ({
  request: (request) => (inside(request.headers, request) ? showing(request, bearer) : request),
})

/** Answers this in place of a refusal. */
const refusing = (change: (own: WireReply, request: WireRequest) => WireReply): Fault => ({
  reply: (own, request) => (own.status === 401 ? change(own, request) : own),
})

const rpcError = (status: number, code: number, message: string): Fault =>
  refusing((_own, { body }) => {
    const { id = null } = (body === '' ? {} : JSON.parse(body)) as Json
    return { status, json: { jsonrpc: '2.0', id, error: { code, message } } }
  })

/** Lets in who shows nothing, as its card says. */
const public03 = agentFrom({ dialect: '0.3', token, card: { security: [{}] } }, [
  {
    request: (request) =>
      request.headers['authorization'] === undefined
        ? showing({ ...request, headers: { ...request.headers, stranger: 'yes' } }, bearer)
        : request,
  },
])

const nothingRequired = patch({ securityRequirements: [] })

const enforcement: Omit<Animal, 'options' | 'check'>[] = [
  {
    name: 'checks no credentials at all (1.0)',
    finding: 'auth/not-enforced',
    level: 'error',
    says: 'the card requires "bearer", but GetTask without credentials was answered with HTTP 200 and error -32001',
    home: closed10,
    fault: faults.letIn(token),
  },
  {
    name: 'checks no credentials at all (0.3)',
    finding: 'auth/not-enforced',
    level: 'error',
    says: 'the card requires "bearer", but tasks/get without credentials was answered with HTTP 200',
    path: 'url',
    home: closed03,
    fault: faults.letIn(token),
  },
  {
    name: 'protects its tasks, but takes messages from everybody',
    finding: 'auth/not-enforced',
    level: 'error',
    says: 'the card requires "bearer", but message/send without credentials was answered with HTTP 200 and a result',
    home: closed03,
    fault: letting((_headers, { body }) => body.includes('"message/send"')),
  },
  {
    name: 'protects one of its two bindings',
    finding: 'auth/not-enforced',
    level: 'error',
    says: 'but GET /tasks/{id} without credentials was answered with HTTP 404 and error 404, "Task not found',
    path: 'supportedInterfaces[1]',
    home: closed10,
    fault: letting((_headers, { path }) => path.startsWith('/a2a/rest')),
  },
  {
    name: 'protects messages, but streams to everybody',
    finding: 'auth/not-enforced',
    level: 'error',
    says: 'but message/stream without credentials was answered with HTTP 200 and an event stream',
    home: closed03,
    fault: letting((_headers, { body }) => body.includes('"message/stream"')),
  },
  {
    name: 'takes any token',
    finding: 'auth/wrong-accepted',
    level: 'error',
    says: 'but tasks/get with a random credential for "bearer" was answered with HTTP 200',
    home: closed03,
    fault: letting(({ authorization = '' }) => /^Bearer \S/.test(authorization)),
  },
  {
    name: 'looks only whether there is an Authorization header',
    finding: 'auth/malformed-accepted',
    level: 'error',
    says: 'but tasks/get with a malformed credential for "bearer" was answered with HTTP 200',
    home: closed03,
    fault: letting(({ authorization }) => authorization === 'Bearer'),
  },
  {
    name: 'refuses the right token as well',
    finding: 'auth/good-not-served',
    level: 'error',
    says: 'tasks/get with the given credentials was answered with HTTP 401',
    home: closed03,
    fault: { request: (request) => showing(request, 'Bearer another') },
  },
  {
    name: 'breaks down without credentials',
    finding: 'auth/odd-refusal',
    level: 'error',
    says: 'was answered with HTTP 500 text/plain, which is neither HTTP 401 nor 403',
    home: closed03,
    fault: refusing(() => ({ status: 500, headers: { 'content-type': 'text/plain' }, text: 'boom' })),
  },
  {
    name: 'sends strangers to a login page',
    finding: 'auth/odd-refusal',
    level: 'error',
    says: 'was answered with HTTP 302 and a redirect, which is neither HTTP 401 nor 403',
    home: closed03,
    fault: refusing(() => ({ status: 302, headers: { location: '/login' } })),
  },
  {
    name: 'answers strangers with a login page',
    finding: 'auth/odd-refusal',
    level: 'error',
    says: 'was answered with HTTP 200 text/html, which is neither HTTP 401 nor 403',
    home: closed03,
    fault: refusing(() => ({ headers: { 'content-type': 'text/html' }, text: '<title>Log in</title>' })),
  },
  {
    name: 'refuses strangers with HTTP 200',
    finding: 'auth/refused-in-body',
    level: 'warning',
    says: 'tasks/get without credentials was refused with HTTP 200 and error -32000, "Authentication required"',
    home: closed03,
    fault: faults.refuseWith(200),
  },
  {
    name: 'refuses strangers as an error of its own',
    finding: 'auth/refused-in-body',
    level: 'warning',
    says: 'was refused with HTTP 500 and error -32603, "Unauthorized"',
    home: closed03,
    fault: rpcError(500, -32603, 'Unauthorized'),
  },
  {
    name: 'opens an event stream to refuse it',
    finding: 'auth/refused-in-stream',
    level: 'error',
    says: 'message/stream without credentials was rejected only inside an event stream: HTTP 200 and an event stream and error -32000',
    home: closed03,
    fault: faults.refuseInStream(),
  },
  {
    name: 'does not say which credentials it wants',
    finding: 'auth/no-challenge',
    level: 'warning',
    says: 'was rejected with HTTP 401, but without a WWW-Authenticate header',
    home: closed10,
    fault: faults.withoutChallenge(),
  },
  {
    name: 'declares schemes, requires none and checks nothing',
    finding: 'auth/optional',
    level: 'warning',
    says: 'schemes are declared, but nothing requires them (security / securityRequirements is empty)',
    home: closed10,
    fault: [nothingRequired, faults.letIn(token)],
  },
  {
    name: 'has an empty alternative beside its scheme',
    finding: 'auth/optional',
    level: 'warning',
    says: 'an empty requirement makes authentication optional',
    home: closed03,
    fault: [patch({ security: [{ bearer: [] }, {}] }), faults.letIn(token)],
  },
  {
    name: 'requires its scheme for a skill only',
    finding: 'auth/optional',
    level: 'warning',
    says: 'only skills require them, not the agent',
    home: closed03,
    fault: [
      {
        card: ({ skills, ...card }) => ({
          ...card,
          security: [],
          skills: (skills as Json[]).map((skill) => ({ ...skill, security: [{ bearer: [] }] })),
        }),
      },
      faults.letIn(token),
    ],
  },
  {
    name: 'has nothing at its address by which it could be told',
    finding: 'auth/undecided',
    level: 'error',
    says: 'shows whether it rejects unauthenticated requests: tasks/get was answered with HTTP 404, message/send was answered with HTTP 404',
    home: closed03,
    fault: faults.callReply({ status: 404, text: 'no route' }),
  },
]

/** Who is let in, and how strangers are refused. */
export const authentication: Animal[] = [
  ...enforcement.map((animal) => ({ ...animal, options, check: check() })),
  {
    name: 'refuses strangers, of which its card says nothing',
    finding: 'auth/undeclared',
    level: 'warning',
    says: 'the card declares no authentication, but requests without credentials were rejected',
    home: closed03,
    fault: patch({ security: undefined, securitySchemes: undefined }),
    options: { headers: { authorization: bearer } },
    check: check({ force: true }),
  },
  {
    name: 'refuses strangers, whom its card lets in',
    finding: 'auth/undeclared',
    level: 'warning',
    says: 'the card allows calls without credentials, but tasks/get without credentials was answered with HTTP 401',
    home: public03,
    fault: {
      request: (request) => (request.headers['stranger'] === 'yes' ? showing(request, '') : request),
    },
    known: ['auth/optional'],
    options,
    check: check(),
  },
  {
    name: 'takes every request for one of its own (0.1)',
    finding: 'auth/not-enforced',
    level: 'error',
    says: 'the card requires "bearer", but tasks/send without credentials was answered with HTTP 200 and a result',
    home: studio01,
    fault: faults.letIn(token),
    known: ['auth/no-challenge'],
    check: check(),
  },
  ...(['header', 'query', 'cookie'] as const).map((where): Animal => ({
    name: `takes any key in its ${where}`,
    finding: 'auth/wrong-accepted',
    level: 'error',
    says: 'the card requires "helpdesk", but tasks/get with a random credential for "helpdesk" was answered with HTTP 200',
    home: keyed(where),
    fault: letting(({ cookie = '', 'helpdesk-key': header }, { query }) =>
      where === 'cookie' ? cookie.length > 13 : Boolean(where === 'header' ? header : query['helpdesk-key']),
    ),
    options: { credentials: { helpdesk: token } },
    check: check(),
  })),
]

const shown10 = agentFrom({ token, extendedCard: { description: 'Knows more' } })
const shown03 = agentFrom({ token, dialect: '0.3', extendedCard: { description: 'Knows more' } })
const forCard = (body: string): boolean => /ExtendedAgentCard|getAuthenticatedExtendedCard/.test(body)

/** What becomes of the card for authenticated clients. */
export const extendedCards: Animal[] = (
  [
    {
      name: 'shows its extended card to everybody',
      finding: 'auth/not-enforced',
      level: 'error',
      says: 'an extended card is for authenticated clients only, but GetExtendedAgentCard without credentials was answered with HTTP 200 and a result',
      home: shown10,
      fault: letting((_headers, { body }) => forCard(body)),
    },
    {
      name: 'shows its extended card to everybody (0.3)',
      finding: 'auth/not-enforced',
      level: 'error',
      says: 'agent/getAuthenticatedExtendedCard without credentials was answered with HTTP 200 and a result',
      home: shown03,
      fault: letting((_headers, { body }) => forCard(body)),
    },
    {
      name: 'shows its extended card to any token',
      finding: 'auth/wrong-accepted',
      level: 'error',
      says: 'GetExtendedAgentCard with a random credential for "bearer" was answered with HTTP 200 and a result',
      home: shown10,
      fault: letting(({ authorization = '' }) => /^Bearer \S/.test(authorization)),
    },
    {
      name: 'fails where it should refuse its extended card',
      finding: 'auth/odd-refusal',
      level: 'error',
      says: 'was answered with HTTP 200 and error -32603, "Internal error", which is neither HTTP 401 nor 403',
      home: shown10,
      fault: rpcError(200, -32603, 'Internal error'),
    },
    {
      name: 'refuses its extended card to strangers with HTTP 200',
      finding: 'auth/refused-in-body',
      level: 'warning',
      says: 'GetExtendedAgentCard without credentials was refused with HTTP 200 and error -32000',
      home: shown10,
      fault: faults.refuseWith(200),
    },
    {
      name: 'has an extended card that breaks a rule',
      finding: 'card/name',
      level: 'error',
      says: 'name',
      home: shown10,
      fault: faults.result((result) => ({ ...result, name: '' })),
    },
    {
      name: 'declares an extended card and has none',
      finding: 'rpc/error',
      level: 'error',
      says: 'GetExtendedAgentCard was answered with error -32007',
      home: shown10,
      fault: {
        reply: (own, { body }) =>
          own.status === 401 || !forCard(body)
            ? own
            : {
                json: {
                  jsonrpc: '2.0',
                  id: (JSON.parse(body) as Json)['id'],
                  error: { code: -32007, message: 'Not configured' },
                },
              },
      },
    },
    {
      name: 'refuses its extended card to the right token',
      finding: 'auth/good-not-served',
      level: 'error',
      says: 'the extended card was refused despite valid credentials: GetExtendedAgentCard was answered with error -32000: "Invalid token"',
      home: shown10,
      fault: { request: (request) => showing(request, 'Bearer another') },
    },
  ] satisfies Omit<Animal, 'options' | 'check'>[]
).map((animal) => ({
  ...animal,
  options,
  known: ['card/unsigned'],
  check: (agent) => checkExtendedCard(agent, [], budget),
}))
