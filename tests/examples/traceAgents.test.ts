import { describe, expect, test } from 'vitest'
import { startCodeReviewer, startTestRunner, type DemoAgent } from '../../src/testing/index.ts'
import { exchange } from './trace.ts'
import { isList, post, queue, textsOf } from './wire.ts'

/** Sends the trace's own request and gives back the raw text of the answer. */
async function replay(agent: DemoAgent, n: number): Promise<string> {
  const { path, headers, body } = exchange(n).request
  const { Host: _, ...rest } = headers
  const response = await fetch(agent.url + path, {
    method: 'POST',
    headers: rest,
    body: JSON.stringify(body),
  })
  expect(response.headers.get('content-type')).toBe('application/json')
  return response.text()
}

test('the test-runner answers exchange 4 byte for byte', async () => {
  const ids = queue()
  const { task } = exchange(4).response.body.result
  await using agent = await startTestRunner({
    ids: () => ids.next(),
    now: () => Date.parse(task.status.timestamp),
  })
  const progress = task.history.filter((message) => message.role === 'ROLE_AGENT')
  ids.put(
    task.id,
    task.contextId,
    ...progress.map((message) => message.messageId),
    task.status.message.messageId,
  )

  expect(await replay(agent, 4)).toBe(JSON.stringify(exchange(4).response.body))
  expect(ids.left()).toBe(0)
})

test('the code-reviewer answers exchanges 5 and 6 byte for byte', async () => {
  const ids = queue()
  let now = ''
  await using agent = await startCodeReviewer({ ids: () => ids.next(), now: () => Date.parse(now) })
  const asked = exchange(5).response.body.result.task
  now = asked.status.timestamp
  ids.put(asked.id, asked.contextId, asked.status.message.messageId)
  expect(await replay(agent, 5)).toBe(JSON.stringify(exchange(5).response.body))

  const done = exchange(6).response.body.result.task
  now = done.status.timestamp
  ids.put(done.history.at(-1)?.messageId ?? '', done.status.message.messageId)
  expect(await replay(agent, 6)).toBe(JSON.stringify(exchange(6).response.body))
  expect(ids.left()).toBe(0)
})

test.each([
  [1, startTestRunner, 'http://localhost:41241'],
  [2, startCodeReviewer, 'http://localhost:41242'],
] as const)(
  'the card of exchange %i is served, with the address that is really open',
  async (n, start, origin) => {
    await using agent = await start()

    const response = await fetch(`${agent.url}/.well-known/agent-card.json`)

    const expected = JSON.stringify(exchange(n).response.body).replaceAll(origin, agent.url)
    expect(await response.text()).toBe(expected)
    expect(JSON.stringify(agent.card)).toBe(expected)
    expect(response.headers.get('cache-control')).toBe('max-age=3600')
    expect(response.headers.get('etag')).toMatch(/^"[\w-]{16}"$/)
  },
)

const say = (text: string, more: object = {}) => ({
  message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text }], ...more },
})
const v1 = { 'a2a-version': '1.0' }

