import { describe, expect, test } from 'vitest'
import { startStudio, type DemoAgent } from '../../src/testing/index.ts'
import { post, postRaw, textsOf } from './wire.ts'

const say = (text: string, id = 'test-001') => ({
  id,
  message: { role: 'user', parts: [{ type: 'text', text }] },
})
const ask = (agent: DemoAgent, text: string, id?: string) =>
  post(`${agent.url}/api/agent`, 'tasks/send', say(text, id))

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization',
}

test('the card is at the well-known path of 0.1 and at the endpoint, and lists four skills', async () => {
  await using agent = await startStudio()

  for (const path of ['/.well-known/agent.json', '/api/agent']) {
    const response = await fetch(agent.url + path)
    expect(Object.fromEntries(response.headers)).toMatchObject(corsHeaders)
    const card = (await response.json()) as { skills: { id: string; examples: string[] }[] }
    expect(card).toMatchObject({ name: 'Studio', url: `${agent.url}/api/agent` })
    expect(card).not.toHaveProperty('authentication')
    expect(card.skills.map((skill) => skill.id)).toEqual([
      'get-services',
      'get-pricing',
      'get-case-studies',
      'schedule-consultation',
    ])
    for (const skill of card.skills) expect(skill.examples.length).toBeGreaterThanOrEqual(2)
  }
  expect((await fetch(`${agent.url}/.well-known/agent-card.json`)).status).toBe(404)
})

test('a task is completed under the id set by the caller', async () => {
  await using agent = await startStudio()

  const { status, headers, json } = await ask(agent, 'What services do you offer?')

  expect(status).toBe(200)
  expect(Object.fromEntries(headers)).toMatchObject(corsHeaders)
  expect(JSON.stringify(json)).toBe(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      result: {
        id: 'test-001',
        status: { state: 'completed' },
        artifacts: [
          {
            parts: [
              {
                type: 'text',
                text: 'We offer AI development, web applications, mobile apps and fractional CTO work.',
              },
            ],
          },
        ],
      },
    }),
  )
})

test.each([
  ['How much does a website cost?', '$3,000'],
  ['Show me your recent projects', 'booking app'],
  ['I want to book a call', 'weekday'],
  ['Do you build mobile apps?', 'mobile apps'],
])('%j goes to its skill', async (text, expected) => {
  await using agent = await startStudio()
  expect(textsOf((await ask(agent, text)).json)[0]).toContain(expected)
})

test('a quote asks for input, and continues under the same task id', async () => {
  await using agent = await startStudio()

  const asked = await ask(agent, 'I need a quote', 'q1')
  expect(asked.json.result).toEqual({
    id: 'q1',
    status: {
      state: 'input-required',
      message: {
        role: 'agent',
        parts: [{ type: 'text', text: 'Gladly. What kind of project do you want to build?' }],
      },
    },
  })

  const other = await ask(agent, 'A web shop', 'q2')
  expect(textsOf(other.json)[0]).toContain('We offer')
  const done = await ask(agent, 'A web shop', 'q1')
  expect(done.json.result).toMatchObject({ id: 'q1', status: { state: 'completed' } })
  expect(textsOf(done.json)[0]).toContain('"A web shop"')
})

describe('the error table', () => {
  test.each([
    ['a body that is not JSON', '{"jsonrpc":', 400, -32700, 'Parse error', null],
    ['a body that is not a request', '{"invalid": true}', 400, -32600, 'Invalid JSON-RPC 2.0 request', null],
    ['no id', '{"jsonrpc":"2.0","method":"tasks/send"}', 400, -32600, 'Invalid JSON-RPC 2.0 request', null],
    [
      'an unknown method',
      '{"jsonrpc":"2.0","id":2,"method":"nonexistent/method","params":{}}',
      404,
      -32601,
      'Method not found: nonexistent/method',
      2,
    ],
    [
      'no parts',
      '{"jsonrpc":"2.0","id":3,"method":"tasks/send","params":{"id":"a","message":{"role":"user","parts":[]}}}',
      400,
      -32602,
      'Invalid params: message with parts is required',
      3,
    ],
  ])('%s', async (_, body, status, code, message, id) => {
    await using agent = await startStudio()
    const answer = await postRaw(`${agent.url}/api/agent`, body)
    expect(answer).toMatchObject({ status, json: { jsonrpc: '2.0', id, error: { code, message } } })
    expect(Object.fromEntries(answer.headers)).toMatchObject(corsHeaders)
  })
})

test('a preflight is answered with 200 and the three headers', async () => {
  await using agent = await startStudio()
  const response = await fetch(`${agent.url}/api/agent`, {
    method: 'OPTIONS',
    headers: { origin: 'https://other-agent.com', 'access-control-request-method': 'POST' },
  })
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject(corsHeaders)
  expect(await response.text()).toBe('')
})

test('with a token, callers must send it', async () => {
  await using agent = await startStudio({ token: 't0ken' })
  expect(agent.card).toMatchObject({ authentication: { schemes: ['bearer'] } })
  const send = (headers: Record<string, string>) =>
    post(`${agent.url}/api/agent`, 'tasks/send', say('What services do you offer?'), headers)

  expect(await send({})).toMatchObject({
    status: 401,
    json: { error: { code: -32000, message: 'Authentication required' } },
  })
  expect(await send({ authorization: 'Bearer wrong' })).toMatchObject({
    status: 403,
    json: { id: 1, error: { code: -32000, message: 'Invalid token' } },
  })
  expect(await send({ authorization: 'Bearer t0ken' })).toMatchObject({ status: 200 })
})
