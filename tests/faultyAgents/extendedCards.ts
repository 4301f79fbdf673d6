import { checkExtendedCard } from '../../src/checks/access/checkExtendedCard.ts'
import { faults, type Json } from '../../src/testing/index.ts'
import { letting, options, rpcError, showing, token } from './access.ts'
import { agentFrom } from './baseAgents.ts'
import { budget, type FaultyAgent } from './faultyAgent.ts'

const with10 = agentFrom({ token, extendedCard: { description: 'Knows more' } })
const with03 = agentFrom({ token, dialect: '0.3', extendedCard: { description: 'Knows more' } })
const asksForCard = (body: string): boolean => /ExtendedAgentCard|getAuthenticatedExtendedCard/.test(body)

/** Agents that deny or show their extended card to the wrong callers, or have a faulty one. */
export const extendedCards: FaultyAgent[] = (
  [
    {
      name: 'shows its extended card to everybody',
      finding: 'auth/not-enforced',
      level: 'error',
      message:
        'an extended card is for authenticated clients only, but GetExtendedAgentCard without credentials was answered with HTTP 200 and a result',
      start: with10,
      fault: letting((_headers, { body }) => asksForCard(body)),
    },
    {
      name: 'shows its extended card to everybody (0.3)',
      finding: 'auth/not-enforced',
      level: 'error',
      message:
        'agent/getAuthenticatedExtendedCard without credentials was answered with HTTP 200 and a result',
      start: with03,
      fault: letting((_headers, { body }) => asksForCard(body)),
    },
    {
      name: 'shows its extended card to any token',
      finding: 'auth/wrong-accepted',
      level: 'error',
      message:
        'GetExtendedAgentCard with a random credential for "bearer" was answered with HTTP 200 and a result',
      start: with10,
      fault: letting(({ authorization = '' }) => /^Bearer \S/.test(authorization)),
    },
    {
      name: 'fails where it should refuse its extended card',
      finding: 'auth/odd-refusal',
      level: 'error',
      message:
        'was answered with HTTP 200 and error -32603, "Internal error", which is neither HTTP 401 nor 403',
      start: with10,
      fault: rpcError(200, -32603, 'Internal error'),
    },
    {
      name: 'rejects unauthenticated requests for its extended card with HTTP 200',
      finding: 'auth/refused-in-body',
      level: 'warning',
      message: 'GetExtendedAgentCard without credentials was refused with HTTP 200 and error -32000',
      start: with10,
      fault: faults.refuseWith(200),
    },
    {
      name: 'has an extended card that breaks a rule',
      finding: 'card/name',
      level: 'error',
      message: 'name',
      start: with10,
      fault: faults.result((result) => ({ ...result, name: '' })),
    },
    {
      name: 'declares an extended card and has none',
      finding: 'rpc/error',
      level: 'error',
      message: 'GetExtendedAgentCard was answered with error -32007',
      start: with10,
      fault: {
        reply: (own, { body }) =>
          own.status === 401 || !asksForCard(body)
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
      message:
        'the extended card was refused despite valid credentials: GetExtendedAgentCard was answered with error -32000: "Invalid token"',
      start: with10,
      fault: { request: (request) => showing(request, 'Bearer another') },
    },
  ] satisfies Omit<FaultyAgent, 'options' | 'check'>[]
).map((faulty) => ({
  ...faulty,
  options,
  known: ['card/unsigned'],
  check: (agent) => checkExtendedCard(agent, [], budget),
}))
