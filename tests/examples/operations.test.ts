import { describe, expect, test } from 'vitest'
import { startAgentFrom, startSlowAgent, startTestRunner } from '../../src/testing/index.ts'
import { openStream, post, rpc } from './wire.ts'

const v1 = { 'a2a-version': '1.0' }
const say10 = (text: string, more = {}) => ({
  message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text }], ...more },
})
const say03 = (text: string) => ({
  message: { kind: 'message', messageId: 'm1', role: 'user', parts: [{ kind: 'text', text }] },
})
/** The only member of each result, and its state if it has one. */
const kinds = (events: { result: Record<string, { status?: { state: string } }> }[]) =>
  events.map(({ result }) => Object.entries(result).map(([kind, one]) => [kind, one.status?.state ?? ''])[0])

describe('a stream of 1.0', () => {
  test('sends each event at its step, and folds to the answer of send', async () => {
    await using agent = await startSlowAgent()
    const stream = await openStream(
      `${agent.url}/a2a/jsonrpc`,
      rpc('SendStreamingMessage', say10('Oslo'), 's'),
      v1,
    )
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    const first = await stream.next()
    expect(first).toMatchObject({ id: 's', result: { task: { status: { state: 'TASK_STATE_SUBMITTED' } } } })

    agent.release()
    expect(kinds([await stream.next()])).toEqual([['statusUpdate', 'TASK_STATE_WORKING']])
    agent.release(2)
    const [begun, ended] = [await stream.next(), await stream.next()]
    expect(begun.result.artifactUpdate).toEqual({
      taskId: first.result.task.id,
      contextId: first.result.task.contextId,
      artifact: { artifactId: 'answer', name: 'answer', parts: [{ text: 'You said: ' }] },
    })
    expect(ended.result.artifactUpdate).toMatchObject({ append: true, lastChunk: true })
    agent.finish()
    expect(kinds(await stream.rest())).toEqual([
      ['statusUpdate', 'TASK_STATE_WORKING'],
      ['statusUpdate', 'TASK_STATE_COMPLETED'],
    ])

    const sent = await post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', say10('Oslo'), v1)
    expect(sent.json.result.task.artifacts).toEqual([
      { artifactId: 'answer', name: 'answer', parts: [{ text: 'You said: ' }, { text: 'Oslo' }] },
    ])
  })

  test('is one Message when there is no task, and ends when input is required', async () => {
    await using agent = await startTestRunner()
    const stream = async (text: string) =>
      (await openStream(`${agent.url}/a2a/jsonrpc`, rpc('SendStreamingMessage', say10(text)), v1)).rest()
    expect(kinds(await stream('Hello'))).toEqual([['message', '']])
    expect(kinds(await stream('Run the tests'))).toEqual([
      ['task', 'TASK_STATE_SUBMITTED'],
      ['statusUpdate', 'TASK_STATE_INPUT_REQUIRED'],
    ])
  })

  test('a step that throws fails the task', async () => {
    await using agent = await startAgentFrom({
      async *respond() {
        yield { state: 'working' }
        throw new Error('The disk is full')
      },
    })
    const stream = await openStream(`${agent.url}/a2a/jsonrpc`, rpc('SendStreamingMessage', say10('x')), v1)
    expect((await stream.rest()).at(-1).result.statusUpdate.status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: 'The disk is full' }] },
    })
  })

  test('is refused where the card does not declare it', async () => {
    await using agent = await startAgentFrom({ card: { capabilities: {} } })
    const url = `${agent.url}/a2a/jsonrpc`
    for (const method of ['SendStreamingMessage', 'SubscribeToTask']) {
      const { json, headers } = await post(url, method, say10('x'), v1)
      expect(json.error).toEqual({ code: -32004, message: 'This agent has no streaming' })
      expect(headers.get('content-type')).toBe('application/json')
    }
  })
})

