import { CARD03, type FixtureExchange, type FixtureReply, type RecordedRequest } from '../support/fixture.ts'
import { startFixture, type FixtureServer } from '../support/fixtureServer.ts'
import { wireMessage } from './support.ts'

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization',
}

export const guardedCard = {
  ...CARD03,
  capabilities: { streaming: false },
  supportsAuthenticatedExtendedCard: true,
  securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  security: [{ bearer: [] }],
}

/** Answers who shows the token "t0ken"; lets pages of every origin call; gives its card at the endpoint, too. */
export function guarded(more: FixtureExchange[] = [], card: object = guardedCard): Promise<FixtureServer> {
  return startFixture([
    ...more,
    { on: 'GET /.well-known/agent-card.json', times: '*', json: card, headers: cors },
    { on: 'GET /rpc', times: '*', json: card, headers: cors },
    { on: 'OPTIONS /rpc', times: '*', status: 204, headers: cors },
    { on: 'POST /rpc', times: '*', reply: (request) => answer(request, card) },
  ])
}

/** The same with another answer to GET at the endpoint. */
export function withoutGet(): Promise<FixtureServer> {
  return guarded([{ on: 'GET /rpc', times: '*', status: 405 }])
}

function answer({ headers, rpc }: RecordedRequest, card: object): FixtureReply {
  const say = (status: number, body: object, more: Record<string, string> = {}): FixtureReply => ({
    status,
    headers: { 'content-type': 'application/json', ...cors, ...more },
    json: { jsonrpc: '2.0', id: rpc?.id ?? null, ...body },
  })
  if (headers.authorization !== 'Bearer t0ken') {
    const challenge = { 'www-authenticate': 'Bearer realm="helpdesk"' }
    return say(401, { error: { code: -32000, message: 'Authentication required' } }, challenge)
  }
  if (rpc?.method === 'message/send') return say(200, { result: wireMessage('All set.') })
  if (rpc?.method === 'agent/getAuthenticatedExtendedCard') {
    return say(200, { result: { ...card, description: 'Knows more' } })
  }
  return say(200, { error: { code: -32001, message: 'Task not found' } })
}
