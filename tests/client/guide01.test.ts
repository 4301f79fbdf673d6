import { expect, test } from 'vitest'
import { startFixture, type FixtureReply, type RecordedRequest } from '../support/fixtureServer.ts'
import { failure, handleOf, posts } from './support.ts'

/** The endpoint of A2A 0.1 as people write it by hand: a card at agent.json, one method, errors with HTTP statuses. */
const card = {
  name: 'Your Company Agent',
  description: 'AI assistant for Your Company',
  url: 'http://127.0.0.1:4100/api/agent',
  provider: { organization: 'Your Company', url: 'https://yourdomain.example' },
  version: '1.0.0',
  capabilities: { streaming: false, pushNotifications: false },
  authentication: { schemes: ['bearer'] },
  defaultInputModes: ['text'],
  defaultOutputModes: ['text'],
  skills: [
    { id: 'general-inquiry', name: 'General Inquiry', description: 'Answers questions', tags: ['info'] },
  ],
}

interface SendParams {
  id: string
  sessionId?: string
  message: { parts: { text: string }[] }
}

const error = (status: number, id: unknown, code: number, message: string): FixtureReply => ({
  status,
  json: { jsonrpc: '2.0', id, error: { code, message } },
})

function endpoint(request: RecordedRequest): FixtureReply {
  const { rpc } = request
  if (rpc === undefined || !rpc.id) return error(400, null, -32600, 'Invalid JSON-RPC 2.0 request')
  if (rpc.method !== 'tasks/send') return error(404, rpc.id, -32601, `Method not found: ${rpc.method}`)
  const { id, message } = rpc.params as SendParams
  const asked = message.parts[0]?.text ?? ''
  if (asked === '') return error(400, rpc.id, -32602, 'Invalid params: message with parts is required')
  const result = asked.includes('quote')
    ? {
        id,
        status: {
          state: 'input-required',
          message: { role: 'agent', parts: [{ type: 'text', text: 'What type of project?' }] },
        },
      }
    : {
        id,
        status: { state: 'completed' },
        artifacts: [{ parts: [{ type: 'text', text: `Received your task: "${asked}"` }] }],
      }
  return { json: { jsonrpc: '2.0', id: rpc.id, result } }
}

const company = () =>
  startFixture([
    { on: 'GET /.well-known/agent.json', json: card },
    { on: 'POST /api/agent', times: '*', reply: endpoint },
  ])

test('a basic task is sent as in the guide, with a session', async () => {
  await using server = await company()
  const agent = handleOf(server, { version: '0.1' }, { ids: ['unused', 'test-001', 'session-1'] })

  const reply = await agent.send('What services do you offer?')

  expect(JSON.parse(posts(server)[0]!.body)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'tasks/send',
    params: {
      id: 'test-001',
      sessionId: 'session-1',
      message: { role: 'user', parts: [{ type: 'text', text: 'What services do you offer?' }] },
    },
  })
  expect(posts(server)[0]?.headers).not.toHaveProperty('a2a-version')
  expect(reply).toMatchObject({
    text: 'Received your task: "What services do you offer?"',
    state: 'completed',
    dialect: '0.1',
    taskId: 'test-001',
    // The agent does not repeat the session, but the conversation has it.
    contextId: 'session-1',
  })
})

test('the card alone is enough to speak 0.1 at once', async () => {
  await using server = await company()

  const reply = await handleOf(server).send('What services do you offer?')

  expect(posts(server)).toHaveLength(1)
  expect(reply).toMatchObject({ dialect: '0.1', declared: '0.1' })
})

test('an interrupted task is continued by its id; after a finished one the session gets a new task', async () => {
  await using server = await company()
  const agent = handleOf(server)
  const ids = () =>
    posts(server).map(({ rpc }) => {
      const { id, sessionId } = rpc?.params as SendParams
      return [id, sessionId]
    })

  const question = await agent.send('I want a quote')
  const answer = await agent.send('A website', { after: question })
  await agent.send('Thanks', { after: answer })

  expect(question).toMatchObject({ state: 'input-required', text: 'What type of project?' })
  const [first, second, third] = ids()
  expect(second).toEqual(first)
  expect(third?.[0]).not.toBe(first?.[0])
  expect(third?.[1]).toBe(first?.[1])
})

test.each([
  ['an unknown method', 'nonexistent/method', 'hi', -32601, 404],
  ['no text', 'tasks/send', '', -32602, 400],
])('the error for %s keeps its code whatever the HTTP status', async (_, method, text, rpcCode, status) => {
  await using server = await startFixture([
    { on: 'GET /.well-known/agent.json', json: card },
    {
      on: 'POST /api/agent',
      times: '*',
      reply: (request) => endpoint({ ...request, ...(request.rpc && { rpc: { ...request.rpc, method } }) }),
    },
  ])

  const caught = await failure(handleOf(server, { version: '0.1' }).send(text))

  expect(caught).toMatchObject({ name: 'A2AReplyError', code: 'RPC_ERROR', rpcCode, status })
})

test.each([
  [-32700, 'Parse error'],
  [-32600, 'Invalid JSON-RPC 2.0 request'],
  [-32603, 'Internal error'],
  [-32000, 'Authentication required'],
])('error %i is passed on with its text, and nothing else is tried', async (code, message) => {
  await using server = await startFixture([
    { on: 'GET /.well-known/agent.json', json: card },
    { on: 'POST /api/agent', ...error(code === -32000 ? 401 : 400, null, code, message) },
  ])

  const caught = await failure(handleOf(server).send('hi'))

  expect(caught).toMatchObject({ code: 'RPC_ERROR', rpcCode: code })
  expect(caught.message).toContain(message)
  expect(posts(server)).toHaveLength(1)
})

test('the bearer scheme of the card takes a credential by its name', async () => {
  await using server = await company()

  await handleOf(server, { credentials: { bearer: 'tok' } }).send('hi')

  expect(posts(server)[0]?.headers.authorization).toBe('Bearer tok')
})