describe('without injected ids', () => {
  test('two tasks have different ids and contexts', async () => {
    await using agent = await startTestRunner()
    const run = () =>
      post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', say('Run the tests at commit a41d7c3'), v1)

    const [one, two] = [await run(), await run()]

    const ids = [one, two].flatMap(({ json }) => [json.result.task.id, json.result.task.contextId])
    expect(new Set(ids).size).toBe(4)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('a greeting is answered with a Message, a missing commit is asked for', async () => {
    await using agent = await startTestRunner()

    const hello = await post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', say('Hello! What can you do?'), v1)
    expect(hello.json.result.message).toMatchObject({ role: 'ROLE_AGENT' })
    expect(textsOf(hello.json)).toEqual([
      'I run the test suite of a repository at one commit. Name the repository and the commit.',
    ])

    const asked = await post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', say('Run the tests'), v1)
    expect(asked.json.result.task.status.state).toBe('TASK_STATE_INPUT_REQUIRED')
    const { id: taskId, contextId } = asked.json.result.task
    const done = await post(
      `${agent.url}/a2a/jsonrpc`,
      'SendMessage',
      say('a41d7c3', { taskId, contextId }),
      v1,
    )
    expect(done.json.result.task).toMatchObject({ id: taskId, status: { state: 'TASK_STATE_COMPLETED' } })
  })

  test('a diff with nothing to say about it has no findings', async () => {
    await using agent = await startCodeReviewer()
    const diff = '--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,3 @@\n+print(1)\n'
    const asked = await post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', say(diff), v1)
    const { contextId } = asked.json.result.task

    const done = await post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', say('dev', { contextId }), v1)

    expect(textsOf(done.json)).toContain('no findings')
    expect(done.json.result.task.artifacts[0].parts[1].data).toEqual({ base: 'dev', findings: [] })
  })
})

describe('the rules of A2A 1.0', () => {
  test.each([
    ['SendMessage', say('x', { taskId: 'missing' }), v1, -32001, 'Task not found: missing'],
    ['SendMessage', {}, v1, -32602, 'Invalid params: message is missing'],
    ['SendMessage', { message: { messageId: 'm', role: 'ROLE_USER' } }, v1, -32602, 'at least one part'],
    ['SendMessage', { message: { messageId: 'm', role: 'user', parts: [1] } }, v1, -32602, 'ROLE_USER'],
    ['GetTask', { id: 'missing' }, v1, -32001, 'Task not found: missing'],
    ['GetTask', {}, v1, -32602, 'id must be a string'],
    ['message/send', say('x'), v1, -32601, 'Method not found: message/send'],
    ['SendMessage', say('x'), {}, -32009, 'Version 0.3 is not supported'],
    ['SendMessage', say('x'), { 'a2a-version': '99.0' }, -32009, 'Version 99.0 is not supported'],
  ])('%s %j %j is refused with %i', async (method, params, headers, code, text) => {
    await using agent = await startTestRunner()
    const { json } = await post(`${agent.url}/a2a/jsonrpc`, method, params, headers)
    expect(json).toEqual({ jsonrpc: '2.0', id: 1, error: { code, message: expect.stringContaining(text) } })
  })

  test('a finished task takes no message and cannot be canceled; an open one can', async () => {
    await using agent = await startTestRunner()
    const rpc = `${agent.url}/a2a/jsonrpc`
    const open = (await post(rpc, 'SendMessage', say('Run the tests'), v1)).json.result.task
    const other = await post(rpc, 'SendMessage', say('x', { taskId: open.id, contextId: 'other' }), v1)
    expect(other.json.error.code).toBe(-32602)

    const canceled = await post(rpc, 'CancelTask', { id: open.id }, v1)
    expect(canceled.json.result.status.state).toBe('TASK_STATE_CANCELED')
    expect((await post(rpc, 'CancelTask', { id: open.id }, v1)).json.error.code).toBe(-32002)
    const late = await post(rpc, 'SendMessage', say('a41d7c3', { taskId: open.id }), v1)
    expect(late.json.error).toEqual({
      code: -32004,
      message: `Task ${open.id} is canceled and takes no more messages`,
    })
  })

  test('returnImmediately returns a working task, which is done at the next request', async () => {
    await using agent = await startTestRunner()
    const params = { ...say('Run the tests at a41d7c3'), configuration: { returnImmediately: true } }
    const { task } = (await post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', params, v1)).json.result
    expect(task.status.state).toBe('TASK_STATE_WORKING')
    expect(task).not.toHaveProperty('artifacts')

    const later = await post(`${agent.url}/a2a/jsonrpc`, 'GetTask', { id: task.id }, v1)
    expect(later.json.result).toMatchObject({ id: task.id, status: { state: 'TASK_STATE_COMPLETED' } })
  })

  test('a stream begins with the task and ends with its last status', async () => {
    await using agent = await startTestRunner()
    const response = await fetch(`${agent.url}/a2a/jsonrpc`, {
      method: 'POST',
      headers: v1,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'a',
        method: 'SendStreamingMessage',
        params: say('Run the tests at a41d7c3'),
      }),
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = (await response.text()).split('\n\n').filter(Boolean)
    const results = events.map((event) => JSON.parse(event.slice('data: '.length)) as Record<string, unknown>)
    expect(results.map(({ id, result }) => [id, Object.keys(result as object)[0]])).toEqual([
      ['a', 'task'],
      ['a', 'statusUpdate'],
      // Four lines of the log, and the summary.
      ...Array.from({ length: 5 }, () => ['a', 'artifactUpdate']),
      ['a', 'statusUpdate'],
    ])
    expect(results[0]).toMatchObject({ result: { task: { status: { state: 'TASK_STATE_SUBMITTED' } } } })
    expect(results.at(-1)).toMatchObject({
      result: { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } },
    })
  })
})

describe('HTTP+JSON', () => {
  const rest = async (
    agent: DemoAgent,
    path: string,
    body?: unknown,
    headers: Record<string, string> = v1,
  ) => {
    const response = await fetch(`${agent.url}/a2a/rest${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: JSON.parse(await response.text()) }
  }

  test('sends, gets, lists and cancels', async () => {
    await using agent = await startTestRunner()

    const sent = await rest(agent, '/message:send', say('Run the tests'))
    const { id } = sent.json.task
    expect(sent).toMatchObject({
      status: 200,
      json: { task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } },
    })
    expect((await rest(agent, `/tasks/${id}`)).json).toMatchObject({ id })
    const listed = (await rest(agent, '/tasks')).json
    expect(listed).toMatchObject({ nextPageToken: '', totalSize: 1 })
    expect(isList(listed.tasks) && listed.tasks[0]).not.toHaveProperty('artifacts')
    expect((await rest(agent, `/tasks/${id}:cancel`, {})).json.status.state).toBe('TASK_STATE_CANCELED')
  })

  test.each([
    ['/tasks/missing', undefined, v1, 404, 'NOT_FOUND', 'TASK_NOT_FOUND'],
    ['/message:send', {}, v1, 400, 'INVALID_ARGUMENT', 'INVALID_PARAMS'],
    [
      '/message:send',
      say('x'),
      { 'a2a-version': '0.3' },
      400,
      'FAILED_PRECONDITION',
      'VERSION_NOT_SUPPORTED',
    ],
  ])('%s %j %j is refused with %i %s', async (path, body, headers, status, name, reason) => {
    await using agent = await startTestRunner()
    const answer = await rest(agent, path, body, headers)
    expect(answer.status).toBe(status)
    expect(answer.json.error).toMatchObject({
      code: status,
      status: name,
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' }],
    })
  })

  test('an unknown route has no reason', async () => {
    await using agent = await startTestRunner()
    const answer = await rest(agent, '/nothing', {})
    expect(answer).toMatchObject({
      status: 404,
      json: { error: { message: 'No such route: POST /nothing' } },
    })
    expect(answer.json.error).not.toHaveProperty('details')
  })
})
