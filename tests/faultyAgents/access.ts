import {
  checkAuthentication,
  type AuthenticationOptions,
} from '../../src/checks/access/checkAuthentication.ts'
import { faults, type Fault, type Json, type WireReply, type WireRequest } from '../../src/testing/index.ts'
import type { AgentOptions } from '../../src/client/types.ts'
import { budget, type FaultyAgent } from './faultyAgent.ts'
import { patch } from './baseCards.ts'
import { agentFrom, studio01 } from './baseAgents.ts'

export const token = 't0ken'
export const bearer = `Bearer ${token}`
export const options: AgentOptions = { credentials: { bearer: token } }

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
  (wanted: AuthenticationOptions = {}): NonNullable<FaultyAgent['check']> =>
  (agent) =>
    checkAuthentication(agent, [wanted], budget)

export const showing = (request: WireRequest, authorization: string): WireRequest => ({
  ...request,
  headers: { ...request.headers, authorization },
})

/** Lets in the requests for which `isAllowed` is true. */
export const letting = (
  isAllowed: (headers: Record<string, string>, request: WireRequest) => boolean,
): Fault => ({
  request: (request) => (isAllowed(request.headers, request) ? showing(request, bearer) : request),
})

/** Answers this in place of a refusal. */
const refusing = (change: (own: WireReply, request: WireRequest) => WireReply): Fault => ({
  reply: (own, request) => (own.status === 401 ? change(own, request) : own),
})

export const rpcError = (status: number, code: number, message: string): Fault =>
  refusing((_own, { body }) => {
    const { id = null } = (body === '' ? {} : JSON.parse(body)) as Json
    return { status, json: { jsonrpc: '2.0', id, error: { code, message } } }
  })

/** Lets in requests without credentials, as its card declares. */
const public03 = agentFrom({ dialect: '0.3', token, card: { security: [{}] } }, [
  {
    request: (request) =>
      request.headers['authorization'] === undefined
        ? showing({ ...request, headers: { ...request.headers, anonymous: 'yes' } }, bearer)
        : request,
  },
])

const nothingRequired = patch({ securityRequirements: [] })

