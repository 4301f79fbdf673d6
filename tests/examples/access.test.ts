import { describe, expect, test } from 'vitest'
import { faults, startAgentFrom, startRestAgent } from '../../src/testing/index.ts'
import { openStream, post, rpc } from './wire.ts'

const v1 = { 'a2a-version': '1.0' }
const allowed = { ...v1, authorization: 'Bearer t0ken' }
const say10 = { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'hi' }] } }
const say03 = {
  message: { kind: 'message', messageId: 'm1', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
}

describe('a token', () => {
  test('is declared in the public 1.0 card, and required for every call', async () => {
    await using agent = await startAgentFrom({ token: 't0ken' })
    const card = await fetch(`${agent.url}/.well-known/agent-card.json`)
    expect(await card.json()).toMatchObject({
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    })
    const url = `${agent.url}/a2a/jsonrpc`
    expect((await post(url, 'SendMessage', say10, v1)).status).toBe(401)
    expect((await post(url, 'SendMessage', say10, { ...v1, authorization: 'bearer t0ken' })).status).toBe(200)
    const stream = await openStream(url, rpc('SendStreamingMessage', say10), v1)
    expect([stream.status, stream.headers.get('content-type')]).toEqual([401, 'application/json'])
  })

  test('is in the 0.3 card, and so is the extended card where there is one', async () => {
    await using agent = await startAgentFrom({
      dialect: '0.3',
      token: 't0ken',
      extendedCard: { description: 'Knows more' },
    })
    expect(agent.card).toMatchObject({
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      security: [{ bearer: [] }],
      supportsAuthenticatedExtendedCard: true,
    })
    const call = (method: string, headers: Record<string, string>) =>
      post(`${agent.url}/a2a`, method, say03, headers)
    const refused = await call('message/send', {})
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="Echo Desk"',
    ])
    expect((await call('message/send', allowed)).json.result.parts).toEqual([
      { kind: 'text', text: 'You said: hi' },
    ])
    expect((await call('agent/getAuthenticatedExtendedCard', {})).status).toBe(401)
    const extended = (await call('agent/getAuthenticatedExtendedCard', allowed)).json.result
    expect(extended).toEqual({ ...(agent.card as object), description: 'Knows more' })
  })

  test('an extended card without a token is a usage error', async () => {
    await expect(startAgentFrom({ extendedCard: {} })).rejects.toThrow(
      'startAgentFrom: an extendedCard is only for callers with a token, so give a token too.',
    )
  })
})

test.each([
  ['1.0', undefined, 'GetExtendedAgentCard', -32004, 'This agent has no extendedAgentCard'],
  [
    '1.0',
    { capabilities: { extendedAgentCard: true } },
    'GetExtendedAgentCard',
    -32007,
    'This agent has no extended card',
  ],
  ['0.3', undefined, 'agent/getAuthenticatedExtendedCard', -32007, 'This agent has no extended card'],
] as const)(
  'without an extended card, %s %j answers %s with %i',
  async (dialect, card, method, code, message) => {
    await using agent = await startAgentFrom({ dialect, ...(card && { card }) })
    const url = `${agent.url}/a2a${dialect === '1.0' ? '/jsonrpc' : ''}`
    expect((await post(url, method, {}, v1)).json.error).toEqual({ code, message })
  },
)

test('an agent that speaks HTTP+JSON alone has no other interface', async () => {
  await using agent = await startRestAgent()
  expect(agent.card).toMatchObject({
    name: 'REST helpdesk',
    supportedInterfaces: [
      { url: `${agent.url}/a2a/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
  })
  const body = JSON.stringify(say10)
  const sent = await fetch(`${agent.url}/a2a/rest/message:send`, { method: 'POST', headers: v1, body })
  expect(await sent.json()).toMatchObject({ message: { parts: [{ text: 'You said: hi' }] } })
  expect((await post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', say10, v1)).status).toBe(404)
})

describe('cors', () => {
  const preflight = (url: string) =>
    fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'https://other-agent.com', 'access-control-request-method': 'POST' },
    })

  test('answers preflights without credentials, and lets answers and refusals be read', async () => {
    await using agent = await startAgentFrom({ cors: true, token: 't0ken' })
    const url = `${agent.url}/a2a/jsonrpc`
    const answer = await preflight(url)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': 'Content-Type, Authorization, A2A-Version, A2A-Extensions',
    })
    for (const headers of [v1, allowed]) {
      const { headers: sent } = await post(url, 'SendMessage', say10, headers)
      expect(sent.get('access-control-allow-origin')).toBe('*')
    }
    const stream = await openStream(url, rpc('SendStreamingMessage', say10), allowed)
    expect(stream.headers.get('access-control-allow-origin')).toBe('*')
    expect((await fetch(`${agent.url}/nothing`)).headers.get('access-control-allow-origin')).toBe('*')
  })

  test('is off by default', async () => {
    await using agent = await startAgentFrom()
    expect((await preflight(`${agent.url}/a2a/jsonrpc`)).status).toBe(405)
    const card = await fetch(`${agent.url}/.well-known/agent-card.json`)
    expect(card.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('faults', () => {
  test.each([
    ['letIn()', faults.letIn('t0ken'), 200, null],
    ['withoutChallenge()', faults.withoutChallenge(), 401, null],
    ['refuseWith()', faults.refuseWith(403), 403, 'Bearer realm="Echo Desk"'],
  ])('%s', async (_, fault, status, challenge) => {
    await using agent = await startAgentFrom({ token: 't0ken', fault })
    const answer = await post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', say10, v1)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([status, challenge])
    const good = await post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', say10, allowed)
    expect(good.status).toBe(200)
  })

  test('refuseInStream() refuses within the stream, and other calls as before', async () => {
    await using agent = await startAgentFrom({ token: 't0ken', fault: faults.refuseInStream() })
    const url = `${agent.url}/a2a/jsonrpc`
    const stream = await openStream(url, rpc('SendStreamingMessage', say10, 's'), v1)
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(await stream.rest()).toEqual([
      { jsonrpc: '2.0', id: 's', error: { code: -32000, message: 'Authentication required' } },
    ])
    expect((await openStream(`${agent.url}/a2a/rest/message:stream`, say10, v1)).status).toBe(200)
    expect((await post(url, 'SendMessage', say10, v1)).status).toBe(401)
  })
})
