import { describe, expect, it } from 'vitest'
import type { Codec } from '../../src/protocol/codec.ts'
import { badReply, task10, v01, v03, v03Rest, v10, v10Rest } from './support.ts'

const page = (more: object = {}): object => ({ nextPageToken: '', pageSize: 50, totalSize: 1, ...more })
const task = task10('TASK_STATE_COMPLETED')

describe('a page of tasks', () => {
  it('is read as it is', () => {
    const { value, findings } = v10.readTaskList({
      tasks: [task],
      nextPageToken: 'n',
      pageSize: 1,
      totalSize: 7,
    })
    expect(value).toMatchObject({
      tasks: [{ id: 't1', status: { state: 'completed' } }],
      nextPageToken: 'n',
      pageSize: 1,
      totalSize: 7,
    })
    expect(findings).toEqual([])
  })

  it('reads numbers that ProtoJSON wrote as text, and defaults as absent', () => {
    const read = v10Rest.readTaskList({
      tasks: [{ ...task, contextId: '', artifacts: [], history: [] }],
      ...page({ pageSize: '50', totalSize: 0 }),
    })
    expect(read.value).toMatchObject({ pageSize: 50, totalSize: 0 })
    expect(read.value.tasks[0]).not.toHaveProperty('contextId')
    expect(read.findings).toEqual([])
  })

  it.each<[string, unknown, string[]]>([
    [
      'without members',
      {},
      ['the page of tasks has no tasks, nextPageToken, pageSize, totalSize, which 1.0 requires'],
    ],
    [
      'without a token',
      { tasks: [], pageSize: 1, totalSize: 0 },
      ['the page of tasks has no nextPageToken, which 1.0 requires'],
    ],
    [
      'in snake_case',
      { tasks: [], next_page_token: 'n', page_size: 1, total_size: 2 },
      [
        '"next_page_token" is written in snake_case (expected "nextPageToken")',
        '"page_size" is written in snake_case (expected "pageSize")',
        '"total_size" is written in snake_case (expected "totalSize")',
      ],
    ],
    ['with other values', { tasks: ['x'], ...page() }, ['tasks holds "x" (expected objects)']],
    [
      'twice wrapped',
      { result: { tasks: [], ...page() } },
      ['ListTasks result must be {"tasks": […]} in 1.0, got {"result": {"tasks": […]}}'],
    ],
    [
      'of a 0.3 text',
      [],
      [
        'ListTasks result must be {"tasks": […]} in 1.0, got a bare list',
        'the page of tasks has no nextPageToken, pageSize, totalSize, which 1.0 requires',
      ],
    ],
  ])('%s', (_, value, messages) => {
    expect(v10.readTaskList(value).findings.map(({ message }) => message)).toEqual(messages)
  })

  it.each<[unknown, string]>([
    [undefined, 'ListTasks was answered with nothing (expected a page of tasks)'],
    ['no', 'ListTasks was answered with "no" (expected a page of tasks)'],
    [{ id: 't1' }, 'ListTasks was answered with {"id"} (expected a page of tasks)'],
  ])('%o is none', (value, message) => {
    expect(() => v10.readTaskList(value)).toThrow(badReply(message))
  })

  it('reports a broken task like any other', () => {
    expect(() => v10.readTaskList({ tasks: [{ id: 't1' }], ...page() })).toThrow(
      badReply('the task has no status'),
    )
  })
})

