import { expect, test } from 'vitest'
import { faults, startAgentFrom, startHelpdesk, type DemoAgent, type Fault } from '../../src/testing/index.ts'
import { post, textsOf } from './wire.ts'

const say10 = { message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'hi' }] } }
const v1 = { 'a2a-version': '1.0' }
const send10 = (agent: DemoAgent, id: unknown = 1) =>
  post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', say10, v1, id)
const cardOf = async (agent: DemoAgent) =>
  (await fetch(`${agent.url}/.well-known/agent-card.json`)).json() as Promise<Record<string, never>>

const broken = (fault: Fault | Fault[], more = {}) => startAgentFrom({ fault, ...more })

test('without faults, an agent of either version is healthy', async () => {
  await using one = await startAgentFrom()
  await using three = await startAgentFrom({
    dialect: '0.3',
    card: (url) => ({ name: 'Desk', documentationUrl: `${url}/docs`, provider: undefined }),
    respond: ({ text }) => [{ state: 'completed', text: text.toUpperCase() }],
  })

  expect(textsOf((await send10(one)).json)).toEqual(['You said: hi'])
  expect(await cardOf(one)).toMatchObject({ name: 'Echo Desk' })
  const message = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] }
  const answer = await post(`${three.url}/a2a`, 'message/send', { message })
  expect(answer.json.result.status).toMatchObject({
    state: 'completed',
    message: { parts: [{ text: 'HI' }] },
  })
  const card = await cardOf(three)
  expect(card).toMatchObject({ name: 'Desk', documentationUrl: `${three.url}/docs`, url: `${three.url}/a2a` })
  expect(card).not.toHaveProperty('provider')
})

test('card(): sets and removes a place, and leaves the rest', async () => {
  await using healthy = await startAgentFrom()
  await using agent = await broken([
    faults.card('skills[0].tags', undefined),
    faults.card('capabilities.streaming', 'yes'),
    faults.card('defaultInputModes[0]', undefined),
  ])

  const [before, after] = [await cardOf(healthy), await cardOf(agent)]

  expect(after['skills']).toEqual([
    { id: 'echo', name: 'Echo', description: expect.any(String), examples: ['Hello'] },
  ])
  expect(after['capabilities']).toEqual({ streaming: 'yes', pushNotifications: false })
  expect(after['defaultInputModes']).toEqual([])
  expect(Object.keys(after)).toEqual(Object.keys(before))
  expect(agent.card).toEqual(after)
})

test('card(): refuses a place that is not there', async () => {
  await expect(broken(faults.card('skills[1].id', 'x'))).rejects.toThrow(
    'There is no "skills[1].id" to break: "1" is not an object or a list.',
  )
})

test('cardReply(): replaces what the card path answers, and nothing else', async () => {
  await using agent = await broken(
    faults.cardReply({ status: 503, headers: { 'content-type': 'text/html' }, text: '<h1>Down</h1>' }),
  )
  const response = await fetch(`${agent.url}/.well-known/agent-card.json`)
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    503,
    'text/html',
    '<h1>Down</h1>',
  ])
  expect((await send10(agent)).status).toBe(200)
})

test('result() and resultField(): reach JSON-RPC, REST and streams alike', async () => {
  await using agent = await broken([
    faults.resultField('message.role', 'agent'),
    faults.resultField('task.status.state', 'done'),
    faults.result((result) => ({ ...result, seen: true })),
  ])
  const expected = { message: { role: 'agent' }, seen: true }

  expect((await send10(agent)).json.result).toMatchObject(expected)
  const rest = await fetch(`${agent.url}/a2a/rest/message:send`, {
    method: 'POST',
    headers: v1,
    body: JSON.stringify(say10),
  })
  expect(await rest.json()).toMatchObject(expected)
  const stream = await fetch(`${agent.url}/a2a/jsonrpc`, {
    method: 'POST',
    headers: v1,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: say10 }),
  })
  expect(JSON.parse((await stream.text()).slice('data: '.length))).toMatchObject({ result: expected })
})

test('result(): leaves errors and the card alone', async () => {
  await using agent = await broken(faults.result(() => 'broken'))
  const refused = await post(`${agent.url}/a2a/jsonrpc`, 'GetTask', { id: 'missing' }, v1)
  expect(refused.json.error.code).toBe(-32001)
  expect(await cardOf(agent)).toMatchObject({ name: 'Echo Desk' })
})

test('envelope(): changes the id', async () => {
  await using agent = await broken(
    faults.envelope((envelope) => ({ ...envelope, id: String(envelope['id']) })),
  )
  expect((await send10(agent, 7)).json).toMatchObject({ id: '7', result: {} })
})

test('callReply(): answers the first calls otherwise, with the id of the request', async () => {
  const error = { jsonrpc: '2.0', error: { code: -32603, message: 'busy' } }
  await using agent = await broken(faults.callReply({ json: error }, 1))
  expect((await send10(agent, 'a')).json).toEqual({ ...error, id: 'a' })
  expect((await send10(agent, 'b')).json).toHaveProperty('result')
})

test('method(): answers one method otherwise', async () => {
  const unknown = { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' } }
  await using agent = await broken(faults.method('SendMessage', { json: unknown }))
  expect((await send10(agent)).json).toEqual({ ...unknown, id: 1 })
  const other = await post(`${agent.url}/a2a/jsonrpc`, 'GetTask', { id: 'missing' }, v1)
  expect(other.json.error.code).toBe(-32001)
})

test('hears(): makes an agent that forgets what a message continues', async () => {
  await using agent = await startHelpdesk({ fault: faults.hears((message) => delete message['taskId']) })
  const say = (text: string, more = {}) =>
    post(`${agent.url}/a2a`, 'message/send', {
      message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text }], ...more },
    })
  const asked = (await say('I was charged twice')).json.result

  const answer = (await say('4411', { taskId: asked.id })).json.result

  expect(answer.kind).toBe('message')
  expect(agent.requests.at(-1)?.body).toContain(asked.id)
})

test('a connection can be dropped or left without an answer', async () => {
  await using dropping = await broken(faults.callReply({ fail: 'drop' }))
  await using hanging = await broken(faults.callReply({ fail: 'hang' }))

  await expect(send10(dropping)).rejects.toThrow('fetch failed')
  const pending = send10(hanging).catch((error: Error) => error.message)
  await expect.poll(() => hanging.requests.length).toBe(1)
  await hanging.close()
  expect(await pending).toBe('fetch failed')
})

test('routes: are added, and win over the agent', async () => {
  await using agent = await startAgentFrom({
    routes: {
      'GET /health': () => ({ json: { ok: true } }),
      'POST /a2a/jsonrpc': ({ body }) => ({ status: 418, json: { length: body.length } }),
    },
  })
  expect(await (await fetch(`${agent.url}/health`)).json()).toEqual({ ok: true })
  expect((await send10(agent)).status).toBe(418)
})

test('a port can be chosen, and a port in use is reported', async () => {
  await using first = await startAgentFrom()
  await expect(startAgentFrom({ port: Number(new URL(first.url).port) })).rejects.toThrow('EADDRINUSE')
})
