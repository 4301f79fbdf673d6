import { endsAt } from '../support.ts'
import { describe, expect, test } from 'vitest'
import { startFixture } from '../../support/fixtureServer.ts'
import { manualClock } from '../../support/manualClock.ts'
import {
  artifacts03,
  card03,
  card10,
  failure,
  handleOf,
  methods,
  posts,
  result,
  rpcError,
  task03,
} from '../support.ts'

const on = (rpc: string, ...answer: object[]) => Object.assign({ on: 'POST /rpc', rpc }, ...answer)

describe('H: waiting', () => {
  const found = result(task03('completed', artifacts03('hi')))
  const notFound = rpcError(-32001, 'Task not found')
  const working = result(task03('working'))

  test.each([
    [2, 'task t1 was not found at once: 2 of 3 calls of tasks/get said not found (-32001)'],
    [1, 'task t1 was not found at once: 1 of 2 calls of tasks/get said not found (-32001)'],
  ])('H01: not found %i times, then found', async (times, warning) => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', working),
      on('tasks/get', { times, ...notFound }),
      on('tasks/get', found),
    ])

    const reply = await handleOf(helpdesk).send('ping')

    expect(reply).toMatchObject({ text: 'hi', unsettled: false })
    expect(reply.findings).toMatchObject([{ id: 'wire/task-lookup', level: 'warning', message: warning }])
  })

  test('H01: not found every time', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', working),
      on('tasks/get', notFound),
    ])

    expect(await failure(handleOf(helpdesk).send('ping'))).toMatchObject({
      code: 'RPC_ERROR',
      rpcCode: -32001,
      message: 'the agent returned task t1 (working), but tasks/get says not found (-32001), 4 tries',
      fix: 'Store a task before returning it, and share the task store between workers.',
    })
    expect(methods(helpdesk)).toEqual([
      'message/send',
      'tasks/resubscribe',
      ...Array.from({ length: 4 }, () => 'tasks/get'),
    ])
  })

  test('H01: not found on every second call', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', working),
      on('tasks/get', { times: 1, ...notFound }),
      on('tasks/get', { times: 1, ...working }),
      on('tasks/get', { times: 1, ...notFound }),
      on('tasks/get', found),
    ])

    const reply = await handleOf(helpdesk).send('ping')

    expect(reply.text).toBe('hi')
    expect(reply.findings).toMatchObject([
      { level: 'warning', message: expect.stringContaining('is intermittent: 2 of 4 calls') as string },
    ])
  })

  test('H02: a task that never ends', async () => {
    const status = { state: 'TASK_STATE_WORKING', timestamp: '2026-01-01T00:00:00.000Z' }
    await using helpdesk = await startFixture([
      card10(),
      on('SendMessage', result({ task: { id: 't1', contextId: 'c1', status } })),
      on('GetTask', { times: '*', ...result({ id: 't1', contextId: 'c1', status }) }),
      on('CancelTask', result({ id: 't1', contextId: 'c1', status })),
    ])

    const reply = await handleOf(helpdesk, { waitMs: 30_000 }).send('ping')

    expect(reply).toMatchObject({
      unsettled: true,
      state: 'working',
      text: '',
      wait: { ms: 30_000, polls: 33 },
    })
    expect(reply.findings).toMatchObject([
      {
        id: 'wire/unsettled',
        message:
          'task t1 still working after 30000 ms and 33 polls; status unchanged since 2026-01-01T00:00:00.000Z',
      },
    ])
    // Nothing cancels a task unasked.
    expect(methods(helpdesk)).not.toContain('CancelTask')
  })

  test('H02: never past the deadline of the test', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', working),
      on('tasks/get', { times: '*', ...working }),
    ])
    const clock = manualClock({ auto: true })
    const deadlineAt = clock.now() + 4000

    const reply = await handleOf(helpdesk, {}, { deps: { clock } }).send('ping', {
      signal: endsAt(deadlineAt),
    })

    expect(reply.unsettled).toBe(true)
    expect(clock.now()).toBeLessThan(deadlineAt)
  })

  test.each([
    [
      '0.3',
      card03(),
      'message/send',
      task03('submitted'),
      'tasks/get',
      { configuration: { blocking: true } },
    ],
    [
      '1.0',
      card10(),
      'SendMessage',
      { task: { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_SUBMITTED' } } },
      'GetTask',
      {},
    ],
  ])(
    'H03: %s asks for blocking as that version does, and polls anyway',
    async (_, card, send, first, get, sent) => {
      await using helpdesk = await startFixture([
        card,
        on(send, result(first)),
        on(
          get,
          result({
            id: 't1',
            contextId: 'c1',
            status: { state: send === 'SendMessage' ? 'TASK_STATE_COMPLETED' : 'completed' },
            ...(send === 'SendMessage'
              ? { artifacts: [{ artifactId: 'a', parts: [{ text: 'hi' }] }] }
              : { kind: 'task', ...artifacts03('hi') }),
          }),
        ),
      ])

      const reply = await handleOf(helpdesk).send('ping')

      expect(reply).toMatchObject({ text: 'hi', unsettled: false, wait: { polls: 1 } })
      expect(reply.findings).toEqual([])
      const { message: _message, ...rest } = posts(helpdesk)[0]?.rpc?.params as Record<string, unknown>
      expect(rest).toEqual(sent)
    },
  )

  test.each(['input-required', 'auth-required'])(
    'H03: a blocking call that ends in %s is complete',
    async (state) => {
      await using helpdesk = await startFixture([card03(), on('message/send', result(task03(state)))])

      expect(await handleOf(helpdesk).send('ping')).toMatchObject({
        state,
        unsettled: false,
        wait: { polls: 0 },
      })
      expect(methods(helpdesk)).toEqual(['message/send'])
    },
  )

  test('noWait hands over the first answer, and asks the server not to wait', async () => {
    await using helpdesk = await startFixture([card03(), on('message/send', working)])

    const reply = await handleOf(helpdesk).send('ping', { noWait: true })

    expect(reply).toMatchObject({ state: 'working', unsettled: true, wait: { polls: 0 }, findings: [] })
    expect(posts(helpdesk)[0]?.rpc?.params).toMatchObject({ configuration: { blocking: false } })
  })
})
