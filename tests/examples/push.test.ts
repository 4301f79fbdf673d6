import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { faults, startSlowAgent, startTestRunner, type Fault } from '../../src/testing/index.ts'
import { post } from './wire.ts'

const v1 = { 'a2a-version': '1.0' }
const say10 = (configuration = {}) => ({
  message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'Run the tests at a41d7c3' }] },
  configuration,
})
const say03 = (configuration = {}) => ({
  message: { kind: 'message', messageId: 'm1', role: 'user', parts: [{ kind: 'text', text: 'Oslo' }] },
  configuration,
})

// Bodies of any shape are read here, so they are left untyped.
// eslint-disable-next-line typescript/no-explicit-any
type Received = { headers: Record<string, unknown>; body: any }

/** A receiver of push notifications on this machine. */
async function startReceiver() {
  const got: Received[] = []
  let notify = (): void => {}
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    got.push({ headers: request.headers, body: JSON.parse(text) })
    response.end()
    notify()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    /** Resolves when that number of notifications has arrived. */
    async count(count: number): Promise<Received[]> {
      while (got.length < count) await new Promise<void>((resolve) => (notify = resolve))
      return got
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
const kindsOf = (got: Received[]) => got.map(({ body }) => Object.keys(body)[0])

describe('1.0', () => {
  test('a receiver configured with the message gets every event, with its credentials, in order', async () => {
    await using receiver = await startReceiver()
    await using agent = await startTestRunner()
    const authentication = { scheme: 'Bearer', credentials: 'abc' }
    const taskPushNotificationConfig = { url: receiver.url, token: 's3cr3t', authentication }

    const { json } = await post(
      `${agent.url}/a2a/jsonrpc`,
      'SendMessage',
      say10({ taskPushNotificationConfig }),
      v1,
    )

    const got = await receiver.count(8)
    expect(kindsOf(got)).toEqual([
      'task',
      'statusUpdate',
      ...Array.from({ length: 5 }, () => 'artifactUpdate'),
      'statusUpdate',
    ])
    expect(got.at(-1)?.body.statusUpdate).toMatchObject({
      taskId: json.result.task.id,
      status: json.result.task.status,
    })
    expect(got[0]?.body.task.status.state).toBe('TASK_STATE_SUBMITTED')
    for (const { headers } of got) {
      expect(headers).toMatchObject({
        authorization: 'Bearer abc',
        'x-a2a-notification-token': 's3cr3t',
        'content-type': 'application/a2a+json',
      })
    }
  })

  test('a task continues when no client waits for it, and notifies its receiver', async () => {
    await using receiver = await startReceiver()
    await using agent = await startTestRunner()
    const url = `${agent.url}/a2a/jsonrpc`
    const { id: taskId } = (await post(url, 'SendMessage', say10({ returnImmediately: true }), v1)).json
      .result.task
    await post(url, 'CreateTaskPushNotificationConfig', { taskId, url: receiver.url }, v1)
    const got = await receiver.count(6)
    expect(got.at(-1)?.body.statusUpdate.status.state).toBe('TASK_STATE_COMPLETED')
  })

  test('configs are created, read, listed and deleted over both bindings', async () => {
    await using receiver = await startReceiver()
    await using agent = await startSlowAgent()
    const url = `${agent.url}/a2a/jsonrpc`
    const call = async (method: string, params: object) => (await post(url, method, params, v1)).json
    const { id: taskId } = (await call('SendMessage', say10({ returnImmediately: true }))).result.task
    const made = (await call('CreateTaskPushNotificationConfig', { taskId, url: receiver.url, token: 't' }))
      .result
    expect(made).toEqual({ taskId, url: receiver.url, token: 't', id: expect.any(String) })

    const rest = `${agent.url}/a2a/rest/tasks/${taskId}/pushNotificationConfigs`
    const headers = v1
    const second = await fetch(rest, {
      method: 'POST',
      headers,
      body: JSON.stringify({ id: 'mine', url: receiver.url }),
    })
    expect(await second.json()).toEqual({ taskId, id: 'mine', url: receiver.url })
    expect((await call('GetTaskPushNotificationConfig', { taskId, id: made.id })).result).toEqual(made)
    const both = { configs: [made, { taskId, id: 'mine', url: receiver.url }], nextPageToken: '' }
    expect((await call('ListTaskPushNotificationConfigs', { taskId })).result).toEqual(both)
    expect(await (await fetch(rest, { headers })).json()).toEqual(both)

    expect(await call('DeleteTaskPushNotificationConfig', { taskId, id: made.id })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: null,
    })
    const gone = await fetch(`${rest}/mine`, { method: 'DELETE', headers })
    expect([gone.status, await gone.json()]).toEqual([200, {}])
    // A second delete is not an error (A2A 1.0 §3.1.10), but a read is.
    expect(await call('DeleteTaskPushNotificationConfig', { taskId, id: made.id })).toHaveProperty('result')
    expect((await call('GetTaskPushNotificationConfig', { taskId, id: made.id })).error.code).toBe(-32001)
    expect((await fetch(`${rest}/mine`, { headers })).status).toBe(404)
  })

  test('nothing is sent after a delete', async () => {
    await using receiver = await startReceiver()
    await using agent = await startSlowAgent()
    const url = `${agent.url}/a2a/jsonrpc`
    const call = async (method: string, params: object) => (await post(url, method, params, v1)).json.result
    const { id: taskId } = (await call('SendMessage', say10({ returnImmediately: true }))).task
    const { id } = await call('CreateTaskPushNotificationConfig', { taskId, url: receiver.url })
    agent.release()
    await receiver.count(1)
    await call('DeleteTaskPushNotificationConfig', { taskId, id })
    agent.finish()
    await call('SendMessage', say10())
    expect((await call('GetTask', { id: taskId })).status.state).toBe('TASK_STATE_COMPLETED')
    expect(receiver.got).toHaveLength(1)
  })

  test.each([
    ['CreateTaskPushNotificationConfig', { taskId: 'missing', url: 'http://127.0.0.1/' }, -32001],
    ['CreateTaskPushNotificationConfig', { taskId: '$TASK', url: 'ftp://127.0.0.1/' }, -32602],
    ['CreateTaskPushNotificationConfig', { taskId: '$TASK' }, -32602],
    ['ListTaskPushNotificationConfigs', { taskId: 'missing' }, -32001],
  ])('%s %j is refused with %i', async (method, params, code) => {
    await using agent = await startTestRunner()
    const url = `${agent.url}/a2a/jsonrpc`
    const { id } = (await post(url, 'SendMessage', say10(), v1)).json.result.task
    const filled = JSON.parse(JSON.stringify(params).replace('$TASK', id)) as object
    expect((await post(url, method, filled, v1)).json.error.code).toBe(code)
  })

  test('is refused where the card does not declare it, with the message too', async () => {
    await using agent = await startSlowAgent({ card: { capabilities: { streaming: true } } })
    const url = `${agent.url}/a2a/jsonrpc`
    const config = { taskPushNotificationConfig: { url: 'http://127.0.0.1/' } }
    for (const [method, params] of [
      ['SendMessage', say10(config)],
      ['CreateTaskPushNotificationConfig', { taskId: 'x', url: 'http://127.0.0.1/' }],
    ] as const) {
      expect((await post(url, method, params, v1)).json.error).toEqual({
        code: -32003,
        message: 'This agent has no pushNotifications',
      })
    }
  })

  test('an injected fetch sends them; a receiver that is down stops nothing', async () => {
    const sent: string[] = []
    await using agent = await startTestRunner({
      fetch: async (url) => {
        sent.push(String(url))
        throw new Error('down')
      },
    })
    const { json } = await post(
      `${agent.url}/a2a/jsonrpc`,
      'SendMessage',
      say10({ taskPushNotificationConfig: { url: 'https://hook.test/a2a' } }),
      v1,
    )
    expect(json.result.task.status.state).toBe('TASK_STATE_COMPLETED')
    await expect.poll(() => sent.length).toBe(8)
    expect(new Set(sent)).toEqual(new Set(['https://hook.test/a2a']))
  })
})

describe('0.3', () => {
  test('the whole task is posted when its status changes, with the token', async () => {
    await using receiver = await startReceiver()
    await using agent = await startSlowAgent({ dialect: '0.3' })
    agent.finish()
    const authentication = { schemes: ['Bearer'], credentials: 'abc' }
    const pushNotificationConfig = { url: receiver.url, token: 's3cr3t', authentication }
    const { json } = await post(`${agent.url}/a2a`, 'message/send', say03({ pushNotificationConfig }))

    const got = await receiver.count(3)
    expect(got.map(({ body }) => [body.kind, body.id, body.status.state])).toEqual(
      ['working', 'working', 'completed'].map((state) => ['task', json.result.id, state]),
    )
    expect(got[2]?.body).toEqual(json.result)
    expect(got[0]?.headers).toMatchObject({
      'x-a2a-notification-token': 's3cr3t',
      authorization: 'Bearer abc',
      'content-type': 'application/json',
    })
  })

  test('configs are set, read, listed and deleted', async () => {
    await using agent = await startSlowAgent({ dialect: '0.3' })
    const call = async (method: string, params: object) =>
      (await post(`${agent.url}/a2a`, method, params)).json
    const { id } = (await call('message/send', say03({ blocking: false }))).result
    const pushNotificationConfig = {
      url: 'http://127.0.0.1:9/',
      authentication: { schemes: ['Bearer'], credentials: 'abc' },
    }
    const set = await call('tasks/pushNotificationConfig/set', { taskId: id, pushNotificationConfig })
    const config = { taskId: id, pushNotificationConfig: { ...pushNotificationConfig, id } }
    expect(set.result).toEqual(config)
    expect((await call('tasks/pushNotificationConfig/get', { id })).result).toEqual(config)
    expect((await call('tasks/pushNotificationConfig/list', { id })).result).toEqual([config])
    const name = { id, pushNotificationConfigId: id }
    expect((await call('tasks/pushNotificationConfig/delete', name)).result).toBeNull()
    expect((await call('tasks/pushNotificationConfig/list', { id })).result).toEqual([])
    expect((await call('tasks/pushNotificationConfig/get', name)).error.code).toBe(-32001)
    expect((await call('tasks/pushNotificationConfig/set', { taskId: id })).error.message).toBe(
      'Invalid params: pushNotificationConfig is missing',
    )
  })
})

describe('faults', () => {
  /** What a receiver gets of a run, with a fault laid over the agent. */
  async function run(fault: Fault, count: number): Promise<Received[]> {
    await using receiver = await startReceiver()
    await using agent = await startTestRunner({ fault })
    const authentication = { scheme: 'Bearer', credentials: 'abc' }
    const config = { url: receiver.url, token: 's3cr3t', authentication }
    await post(`${agent.url}/a2a/jsonrpc`, 'SendMessage', say10({ taskPushNotificationConfig: config }), v1)
    return await receiver.count(count)
  }

  test('pushWithoutProof()', async () => {
    const [{ headers } = { headers: {} }] = await run(faults.pushWithoutProof(), 8)
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('x-a2a-notification-token')
    expect(headers).toHaveProperty('content-type')
  })

  test('swapPushes()', async () => {
    expect(kindsOf(await run(faults.swapPushes(), 8)).slice(0, 3)).toEqual([
      'statusUpdate',
      'task',
      'artifactUpdate',
    ])
  })

  test('push(): leaves out, doubles and changes', async () => {
    const got = await run(
      faults.push((delivery) =>
        'task' in (delivery.body as object)
          ? []
          : [delivery, { ...delivery, body: { taskId: delivery.taskId } }],
      ),
      14,
    )
    expect(kindsOf(got).slice(0, 4)).toEqual(['statusUpdate', 'taskId', 'artifactUpdate', 'taskId'])
  })

  test('pushAfterDelete()', async () => {
    await using receiver = await startReceiver()
    await using agent = await startSlowAgent({ fault: faults.pushAfterDelete() })
    const url = `${agent.url}/a2a/jsonrpc`
    const call = async (method: string, params: object) => (await post(url, method, params, v1)).json.result
    const { id: taskId } = (await call('SendMessage', say10({ returnImmediately: true }))).task
    const { id } = await call('CreateTaskPushNotificationConfig', { taskId, url: receiver.url })
    await call('DeleteTaskPushNotificationConfig', { taskId, id })
    agent.finish()
    expect(await receiver.count(5)).toHaveLength(5)
  })
})
