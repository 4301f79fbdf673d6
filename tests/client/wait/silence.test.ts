import { describe, expect, test } from 'vitest'
import { waitForTask } from '../../../src/client/wait/waitForTask.ts'
import { startFixture, type FixtureExchange } from '../../support/fixtureServer.ts'
import { manualClock } from '../../support/manualClock.ts'
import { watchedClock } from '../../support/watchedClock.ts'
import { card03, card10, handleOf, methods, result, rpcError, task03 } from '../support.ts'
import { message, task } from '../values.ts'

const on = (rpc: string, ...answer: object[]): FixtureExchange =>
  Object.assign({ on: 'POST /rpc', rpc }, ...answer) as FixtureExchange
const frame = (value: unknown): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id: '$id', result: value })}\n\n`
const status03 = (state: string): string =>
  frame({
    kind: 'status-update',
    taskId: 't1',
    contextId: 'c1',
    status: { state },
    final: state !== 'working',
  })
const task10 = (state: string) => ({ id: 't1', contextId: 'c1', status: { state: `TASK_STATE_${state}` } })
const completed10 = frame({
  statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } },
})

/** What an agent of 0.3 says to a message, to a subscription that begins with what comes next, and to looks at the task. */
const scene = (subscription: object, ...looks: object[]): FixtureExchange[] => [
  card03(),
  on('message/send', result(task03('submitted'))),
  on('tasks/resubscribe', { sse: [status03('completed')], ...subscription }),
  ...looks.map((look) => on('tasks/get', look)),
]

describe('a subscription without a first event', () => {
  test.each([
    ['open', 0, 2],
    ['not open', 'head', 1],
  ] as const)('that is %s: polls the task soon, and reports nothing', async (_, holdAt, timers) => {
    const clock = watchedClock()
    await using helpdesk = await startFixture(scene({ holdAt }, result(task03('input-required'))))
    const sending = handleOf(helpdesk, clock.options, { deps: { clock } }).send('ping')
    await helpdesk.held()
    // One is set with the request, one when the subscription is open.
    await clock.set(250, timers)
    const before = clock.now()
    await clock.advance(250)

    expect(await sending).toMatchObject({
      state: 'input-required',
      unsettled: false,
      wait: { polls: 1, subscribed: true },
      findings: [],
    })
    expect(clock.now() - before).toBe(250)
    expect(methods(helpdesk)).toEqual(['message/send', 'tasks/resubscribe', 'tasks/get'])
    await expect
      .poll(() => helpdesk.requests.find(({ rpc }) => rpc?.method === 'tasks/resubscribe')?.aborted)
      .toBe(true)
  })

  test('is polled with growing pauses while it is not open', async () => {
    const clock = watchedClock()
    const working = { times: 1, ...result(task03('working')) }
    await using helpdesk = await startFixture(
      scene({ holdAt: 'head' }, working, working, working, result(task03('completed'))),
    )
    const sending = handleOf(helpdesk, clock.options, { deps: { clock } }).send('ping')
    await helpdesk.held()
    await clock.set(250, 1)
    const before = clock.now()
    for (const [ms, next] of [
      [250, 500],
      [500, 1000],
      [1000, 2000],
    ] as const) {
      await clock.advance(ms)
      await clock.set(next, 1)
    }
    await clock.advance(2000)

    // The time of the subscription is unknown, so the agent cannot be blamed.
    expect(await sending).toMatchObject({ state: 'completed', wait: { polls: 4 }, findings: [] })
    expect(clock.now() - before).toBe(3750)
  })

  test('that sends events is left alone after one poll', async () => {
    const clock = watchedClock()
    await using helpdesk = await startFixture(
      scene({ holdAt: 0 }, result(task03('working')), result(task03('completed'))),
    )
    const sending = handleOf(helpdesk, clock.options, { deps: { clock } }).send('ping')
    await clock.set(250, 2)
    await clock.advance(250)
    await clock.set(4750, 1)
    await clock.advance(4749)
    expect(methods(helpdesk).filter((method) => method === 'tasks/get')).toHaveLength(1)
    helpdesk.release()

    // Without a snapshot the task is fetched once more, for what was missed.
    expect(await sending).toMatchObject({ state: 'completed', wait: { polls: 2 }, findings: [] })
  })

  test('is blamed if the task was active after it was open', async () => {
    const clock = watchedClock()
    const working = { times: 1, ...result(task03('working')) }
    await using helpdesk = await startFixture(scene({ holdAt: 0 }, working, result(task03('completed'))))
    const sending = handleOf(helpdesk, clock.options, { deps: { clock } }).send('ping')
    await clock.set(250, 2)
    await clock.advance(250)
    await clock.set(4750, 1)
    await clock.advance(4750)
    await clock.set(250, 3)
    await clock.advance(250)

    const reply = await sending
    expect(reply).toMatchObject({ state: 'completed', wait: { polls: 2, subscribed: true } })
    expect(reply.findings).toMatchObject([
      {
        id: 'wire/silent-subscription',
        level: 'warning',
        message: 'tasks/resubscribe did not report within 5000 ms that task t1 is completed',
      },
    ])
  })

  test('may continue although a poll fails', async () => {
    const clock = watchedClock()
    const fails = { times: 1, ...rpcError(-32603, 'the store is busy') }
    await using helpdesk = await startFixture(scene({ holdAt: 0 }, fails, result(task03('completed'))))
    const sending = handleOf(helpdesk, clock.options, { deps: { clock } }).send('ping')
    await clock.set(250, 2)
    await clock.advance(250)
    await clock.set(500, 1)
    helpdesk.release()

    expect(await sending).toMatchObject({ state: 'completed', wait: { polls: 2 }, findings: [] })
  })
})

test('events right after a poll are not silence', async () => {
  const clock = watchedClock()
  await using helpdesk = await startFixture([
    card10(),
    on('SendMessage', result({ task: task10('WORKING') })),
    on('SubscribeToTask', { holdAt: 1, sse: [frame({ task: task10('WORKING') }), completed10] }),
    on('GetTask', result(task10('COMPLETED'))),
  ])
  const sending = handleOf(helpdesk, clock.options, { deps: { clock } }).send('ping')
  await clock.silent(2)
  await clock.advance(5000)
  await clock.set(250, 3)
  helpdesk.release()

  expect(await sending).toMatchObject({ state: 'completed', wait: { polls: 1 }, findings: [] })
})

test('a poll that is answered after the subscription has ended is ignored', async () => {
  let late = Promise.resolve()
  const stale = task('working', { status: message('agent', 'Thinking') })
  const waited = await waitForTask(task('working'), {
    clock: manualClock({ auto: true }),
    waitMs: 60_000,
    method: 'tasks/get',
    watch: async (_, probe) => {
      late = probe().then(() => {})
      return { task: task('completed'), events: 1, progress: [], findings: [], mustPoll: false }
    },
    get: async () => {
      // Answered after everything else.
      await new Promise((resolve) => setImmediate(resolve))
      return { value: stale, findings: [{ id: 'wire/late', level: 'warning', message: 'late' }] }
    },
  })
  await late

  expect(waited).toMatchObject({ task: { status: { state: 'completed' } }, progress: [], findings: [] })
})
