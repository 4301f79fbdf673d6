import { describe, expect, it } from 'vitest'
import {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
  SendMessageRequest,
  SubscribeToTaskRequest,
  TaskPushNotificationConfig,
} from 'a2a-sdk-1'
import fc from 'fast-check'
import type { Call, CallContext, Codec, SendContext } from '../../src/protocol/codec.ts'
import type { Message, PushConfig, TaskQuery } from '../../src/protocol/model.ts'
import { v01, v03, v03Rest, v10, v10Rest } from './support.ts'

const blue: CallContext = { tenant: 'blue' }
const push: PushConfig = {
  id: 'c 1',
  url: 'https://me.test/hook',
  token: 'tok',
  authentication: { scheme: 'Bearer', credentials: 'secret' },
}
const bare: PushConfig = { url: 'https://me.test/hook' }
const hook = 'https://me.test/hook'
const listed = { url: hook, token: 'tok', authentication: { schemes: ['Bearer'], credentials: 'secret' } }
const flat = { url: hook, token: 'tok', authentication: { scheme: 'Bearer', credentials: 'secret' } }

/** What goes over the wire, in the order of the members. */
function wire(call: Call | undefined): string {
  if (call === undefined) return 'none'
  if (call.binding === 'JSONRPC') return `${call.method} ${JSON.stringify(call.params)}`
  const query = call.query === undefined ? '' : `?${new URLSearchParams(call.query).toString()}`
  const body = call.body === undefined ? '' : ` ${JSON.stringify(call.body)}`
  return `${call.verb} ${call.path}${query}${body} (${call.method})`
}