describe('a subscription', () => {
  test('of 1.0 begins with the task as it is, loses nothing and is shared', async () => {
    await using agent = await startSlowAgent()
    const url = `${agent.url}/a2a/jsonrpc`
    const interrupted = await openStream(url, rpc('SendStreamingMessage', say10('Oslo')), v1)
    const { id } = (await interrupted.next()).result.task
    agent.release(2)
    await interrupted.next()
    await interrupted.next()
    interrupted.abort()

    const [one, two] = [
      await openStream(url, rpc('SubscribeToTask', { id }, 'one'), v1),
      await openStream(`${agent.url}/a2a/rest/tasks/${id}:subscribe`, {}, v1),
    ]
    const task = (await one.next()).result.task
    expect(task).toMatchObject({
      id,
      status: { state: 'TASK_STATE_WORKING' },
      artifacts: [{ parts: [{ text: 'You said: ' }] }],
    })
    expect(await two.next()).toEqual({ task })
    agent.finish()
    const events = await one.rest()
    expect(kinds(events)).toEqual([
      ['artifactUpdate', ''],
      ['statusUpdate', 'TASK_STATE_WORKING'],
      ['statusUpdate', 'TASK_STATE_COMPLETED'],
    ])
    expect(await two.rest()).toEqual(events.map(({ result }) => result))
  })

  test('of 1.0 is refused when the task has ended or is unknown, and ends at once when it waits for input', async () => {
    await using agent = await startTestRunner()
    const url = `${agent.url}/a2a/jsonrpc`
    const run = async (text: string) => (await post(url, 'SendMessage', say10(text), v1)).json.result.task.id
    const ended = await run('Run the tests at a41d7c3')
    expect((await post(url, 'SubscribeToTask', { id: ended }, v1)).json.error).toEqual({
      code: -32004,
      message: `Task ${ended} is completed: there is nothing to subscribe to`,
    })
    expect((await post(url, 'SubscribeToTask', { id: 'missing' }, v1)).json.error.code).toBe(-32001)
    const rest = await fetch(`${agent.url}/a2a/rest/tasks/${ended}:subscribe`, {
      method: 'POST',
      headers: v1,
    })
    expect([rest.status, await rest.text()]).toEqual([400, expect.stringContaining('UNSUPPORTED_OPERATION')])

    const asking = await openStream(url, rpc('SubscribeToTask', { id: await run('Run the tests') }), v1)
    expect(kinds(await asking.rest())).toEqual([['task', 'TASK_STATE_INPUT_REQUIRED']])
  })

  test('of 0.3 gives the task that has ended, and then ends; only the last status is final', async () => {
    await using agent = await startSlowAgent({ dialect: '0.3' })
    const stream = await openStream(`${agent.url}/a2a`, rpc('message/stream', say03('Oslo')))
    const { id } = (await stream.next()).result
    agent.release(1)
    await stream.next()
    const again = await openStream(`${agent.url}/a2a`, rpc('tasks/resubscribe', { id }))
    expect((await again.next()).result).toMatchObject({ kind: 'task', id, status: { state: 'working' } })
    agent.finish()
    const events = await again.rest()
    expect(events.map(({ result }) => [result.kind, result.final ?? result.lastChunk])).toEqual([
      ['artifact-update', false],
      ['artifact-update', true],
      ['status-update', false],
      ['status-update', true],
    ])
    expect(await stream.rest()).toEqual(events)

    const late = await openStream(`${agent.url}/a2a`, rpc('tasks/resubscribe', { id }))
    expect((await late.rest()).map(({ result }) => [result.kind, result.status.state])).toEqual([
      ['task', 'completed'],
    ])
  })
})

test('a cancel ends the work, the stream and every later step', async () => {
  await using agent = await startSlowAgent()
  const url = `${agent.url}/a2a/jsonrpc`
  const stream = await openStream(url, rpc('SendStreamingMessage', say10('Oslo')), v1)
  const { id } = (await stream.next()).result.task
  agent.release()
  await stream.next()

  const canceled = await fetch(`${agent.url}/a2a/rest/tasks/${id}:cancel`, { method: 'POST', headers: v1 })

  expect(await canceled.json()).toMatchObject({ id, status: { state: 'TASK_STATE_CANCELED' } })
  expect(kinds(await stream.rest())).toEqual([['statusUpdate', 'TASK_STATE_CANCELED']])
  agent.finish()
  const { json } = await post(url, 'GetTask', { id }, v1)
  expect(json.result.status.state).toBe('TASK_STATE_CANCELED')
  expect(json.result).not.toHaveProperty('artifacts')
})