const enforcement: Omit<FaultyAgent, 'options' | 'check'>[] = [
  {
    name: 'checks no credentials at all (1.0)',
    finding: 'auth/not-enforced',
    level: 'error',
    message:
      'the card requires "bearer", but GetTask without credentials was answered with HTTP 200 and error -32001',
    start: closed10,
    fault: faults.letIn(token),
  },
  {
    name: 'checks no credentials at all (0.3)',
    finding: 'auth/not-enforced',
    level: 'error',
    message: 'the card requires "bearer", but tasks/get without credentials was answered with HTTP 200',
    path: 'url',
    start: closed03,
    fault: faults.letIn(token),
  },
  {
    name: 'protects its tasks, but accepts messages from anyone',
    finding: 'auth/not-enforced',
    level: 'error',
    message:
      'the card requires "bearer", but message/send without credentials was answered with HTTP 200 and a result',
    start: closed03,
    fault: letting((_headers, { body }) => body.includes('"message/send"')),
  },
  {
    name: 'protects one of its two bindings',
    finding: 'auth/not-enforced',
    level: 'error',
    message:
      'but GET /tasks/{id} without credentials was answered with HTTP 404 and error 404, "Task not found',
    path: 'supportedInterfaces[1]',
    start: closed10,
    fault: letting((_headers, { path }) => path.startsWith('/a2a/rest')),
  },
  {
    name: 'protects messages, but streams to anyone',
    finding: 'auth/not-enforced',
    level: 'error',
    message: 'but message/stream without credentials was answered with HTTP 200 and an event stream',
    start: closed03,
    fault: letting((_headers, { body }) => body.includes('"message/stream"')),
  },
  {
    name: 'takes any token',
    finding: 'auth/wrong-accepted',
    level: 'error',
    message: 'but tasks/get with a random credential for "bearer" was answered with HTTP 200',
    start: closed03,
    fault: letting(({ authorization = '' }) => /^Bearer \S/.test(authorization)),
  },
  {
    name: 'checks only that there is an Authorization header',
    finding: 'auth/malformed-accepted',
    level: 'error',
    message: 'but tasks/get with a malformed credential for "bearer" was answered with HTTP 200',
    start: closed03,
    fault: letting(({ authorization }) => authorization === 'Bearer'),
  },
  {
    name: 'refuses the right token as well',
    finding: 'auth/good-not-served',
    level: 'error',
    message: 'tasks/get with the given credentials was answered with HTTP 401',
    start: closed03,
    fault: { request: (request) => showing(request, 'Bearer another') },
  },
  {
    name: 'breaks down without credentials',
    finding: 'auth/odd-refusal',
    level: 'error',
    message: 'was answered with HTTP 500 text/plain, which is neither HTTP 401 nor 403',
    start: closed03,
    fault: refusing(() => ({ status: 500, headers: { 'content-type': 'text/plain' }, text: 'boom' })),
  },
  {
    name: 'redirects unauthenticated requests to a login page',
    finding: 'auth/odd-refusal',
    level: 'error',
    message: 'was answered with HTTP 302 and a redirect, which is neither HTTP 401 nor 403',
    start: closed03,
    fault: refusing(() => ({ status: 302, headers: { location: '/login' } })),
  },
  {
    name: 'answers unauthenticated requests with a login page',
    finding: 'auth/odd-refusal',
    level: 'error',
    message: 'was answered with HTTP 200 text/html, which is neither HTTP 401 nor 403',
    start: closed03,
    fault: refusing(() => ({ headers: { 'content-type': 'text/html' }, text: '<title>Log in</title>' })),
  },
  {
    name: 'rejects unauthenticated requests with HTTP 200',
    finding: 'auth/refused-in-body',
    level: 'warning',
    message:
      'tasks/get without credentials was refused with HTTP 200 and error -32000, "Authentication required"',
    start: closed03,
    fault: faults.refuseWith(200),
  },
  {
    name: 'rejects unauthenticated requests with an internal error',
    finding: 'auth/refused-in-body',
    level: 'warning',
    message: 'was refused with HTTP 500 and error -32603, "Unauthorized"',
    start: closed03,
    fault: rpcError(500, -32603, 'Unauthorized'),
  },
  {
    name: 'opens an event stream to refuse it',
    finding: 'auth/refused-in-stream',
    level: 'error',
    message:
      'message/stream without credentials was rejected only inside an event stream: HTTP 200 and an event stream and error -32000',
    start: closed03,
    fault: faults.refuseInStream(),
  },
  {
    name: 'does not say which credentials it wants',
    finding: 'auth/no-challenge',
    level: 'warning',
    message: 'was rejected with HTTP 401, but without a WWW-Authenticate header',
    start: closed10,
    fault: faults.withoutChallenge(),
  },
  {
    name: 'declares schemes, requires none and checks nothing',
    finding: 'auth/optional',
    level: 'warning',
    message: 'schemes are declared, but nothing requires them (security / securityRequirements is empty)',
    start: closed10,
    fault: [nothingRequired, faults.letIn(token)],
  },
  {
    name: 'has an empty alternative next to its scheme',
    finding: 'auth/optional',
    level: 'warning',
    message: 'an empty requirement makes authentication optional',
    start: closed03,
    fault: [patch({ security: [{ bearer: [] }, {}] }), faults.letIn(token)],
  },
  {
    name: 'requires its scheme for a skill only',
    finding: 'auth/optional',
    level: 'warning',
    message: 'only skills require them, not the agent',
    start: closed03,
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
    name: 'has nothing at its address that could show it',
    finding: 'auth/undecided',
    level: 'error',
    message:
      'shows whether it rejects unauthenticated requests: tasks/get was answered with HTTP 404, message/send was answered with HTTP 404',
    start: closed03,
    fault: faults.callReply({ status: 404, text: 'no route' }),
  },
]

/** Which requests are accepted, and how the others are rejected. */
export const authentication: FaultyAgent[] = [
  ...enforcement.map((faulty) => ({ ...faulty, options, check: check() })),
  {
    name: 'rejects unauthenticated requests, which its card does not mention',
    finding: 'auth/undeclared',
    level: 'warning',
    message: 'the card declares no authentication, but requests without credentials were rejected',
    start: closed03,
    fault: patch({ security: undefined, securitySchemes: undefined }),
    options: { headers: { authorization: bearer } },
    check: check({ required: true }),
  },
  {
    name: 'rejects unauthenticated requests, which its card allows',
    finding: 'auth/undeclared',
    level: 'warning',
    message:
      'the card allows calls without credentials, but tasks/get without credentials was answered with HTTP 401',
    start: public03,
    fault: {
      request: (request) => (request.headers['anonymous'] === 'yes' ? showing(request, '') : request),
    },
    known: ['auth/optional'],
    options,
    check: check(),
  },
  {
    name: 'takes every request for one of its own (0.1)',
    finding: 'auth/not-enforced',
    level: 'error',
    message:
      'the card requires "bearer", but tasks/send without credentials was answered with HTTP 200 and a result',
    start: studio01,
    fault: faults.letIn(token),
    known: ['auth/no-challenge'],
    check: check(),
  },
  ...(['header', 'query', 'cookie'] as const).map((where): FaultyAgent => ({
    name: `takes any key in its ${where}`,
    finding: 'auth/wrong-accepted',
    level: 'error',
    message:
      'the card requires "helpdesk", but tasks/get with a random credential for "helpdesk" was answered with HTTP 200',
    start: keyed(where),
    fault: letting(({ cookie = '', 'helpdesk-key': header }, { query }) =>
      where === 'cookie' ? cookie.length > 13 : Boolean(where === 'header' ? header : query['helpdesk-key']),
    ),
    options: { credentials: { helpdesk: token } },
    check: check(),
  })),
]