/** Each row: what is asked, and what each codec makes of it. */
const table: [string, (codec: Codec) => Call | undefined, Record<string, string>][] = [
  [
    'subscribe',
    (codec) => codec.subscribe('t 1', blue),
    {
      '0.1': 'tasks/resubscribe {"id":"t 1"}',
      '0.3': 'tasks/resubscribe {"id":"t 1"}',
      '0.3 REST': 'POST /v1/tasks/t%201:subscribe {} (SubscribeToTask)',
      '1.0': 'SubscribeToTask {"tenant":"blue","id":"t 1"}',
      '1.0 REST': 'POST /blue/tasks/t%201:subscribe {"tenant":"blue"} (SubscribeToTask)',
    },
  ],
  [
    'cancelTask',
    (codec) => codec.cancelTask('t1', { metadata: { why: 'late' } }),
    {
      '0.1': 'tasks/cancel {"id":"t1","metadata":{"why":"late"}}',
      '0.3': 'tasks/cancel {"id":"t1","metadata":{"why":"late"}}',
      '0.3 REST': 'POST /v1/tasks/t1:cancel {} (CancelTask)',
      '1.0': 'CancelTask {"id":"t1","metadata":{"why":"late"}}',
      '1.0 REST': 'POST /tasks/t1:cancel {"metadata":{"why":"late"}} (CancelTask)',
    },
  ],
  [
    'listTasks with everything',
    (codec) =>
      codec.listTasks?.(
        {
          contextId: 'c1',
          status: 'input-required',
          pageSize: 2,
          pageToken: 'p',
          historyLength: 0,
          statusTimestampAfter: '2026-01-01T00:00:00Z',
          includeArtifacts: true,
        },
        blue,
      ),
    {
      '0.1': 'none',
      '0.3': 'none',
      '0.3 REST': 'none',
      '1.0':
        'ListTasks {"tenant":"blue","contextId":"c1","status":"TASK_STATE_INPUT_REQUIRED","pageSize":2,"pageToken":"p",' +
        '"historyLength":0,"statusTimestampAfter":"2026-01-01T00:00:00Z","includeArtifacts":true}',
      '1.0 REST':
        'GET /blue/tasks?contextId=c1&status=TASK_STATE_INPUT_REQUIRED&pageSize=2&pageToken=p&historyLength=0' +
        '&statusTimestampAfter=2026-01-01T00%3A00%3A00Z&includeArtifacts=true (ListTasks)',
    },
  ],
  [
    'listTasks with nothing',
    (codec) => codec.listTasks?.({}, {}),
    {
      '0.1': 'none',
      '0.3': 'none',
      '0.3 REST': 'none',
      '1.0': 'ListTasks {}',
      '1.0 REST': 'GET /tasks (ListTasks)',
    },
  ],
  [
    'createPushConfig',
    (codec) => codec.createPushConfig('t1', push, blue),
    {
      '0.1': `tasks/pushNotification/set ${JSON.stringify({ id: 't1', pushNotificationConfig: listed })}`,
      '0.3': `tasks/pushNotificationConfig/set ${JSON.stringify({ taskId: 't1', pushNotificationConfig: { id: 'c 1', ...listed } })}`,
      '0.3 REST': `POST /v1/tasks/t1/pushNotificationConfigs ${JSON.stringify({
        parent: 'tasks/t1',
        configId: 'c 1',
        config: {
          name: 'tasks/t1/pushNotificationConfigs/c 1',
          pushNotificationConfig: { id: 'c 1', ...listed },
        },
      })} (CreateTaskPushNotificationConfig)`,
      '1.0': `CreateTaskPushNotificationConfig ${JSON.stringify({ tenant: 'blue', id: 'c 1', taskId: 't1', ...flat })}`,
      '1.0 REST': `POST /blue/tasks/t1/pushNotificationConfigs ${JSON.stringify({ tenant: 'blue', id: 'c 1', taskId: 't1', ...flat })} (CreateTaskPushNotificationConfig)`,
    },
  ],
  [
    'createPushConfig with a url only',
    (codec) => codec.createPushConfig('t1', bare, {}),
    {
      '0.1': `tasks/pushNotification/set {"id":"t1","pushNotificationConfig":{"url":"${hook}"}}`,
      '0.3': `tasks/pushNotificationConfig/set {"taskId":"t1","pushNotificationConfig":{"url":"${hook}"}}`,
      '0.3 REST': `POST /v1/tasks/t1/pushNotificationConfigs {"parent":"tasks/t1","config":{"pushNotificationConfig":{"url":"${hook}"}}} (CreateTaskPushNotificationConfig)`,
      '1.0': `CreateTaskPushNotificationConfig {"taskId":"t1","url":"${hook}"}`,
      '1.0 REST': `POST /tasks/t1/pushNotificationConfigs {"taskId":"t1","url":"${hook}"} (CreateTaskPushNotificationConfig)`,
    },
  ],
  [
    'getPushConfig',
    (codec) => codec.getPushConfig('t1', 'c 1', blue),
    {
      '0.1': 'tasks/pushNotification/get {"id":"t1"}',
      '0.3': 'tasks/pushNotificationConfig/get {"id":"t1","pushNotificationConfigId":"c 1"}',
      '0.3 REST': 'GET /v1/tasks/t1/pushNotificationConfigs/c%201 (GetTaskPushNotificationConfig)',
      '1.0': 'GetTaskPushNotificationConfig {"tenant":"blue","taskId":"t1","id":"c 1"}',
      '1.0 REST': 'GET /blue/tasks/t1/pushNotificationConfigs/c%201 (GetTaskPushNotificationConfig)',
    },
  ],
  [
    'getPushConfig without an id',
    (codec) => codec.getPushConfig('t1', undefined, {}),
    {
      '0.1': 'tasks/pushNotification/get {"id":"t1"}',
      '0.3': 'tasks/pushNotificationConfig/get {"id":"t1"}',
      '0.3 REST': 'GET /v1/tasks/t1/pushNotificationConfigs/t1 (GetTaskPushNotificationConfig)',
      '1.0': 'GetTaskPushNotificationConfig {"taskId":"t1","id":"t1"}',
      '1.0 REST': 'GET /tasks/t1/pushNotificationConfigs/t1 (GetTaskPushNotificationConfig)',
    },
  ],
  [
    'listPushConfigs',
    (codec) => codec.listPushConfigs?.('t1', blue),
    {
      '0.1': 'none',
      '0.3': 'tasks/pushNotificationConfig/list {"id":"t1"}',
      '0.3 REST': 'GET /v1/tasks/t1/pushNotificationConfigs (ListTaskPushNotificationConfigs)',
      '1.0': 'ListTaskPushNotificationConfigs {"tenant":"blue","taskId":"t1"}',
      '1.0 REST': 'GET /blue/tasks/t1/pushNotificationConfigs (ListTaskPushNotificationConfigs)',
    },
  ],
  [
    'deletePushConfig',
    (codec) => codec.deletePushConfig?.('t1', 'c1', blue),
    {
      '0.1': 'none',
      '0.3': 'tasks/pushNotificationConfig/delete {"id":"t1","pushNotificationConfigId":"c1"}',
      '0.3 REST': 'DELETE /v1/tasks/t1/pushNotificationConfigs/c1 (DeleteTaskPushNotificationConfig)',
      '1.0': 'DeleteTaskPushNotificationConfig {"tenant":"blue","taskId":"t1","id":"c1"}',
      '1.0 REST': 'DELETE /blue/tasks/t1/pushNotificationConfigs/c1 (DeleteTaskPushNotificationConfig)',
    },
  ],
  [
    'extendedCard',
    (codec) => codec.extendedCard?.(blue),
    {
      '0.1': 'none',
      '0.3': 'agent/getAuthenticatedExtendedCard {}',
      '0.3 REST': 'GET /v1/card (GetExtendedAgentCard)',
      '1.0': 'GetExtendedAgentCard {"tenant":"blue"}',
      '1.0 REST': 'GET /blue/extendedAgentCard (GetExtendedAgentCard)',
    },
  ],
]
const codecs: Record<string, Codec> = {
  '0.1': v01,
  '0.3': v03,
  '0.3 REST': v03Rest,
  '1.0': v10,
  '1.0 REST': v10Rest,
}

describe.each(table)('%s', (_, ask, expected) => {
  it.each(Object.entries(expected))('%s', (name, call) => {
    expect(wire(ask(codecs[name] as Codec))).toBe(call)
  })
})