test('returnImmediately of an agent that takes its time hands out the task before any step', async () => {
  await using agent = await startSlowAgent()
  const params = { ...say10('Oslo'), configuration: { returnImmediately: true } }
  const { task } = (await post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', params, v1)).json.result
  expect(task.status.state).toBe('TASK_STATE_SUBMITTED')
  await agent.waiting()
  agent.release()
  await agent.waiting()
  const { json } = await post(`${agent.url}/a2a/jsonrpc`, 'GetTask', { id: task.id }, v1)
  expect(json.result.status.state).toBe('TASK_STATE_WORKING')
})

test('a step that is released is not lost on a task that was canceled', async () => {
  await using agent = await startSlowAgent()
  const url = `${agent.url}/a2a/jsonrpc`
  const begin = async () => {
    const params = { ...say10('Oslo'), configuration: { returnImmediately: true } }
    return (await post(url, 'SendMessage', params, v1)).json.result.task.id as string
  }
  const id = await begin()
  await agent.waiting()
  await post(url, 'CancelTask', { id }, v1)
  const other = await begin()
  await agent.waiting()
  agent.release()
  await agent.waiting()
  const { json } = await post(url, 'GetTask', { id: other }, v1)
  expect(json.result.status.state).toBe('TASK_STATE_WORKING')
})

test('onRequest is called before the answer is sent', async () => {
  const heard: string[] = []
  await using agent = await startAgentFrom({
    onRequest: ({ method, path }) => heard.push(`${method} ${path}`),
  })
  await fetch(`${agent.url}/a2a/nowhere`)
  expect(heard).toEqual(['GET /a2a/nowhere'])
})

describe('historyLength', () => {
  test.each([
    [{}, ['m1', 'Checking out']],
    [{ historyLength: 5 }, ['m1', 'Checking out']],
    [{ historyLength: 1 }, ['Checking out']],
    [{ historyLength: 0 }, undefined],
  ])('%j of 1.0', async (length, expected) => {
    await using agent = await startTestRunner()
    const url = `${agent.url}/a2a/jsonrpc`
    const params = { ...say10('Run the tests at a41d7c3'), configuration: length }
    const sent = (await post(url, 'SendMessage', params, v1)).json.result.task
    const got = (await post(url, 'GetTask', { id: sent.id, ...length }, v1)).json.result
    const query = new URLSearchParams(
      Object.entries(length).map(([name, one]): [string, string] => [name, String(one)]),
    )
    const rest = await fetch(`${agent.url}/a2a/rest/tasks/${sent.id}?${query}`, { headers: v1 })
    for (const task of [sent, got, await rest.json()]) {
      expect(
        task.history?.map((one: { messageId: string; role: string }) =>
          one.role === 'ROLE_USER' ? one.messageId : 'Checking out',
        ),
      ).toEqual(expected)
    }
  })

  test.each([[-1], ['many'], [1.5]])('%j is refused', async (historyLength) => {
    await using agent = await startTestRunner()
    const { json } = await post(`${agent.url}/a2a/jsonrpc`, 'GetTask', { id: 'x', historyLength }, v1)
    expect(json.error).toEqual({
      code: -32602,
      message: 'Invalid params: historyLength must be a whole number of at least 0',
    })
  })

  test('of 0.3', async () => {
    await using agent = await startAgentFrom({ dialect: '0.3', respond: () => [{ state: 'completed' }] })
    const { json } = await post(`${agent.url}/a2a`, 'message/send', say03('x'))
    const { id } = json.result
    const got = await post(`${agent.url}/a2a`, 'tasks/get', { id, historyLength: 0 })
    expect(json.result.history).toHaveLength(1)
    expect(got.json.result).not.toHaveProperty('history')
  })
})
