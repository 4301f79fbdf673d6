import { expect, test } from 'vitest'
import { startHelpdesk, type DemoAgent } from '../../src/testing/index.ts'
import { post, textsOf } from './wire.ts'

const say = (text: string, more: object = {}) => ({
  message: { kind: 'message', messageId: 'm1', role: 'user', parts: [{ kind: 'text', text }], ...more },
})
const send = (agent: DemoAgent, params: unknown) => post(`${agent.url}/a2a`, 'message/send', params)

test('a refund with its order number is done at once, with a timeline', async () => {
  let id = 0
  await using agent = await startHelpdesk({ ids: () => `id-${++id}`, now: () => 0 })

  const { json } = await send(
    agent,
    say('Hi, I was charged twice for order #4411. Can one of them be refunded?'),
  )

  expect(json.result).toEqual({
    kind: 'task',
    id: 'id-1',
    contextId: 'id-2',
    status: { state: 'completed', timestamp: '1970-01-01T00:00:00.000Z' },
    history: [
      {
        kind: 'message',
        messageId: 'm1',
        contextId: 'id-2',
        taskId: 'id-1',
        role: 'user',
        parts: [
          { kind: 'text', text: 'Hi, I was charged twice for order #4411. Can one of them be refunded?' },
        ],
      },
      {
        kind: 'message',
        messageId: 'id-3',
        contextId: 'id-2',
        taskId: 'id-1',
        role: 'agent',
        parts: [{ kind: 'text', text: 'Looking up order #4411' }],
      },
    ],
    artifacts: [
      {
        artifactId: 'refund',
        name: 'refund',
        parts: [
          {
            kind: 'text',
            text: 'One of the two charges for order #4411 has been refunded. The money arrives within 5 to 7 business days.',
          },
          { kind: 'data', data: { order: '4411', refunded: true, businessDays: [5, 7] } },
        ],
      },
    ],
  })
})

test('a missing order number is asked for, and the answer continues the task', async () => {
  await using agent = await startHelpdesk()

  const asked = (await send(agent, say('I was charged twice'))).json.result
  expect(asked.status).toMatchObject({
    state: 'input-required',
    message: {
      role: 'agent',
      parts: [{ kind: 'text', text: 'I can refund that. What is your order number?' }],
    },
  })
  const { id: taskId, contextId } = asked
  const done = (await send(agent, say('#4411', { taskId, contextId }))).json.result
  expect(done).toMatchObject({ id: taskId, contextId, status: { state: 'completed' } })
  expect(textsOf(done.artifacts)[0]).toContain('order #4411 has been refunded')
})

test('without a timeline, no date of a refund is given', async () => {
  await using agent = await startHelpdesk({ timeline: false })

  const refund = await send(agent, say('I was charged twice for order #4411'))
  const asked = await send(agent, say('When does it arrive?'))

  expect(textsOf(refund.json.result.artifacts)).toEqual([
    'One of the two charges for order #4411 has been refunded.',
  ])
  expect(JSON.stringify(refund.json)).not.toContain('days')
  expect(textsOf(asked.json)).toEqual(['I cannot say when a refund arrives.'])
})

test('a greeting gets a Message', async () => {
  await using agent = await startHelpdesk()
  const { json } = await send(agent, say('Hello! In one or two sentences, what can you help me with?'))
  expect(json.result).toMatchObject({ kind: 'message', role: 'agent' })
  expect(textsOf(json)[0]).toContain('double charges')
})

test('blocking false hands out a working task, which is done when asked for', async () => {
  await using agent = await startHelpdesk()
  const params = { ...say('I was charged twice for order #4411'), configuration: { blocking: false } }
  const started = (await send(agent, params)).json.result
  expect(started.status.state).toBe('working')

  const later = await post(`${agent.url}/a2a`, 'tasks/get', { id: started.id })
  expect(later.json.result).toMatchObject({ id: started.id, status: { state: 'completed' } })
})

test('files and data are read, and returned unchanged', async () => {
  await using agent = await startHelpdesk()
  const parts = [
    { kind: 'text', text: 'Refund 4411' },
    { kind: 'file', file: { name: 'r.pdf', mimeType: 'application/pdf', bytes: 'QQ==' } },
    { kind: 'file', file: { uri: 'https://shop.example.com/r.pdf' } },
    { kind: 'data', data: { order: 1 } },
  ]
  const { json } = await send(agent, say('', { parts }))
  expect(json.result.history[0].parts).toEqual(parts)
})

test.each([
  ['message/send', {}, -32602, 'message is missing'],
  ['message/send', say('x', { role: 'ROLE_USER' }), -32602, 'message.role must be "user"'],
  ['message/send', say('x', { parts: [{ type: 'text', text: 'x' }] }), -32602, 'a part has a kind'],
  ['message/send', say('x', { taskId: 'missing' }), -32001, 'Task not found: missing'],
  ['tasks/get', { id: 'missing' }, -32001, 'Task not found: missing'],
  ['tasks/send', say('x'), -32601, 'Method not found: tasks/send'],
])('%s %j is refused', async (method, params, code, text) => {
  await using agent = await startHelpdesk()
  const { json } = await post(`${agent.url}/a2a`, method, params)
  expect(json.error).toEqual({ code, message: expect.stringContaining(text) })
})

test('a stream names the kind of each event and ends with a final one', async () => {
  await using agent = await startHelpdesk()
  const response = await fetch(`${agent.url}/a2a`, {
    method: 'POST',
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'message/stream',
      params: say('I was charged twice for order #4411'),
    }),
  })
  const events = (await response.text())
    .split('\n\n')
    .filter(Boolean)
    .map((event) => (JSON.parse(event.slice('data: '.length)) as { result: Record<string, unknown> }).result)
  expect(events.map((event) => event['final'] ?? event['kind'])).toEqual([
    'task',
    false,
    'artifact-update',
    true,
  ])
})