describe('a push config', () => {
  const listed = {
    id: 'c1',
    url: 'https://a.test/',
    token: 't',
    authentication: { schemes: ['Bearer', 'Basic'], credentials: 's' },
  }
  const flat = {
    id: 'c1',
    url: 'https://a.test/',
    token: 't',
    authentication: { scheme: 'Bearer', credentials: 's' },
  }

  it.each<[string, Codec, unknown]>([
    ['0.1', v01, { id: 't1', pushNotificationConfig: listed }],
    ['0.3', v03, { taskId: 't1', pushNotificationConfig: listed }],
    ['0.3 REST', v03Rest, { name: 'tasks/t1/pushNotificationConfigs/c1', pushNotificationConfig: listed }],
    [
      '0.3 REST without its own id',
      v03Rest,
      { name: 'tasks/t1/pushNotificationConfigs/c1', pushNotificationConfig: { ...listed, id: '' } },
    ],
    ['1.0', v10, { taskId: 't1', ...flat }],
    ['1.0 with defaults', v10Rest, { tenant: '', taskId: 't1', ...flat }],
  ])('as %s writes it', (_, codec, value) => {
    expect(codec.readPushConfig(value)).toEqual({ value: flat, findings: [] })
  })

  it.each<[string, Codec, unknown, string]>([
    [
      'a flat one in 0.3',
      v03,
      flat,
      'tasks/pushNotificationConfig/set result must be {"pushNotificationConfig": …} in 0.3, got a flat config',
    ],
    [
      'a nested one in 1.0',
      v10,
      { pushNotificationConfig: listed },
      'CreateTaskPushNotificationConfig result must be the config itself in 1.0, got {"pushNotificationConfig": …}',
    ],
    [
      'a wrapped one in 1.0',
      v10,
      { config: { pushNotificationConfig: listed } },
      'CreateTaskPushNotificationConfig result must be the config itself in 1.0, got {"config": {"pushNotificationConfig": …}}',
    ],
  ])('%s is read with a warning', (_, codec, value, message) => {
    expect(codec.readPushConfig(value)).toMatchObject({
      value: flat,
      findings: [{ id: 'wire/wrapping', level: 'warning', message }],
    })
  })

  it.each([
    [
      v10,
      undefined,
      'CreateTaskPushNotificationConfig was answered with nothing (expected a push notification config with a url)',
    ],
    [
      v03,
      { taskId: 't1' },
      'tasks/pushNotificationConfig/set was answered with {"taskId"} (expected a push notification config with a url)',
    ],
  ])('without a url is none', (codec, value, message) => {
    expect(() => codec.readPushConfig(value)).toThrow(badReply(message))
  })
})

describe('push configs', () => {
  const one = { url: 'https://a.test/' }

  it.each<[string, Codec, unknown, number]>([
    ['0.3', v03, [{ taskId: 't1', pushNotificationConfig: one }], 1],
    ['0.3 REST, by its text', v03Rest, [{ pushNotificationConfig: one }], 1],
    ['0.3 REST, by its proto', v03Rest, { configs: [{ pushNotificationConfig: one }] }, 1],
    ['1.0', v10, { configs: [one], nextPageToken: '' }, 1],
    ['an empty list of 1.0, whose defaults are gone', v10, {}, 0],
    ['an empty list of 0.3', v03, [], 0],
    ['nothing at all', v03, undefined, 0],
  ])('%s', (_, codec, value, count) => {
    expect(codec.readPushConfigs(value)).toEqual({
      value: Array.from({ length: count }, () => one),
      findings: [],
    })
  })

  it.each<[string, Codec, unknown]>([
    ['a bare list in 1.0', v10, [one]],
    ['a wrapped list in 0.3', v03, { configs: [{ pushNotificationConfig: one }] }],
  ])('%s is read with a warning', (_, codec, value) => {
    expect(codec.readPushConfigs(value)).toMatchObject({ value: [one], findings: [{ id: 'wire/wrapping' }] })
  })

  it('that are not a list', () => {
    expect(() => v10.readPushConfigs({ url: 'x' })).toThrow(
      badReply('ListTaskPushNotificationConfigs was answered with {"url"} (expected a list of configs)'),
    )
  })
})

it('returns a card result unchanged', () => {
  expect(v10.readCard({ name: 'x', anything: null })).toEqual({
    value: { name: 'x', anything: null },
    findings: [],
  })
  expect(() => v03.readCard(null)).toThrow(
    badReply('agent/getAuthenticatedExtendedCard was answered with nothing (expected an agent card)'),
  )
})

it('reports the answer to a cancel by its operation', () => {
  expect(v10.readTask({ task: task10('TASK_STATE_CANCELED') }, 'cancelTask').findings).toMatchObject([
    { id: 'wire/wrapping', message: 'CancelTask result must be the task itself, got {"task": …}' },
  ])
})