describe('stream', () => {
  const message: Message = {
    kind: 'message',
    messageId: 'm',
    role: 'user',
    parts: [{ kind: 'text', text: 'hi' }],
  }
  const context: SendContext = {
    newTaskId: 't-new',
    newSessionId: 's-new',
    tenant: 'blue',
    configuration: { pushConfig: push, historyLength: 1 },
    metadata: { a: 1 },
  }

  it.each([
    ['0.1', 'tasks/sendSubscribe'],
    ['0.3', 'message/stream'],
    ['1.0', 'SendStreamingMessage'],
  ])('%s: is %s, with what a send has', (name, method) => {
    const codec = codecs[name] as Codec
    expect(codec.stream(message, context)).toEqual({ ...codec.send(message, context), method })
  })

  it.each([
    ['0.3 REST', '/v1/message:stream'],
    ['1.0 REST', '/blue/message:stream'],
  ])('%s: is POST %s, with what a send has', (name, path) => {
    const codec = codecs[name] as Codec
    const call = { ...codec.send(message, context), path, method: 'SendStreamingMessage' }
    expect(codec.stream(message, context)).toEqual(call)
  })

  it.each<[string, object]>([
    ['0.1', { pushNotification: listed }],
    [
      '0.3',
      {
        configuration: { blocking: true, historyLength: 1, pushNotificationConfig: { id: 'c 1', ...listed } },
      },
    ],
    [
      '0.3 REST',
      { configuration: { blocking: true, historyLength: 1, pushNotification: { id: 'c 1', ...listed } } },
    ],
    ['1.0', { configuration: { historyLength: 1, taskPushNotificationConfig: { id: 'c 1', ...flat } } }],
    ['1.0 REST', { configuration: { historyLength: 1, taskPushNotificationConfig: { id: 'c 1', ...flat } } }],
  ])('%s: registers a push config with the message', (name, part) => {
    for (const call of [
      (codecs[name] as Codec).send(message, context),
      (codecs[name] as Codec).stream(message, context),
    ]) {
      expect(call.binding === 'JSONRPC' ? call.params : call.body).toMatchObject(part)
    }
  })
})

describe('1.0 as a released SDK reads it', () => {
  const word = fc.string({ minLength: 1, maxLength: 8 })
  const config = fc.record(
    {
      id: word,
      url: fc.webUrl(),
      token: word,
      authentication: fc.record({ scheme: word, credentials: word }, { requiredKeys: ['scheme'] }),
    },
    { requiredKeys: ['url'] },
  ) as fc.Arbitrary<PushConfig>
  const query = fc.record(
    {
      contextId: word,
      status: fc.constantFrom('working', 'canceled', 'auth-required', 'completed'),
      pageSize: fc.integer({ min: 1, max: 100 }),
      pageToken: word,
      historyLength: fc.nat(9),
      includeArtifacts: fc.boolean(),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<TaskQuery>
  interface Shape {
    fromJSON(value: unknown): never
    toJSON(value: never): unknown
  }

  it('finds every member known and in the order of the proto', () => {
    const same = (call: Call | undefined, shape: unknown): void => {
      const { fromJSON, toJSON } = shape as Shape
      const text = JSON.stringify(call?.binding === 'JSONRPC' ? call.params : {})
      expect(JSON.stringify(toJSON(fromJSON(JSON.parse(text))))).toBe(text)
    }
    fc.assert(
      fc.property(word, word, config, query, word, (id, taskId, one, asked, tenant) => {
        const context = { tenant }
        same(v10.subscribe(id, context), SubscribeToTaskRequest)
        same(v10.cancelTask(id, context), CancelTaskRequest)
        same(v10.listTasks?.(asked, context), ListTasksRequest)
        same(v10.createPushConfig(taskId, one, context), TaskPushNotificationConfig)
        same(v10.getPushConfig(taskId, id, context), GetTaskPushNotificationConfigRequest)
        same(v10.listPushConfigs?.(taskId, context), ListTaskPushNotificationConfigsRequest)
        same(v10.deletePushConfig?.(taskId, id, context), DeleteTaskPushNotificationConfigRequest)
        same(v10.extendedCard?.(context), GetExtendedAgentCardRequest)
        const message: Message = {
          kind: 'message',
          messageId: id,
          role: 'user',
          parts: [{ kind: 'text', text: id }],
        }
        same(
          v10.stream(message, {
            newTaskId: '',
            newSessionId: '',
            tenant,
            configuration: { pushConfig: one },
          }),
          SendMessageRequest,
        )
      }),
    )
  })

  it('reads back the push config that it wrote', () => {
    fc.assert(
      fc.property(config, word, (one, taskId) => {
        for (const codec of [v03, v10, v03Rest]) {
          const call = codec.createPushConfig(taskId, one, {})
          const sent = call.binding === 'JSONRPC' ? call.params : call.body?.['config']
          expect(codec.readPushConfig(sent)).toEqual({ value: one, findings: [] })
        }
      }),
    )
  })
})
