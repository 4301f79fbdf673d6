import { describe, expect, test } from 'vitest'
import type { A2AAgent } from '../../../src/agent/types.ts'
import type { AgentOptions } from '../../../src/client/types.ts'
import { startFixture, type FixtureExchange, type FixtureServer } from '../../support/fixtureServer.ts'
import { card03, card10, failure, handleOf, methods, posts, result, rpcError } from '../support.ts'

const capabilities = { streaming: true, pushNotifications: true, extendedAgentCard: true }
const rest = 'http://127.0.0.1:4100/rest'

/** Every version and binding, with the card that offers it. */
const speeches: Record<string, { card: FixtureExchange; options: AgentOptions; rpc: boolean }> = {
  '0.1': { card: card03({ capabilities }), options: { version: '0.1' }, rpc: true },
  '0.3': { card: card03({ capabilities }), options: {}, rpc: true },
  '0.3 REST': {
    card: card03({ capabilities, url: rest, preferredTransport: 'HTTP+JSON' }),
    options: { binding: 'HTTP+JSON' },
    rpc: false,
  },
  '1.0': { card: card10({ capabilities }), options: {}, rpc: true },
  '1.0 REST': {
    card: card10({
      capabilities,
      supportedInterfaces: [{ url: rest, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
    }),
    options: {},
    rpc: false,
  },
}

/** A helpdesk that answers one call, and what reached it: `method` or `VERB path`, and the body. */
async function helpdesk(
  speech: string,
  call: string,
  value: unknown,
): Promise<
  { server: FixtureServer; agent: A2AAgent; sent(): { call: string; params: unknown } } & AsyncDisposable
> {
  const { card, options, rpc } = speeches[speech]!
  const answer = rpc ? { on: 'POST /rpc', rpc: call, ...result(value) } : { on: call, json: value }
  const server = await startFixture([card, answer])
  return {
    server,
    agent: handleOf(server, options),
    sent() {
      const last = server.requests.at(-1)!
      const body: unknown = last.body === '' ? undefined : JSON.parse(last.body)
      return last.rpc
        ? { call: last.rpc.method, params: last.rpc.params }
        : { call: `${last.method} ${last.path}`, params: body }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const canceled03 = { kind: 'task', id: 't1', contextId: 'c1', status: { state: 'canceled' } }
const canceledRest = { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_CANCELLED' } }
const canceled10 = { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_CANCELED' } }

describe('cancelTask', () => {
  test.each([
    ['0.1', 'tasks/cancel', { id: 't1', status: { state: 'canceled' } }, { id: 't1' }],
    ['0.3', 'tasks/cancel', canceled03, { id: 't1' }],
    ['0.3 REST', 'POST /rest/v1/tasks/t1:cancel', canceledRest, {}],
    ['1.0', 'CancelTask', canceled10, { id: 't1' }],
    ['1.0 REST', 'POST /rest/tasks/t1:cancel', canceled10, {}],
  ])('%s: %s', async (speech, call, value, params) => {
    await using one = await helpdesk(speech, call, value)

    expect(await one.agent.cancelTask('t1')).toMatchObject({ id: 't1', status: { state: 'canceled' } })
    expect(one.sent()).toEqual({ call, params })
  })

  test('an error of the agent is thrown as it is', async () => {
    await using server = await startFixture([
      card10(),
      { on: 'POST /rpc', rpc: 'CancelTask', ...rpcError(-32002, 'task t1 is completed') },
    ])

    expect(await failure(handleOf(server).cancelTask('t1'))).toMatchObject({
      code: 'RPC_ERROR',
      rpcCode: -32002,
      message: expect.stringContaining(
        'CancelTask was answered with error -32002 (TaskNotCancelable): "task t1 is completed"',
      ) as string,
    })
    expect(methods(server)).toEqual(['CancelTask'])
  })
})

describe('getTask with historyLength', () => {
  test.each([
    ['0.3', 'tasks/get', canceled03, { id: 't1', historyLength: 2 }],
    ['1.0', 'GetTask', canceled10, { id: 't1', historyLength: 2 }],
  ])('%s', async (speech, call, value, params) => {
    await using one = await helpdesk(speech, call, value)

    await one.agent.getTask('t1', { historyLength: 2 })

    expect(one.sent()).toEqual({ call, params })
  })

  test('over HTTP+JSON in the query', async () => {
    await using one = await helpdesk('1.0 REST', 'GET /rest/tasks/t1', canceled10)

    await one.agent.getTask('t1', { historyLength: 0 })

    expect(one.sent().call).toBe('GET /rest/tasks/t1?historyLength=0')
  })
})

describe('listTasks', () => {
  const page = { tasks: [canceled10], nextPageToken: 'n', pageSize: 1, totalSize: 2 }

  test.each([
    ['1.0', 'ListTasks', { contextId: 'c1', status: 'TASK_STATE_CANCELED', pageSize: 1 }, 'ListTasks'],
    [
      '1.0 REST',
      'GET /rest/tasks',
      undefined,
      'GET /rest/tasks?contextId=c1&status=TASK_STATE_CANCELED&pageSize=1',
    ],
  ])('%s', async (speech, call, params, sent) => {
    await using one = await helpdesk(speech, call, page)

    expect(await one.agent.listTasks({ contextId: 'c1', status: 'canceled', pageSize: 1 })).toMatchObject({
      tasks: [{ id: 't1', status: { state: 'canceled' } }],
      nextPageToken: 'n',
      pageSize: 1,
      totalSize: 2,
      findings: [],
    })
    expect(one.sent()).toEqual({ call: sent, params })
  })

  test.each(['0.1', '0.3', '0.3 REST'])('%s has no such operation', async (speech) => {
    await using one = await helpdesk(speech, 'POST /none', {})

    expect(await failure(one.agent.listTasks())).toMatchObject({
      name: 'A2AUsageError',
      code: 'NOT_DECLARED',
      message: expect.stringMatching(
        /^the agent speaks A2A 0\.[13] over (JSONRPC|HTTP\+JSON), which has no such operation: ListTasks came with A2A 1\.0$/,
      ) as string,
      fix: 'Test this with an agent of that version; option version says which one to speak.',
    })
    expect(one.server.requests.map(({ method }) => method)).toEqual(['GET'])
  })
})

describe('pushConfigs', () => {
  const config = { id: 'p1', url: 'https://me.test/hook', token: 'tok', authentication: { scheme: 'Bearer' } }
  const listed = { id: 'p1', url: config.url, token: 'tok', authentication: { schemes: ['Bearer'] } }
  const { id: _, ...early } = listed
  const at = 'tasks/t1/pushNotificationConfigs'

  test.each([
    [
      '0.1',
      'tasks/pushNotification/set',
      { id: 't1', pushNotificationConfig: early },
      { id: 't1', pushNotificationConfig: early },
    ],
    [
      '0.3',
      'tasks/pushNotificationConfig/set',
      { taskId: 't1', pushNotificationConfig: listed },
      { taskId: 't1', pushNotificationConfig: listed },
    ],
    [
      '0.3 REST',
      `POST /rest/v1/${at}`,
      { name: `${at}/p1`, pushNotificationConfig: listed },
      { parent: 'tasks/t1', configId: 'p1', config: { name: `${at}/p1`, pushNotificationConfig: listed } },
    ],
    ['1.0', 'CreateTaskPushNotificationConfig', { taskId: 't1', ...config }, { taskId: 't1', ...config }],
    ['1.0 REST', `POST /rest/${at}`, { taskId: 't1', ...config }, { taskId: 't1', ...config }],
  ])('create, %s: %s', async (speech, call, value, params) => {
    await using one = await helpdesk(speech, call, value)
    const created = await one.agent.pushConfigs.create('t1', config)

    expect(created).toEqual(speech === '0.1' ? { ...config, id: undefined } : config)
    expect(one.sent()).toEqual({ call, params })
  })

  test.each([
    ['0.3', 'tasks/pushNotificationConfig/get', { taskId: 't1', pushNotificationConfig: listed }],
    ['0.3 REST', `GET /rest/v1/${at}/p1`, { name: `${at}/p1`, pushNotificationConfig: listed }],
    ['1.0', 'GetTaskPushNotificationConfig', { taskId: 't1', ...config }],
    ['1.0 REST', `GET /rest/${at}/p1`, { taskId: 't1', ...config }],
  ])('get, %s: %s', async (speech, call, value) => {
    await using one = await helpdesk(speech, call, value)

    expect(await one.agent.pushConfigs.get('t1', 'p1')).toEqual(config)
    expect(one.sent().call).toBe(call)
  })

  test.each([
    ['0.3', 'tasks/pushNotificationConfig/list', [{ taskId: 't1', pushNotificationConfig: listed }]],
    ['0.3 REST', `GET /rest/v1/${at}`, { configs: [{ name: `${at}/p1`, pushNotificationConfig: listed }] }],
    ['1.0', 'ListTaskPushNotificationConfigs', { configs: [{ taskId: 't1', ...config }] }],
    ['1.0 REST', `GET /rest/${at}`, { configs: [{ taskId: 't1', ...config }] }],
  ])('list, %s: %s', async (speech, call, value) => {
    await using one = await helpdesk(speech, call, value)

    expect(await one.agent.pushConfigs.list('t1')).toEqual([config])
    expect(one.sent().call).toBe(call)
  })

  test.each([
    ['0.3', 'tasks/pushNotificationConfig/delete'],
    ['0.3 REST', `DELETE /rest/v1/${at}/p1`],
    ['1.0', 'DeleteTaskPushNotificationConfig'],
    ['1.0 REST', `DELETE /rest/${at}/p1`],
  ])('delete, %s: %s', async (speech, call) => {
    await using one = await helpdesk(speech, call, null)

    expect(await one.agent.pushConfigs.delete('t1', 'p1')).toBeUndefined()
    expect(one.sent().call).toBe(call)
  })

  test.each([
    ['0.3', card03, { pushNotificationConfig: listed }, 'x-a2a-extensions', 'a2a-extensions'],
    ['1.0', card10, config, 'a2a-extensions', 'x-a2a-extensions'],
  ])('extensions go along in the header of %s', async (_version, card, kept, header, other) => {
    const answer = { on: 'POST /rpc', times: '*' as const, ...result({ taskId: 't1', ...kept }) }
    await using server = await startFixture([card({ capabilities }), answer])
    const { pushConfigs } = handleOf(server, { extensions: ['urn:a', 'urn:b'] })

    await pushConfigs.create('t1', config)
    await pushConfigs.get('t1', 'p1')
    await pushConfigs.delete('t1', 'p1')

    const calls = posts(server)
    expect(calls.map(({ headers }) => headers[header])).toEqual(['urn:a,urn:b', 'urn:a,urn:b', 'urn:a,urn:b'])
    expect(calls.map(({ headers }) => headers[other])).toEqual([undefined, undefined, undefined])
  })

  test.each([
    [
      'with HTTP 204',
      card10({
        capabilities,
        supportedInterfaces: [{ url: rest, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
      }),
      { on: `DELETE /rest/${at}/p1`, status: 204 },
    ],
    ['without a result', card03({ capabilities }), { on: 'POST /rpc', json: { jsonrpc: '2.0', id: '$id' } }],
  ])('delete is done when it is answered %s', async (_name, card, answer) => {
    await using server = await startFixture([card, answer])

    expect(await handleOf(server).pushConfigs.delete('t1', 'p1')).toBeUndefined()
  })

  test.each([
    ['list', ({ pushConfigs }: A2AAgent) => pushConfigs.list('t1')],
    ['delete', ({ pushConfigs }: A2AAgent) => pushConfigs.delete('t1', 'p1')],
  ])('0.1 cannot %s', async (_, call) => {
    await using one = await helpdesk('0.1', 'none', {})

    expect(await failure(call(one.agent))).toMatchObject({
      code: 'NOT_DECLARED',
      message: expect.stringContaining('came with A2A 0.2.5') as string,
    })
  })

  test('a card that does not declare push notifications is respected, unless forced', async () => {
    await using server = await startFixture([
      card03({ capabilities: {} }),
      { on: 'POST /rpc', rpc: 'tasks/pushNotificationConfig/list', ...rpcError(-32003, 'no push') },
    ])
    const { pushConfigs } = handleOf(server)

    expect(await failure(pushConfigs.list('t1'))).toMatchObject({
      code: 'NOT_DECLARED',
      message:
        'capabilities.pushNotifications is not declared in the agent card, so tasks/pushNotificationConfig/list was not called',
    })
    expect(methods(server)).toEqual([])
    expect(await failure(pushConfigs.list('t1', { force: true }))).toMatchObject({ rpcCode: -32003 })
  })
})
