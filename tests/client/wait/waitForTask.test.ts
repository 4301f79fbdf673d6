import { describe, expect, test } from 'vitest'
import { waitForTask, type WaitOptions } from '../../../src/client/wait/waitForTask.ts'
import { A2AConnectionError, A2AReplyError } from '../../../src/core/errors.ts'
import type { Task } from '../../../src/protocol/model.ts'
import { manualClock } from '../../support/manualClock.ts'
import { artifact, message, task } from '../values.ts'

const notFound = new A2AReplyError('RPC_ERROR', 'Task not found', { rpcCode: -32001 })
const working = (status?: string, timestamp?: string): Task =>
  task('working', {
    ...(status !== undefined && { status: message('agent', status) }),
    ...(timestamp !== undefined && { timestamp }),
  })
const done = task('completed', { artifacts: [artifact('a', 'hi')] })

/** Plays answers in order; the last one repeats. */
function play(answers: (Task | Error)[], options: Partial<WaitOptions> = {}) {
  const clock = manualClock({ auto: true, start: 0 })
  let at = 0
  const left: number[] = []
  const waiting = waitForTask(working(), {
    clock,
    waitMs: 60_000,
    method: 'tasks/get',
    get: async (leftMs) => {
      left.push(leftMs)
      const answer = answers[Math.min(at++, answers.length - 1)]!
      if (!('kind' in answer)) throw answer
      return { value: answer, findings: [] }
    },
    ...options,
  })
  return { waiting, clock, left }
}

test('polls with steps that grow from 50 ms to 1 s', async () => {
  const { waiting, clock } = play([...Array.from({ length: 7 }, () => working()), done])

  const waited = await waiting

  expect(clock.sleeps).toEqual([50, 100, 200, 400, 800, 1000, 1000, 1000])
  expect(waited).toMatchObject({ unsettled: false, polls: 8, ms: 4550, findings: [] })
  expect(waited.task).toEqual(done)
})

test.each([
  'completed',
  'failed',
  'canceled',
  'rejected',
  'input-required',
  'auth-required',
  'unknown',
] as const)('stops at %s', async (state) => {
  const { waiting, clock } = play([task(state), working()])

  expect(await waiting).toMatchObject({ polls: 1, unsettled: false })
  expect(clock.sleeps).toHaveLength(1)
})

test('makes no request for a task that has already settled', async () => {
  const get = () => Promise.reject(new Error('not to be called'))

  const waited = await waitForTask(done, {
    clock: manualClock(),
    waitMs: 60_000,
    method: 'tasks/get',
    get,
  })

  expect(waited).toMatchObject({ polls: 0, ms: 0, task: done })
})

test('gives up after waitMs, with what was last seen (H02)', async () => {
  const { waiting, clock } = play([working('', '2026-01-01T00:00:00.000Z')], { waitMs: 30_000 })

  const waited = await waiting

  expect(clock.now()).toBe(30_000)
  expect(waited).toMatchObject({ unsettled: true, ms: 30_000, polls: 33 })
  expect(waited.findings).toMatchObject([
    {
      id: 'wire/unsettled',
      level: 'error',
      message: 'task t1 still working after 30000 ms and 33 polls; it did change in that time',
      fix: 'The task makes progress: raise waitMs when it needs longer.',
    },
  ])
})

test('reports since when the status has not changed (H02)', async () => {
  const since = working(undefined, '2026-01-01T00:00:00.000Z')
  const clock = manualClock({ auto: true, start: 0 })

  const { findings } = await waitForTask(since, {
    clock,
    waitMs: 100,
    method: 'GetTask',
    get: async () => ({ value: since, findings: [] }),
  })

  expect(findings[0]?.message).toBe(
    'task t1 still working after 100 ms and 1 poll; status unchanged since 2026-01-01T00:00:00.000Z',
  )
})

test('calls a task without a timestamp stuck if nothing about it changed', async () => {
  const same = working()
  const { findings } = await waitForTask(same, {
    clock: manualClock({ auto: true, start: 0 }),
    waitMs: 100,
    method: 'tasks/get',
    get: async () => ({ value: same, findings: [] }),
  })

  expect(findings[0]).toMatchObject({
    message: 'task t1 still working after 100 ms and 1 poll; nothing about it changed',
    fix: 'The task looks stuck: let it reach a terminal state, or raise waitMs when it needs longer.',
  })
})

describe('a task that was not seen again', () => {
  const late = new A2AConnectionError('TIMEOUT', 'no response headers')

  test('the task is polled once even if waitMs leaves no time for it', async () => {
    const clock = manualClock({ auto: true, start: 0 })
    const left: number[] = []
    const { polls, unsettled, findings } = await waitForTask(working(), {
      clock,
      waitMs: 60,
      method: 'tasks/get',
      // The agent does not know subscriptions, and says so too late.
      watch: async () => {
        await clock.advance(80)
        return { events: 0, progress: [], findings: [], mustPoll: true }
      },
      get: async (leftMs) => {
        left.push(leftMs)
        return { value: done, findings: [] }
      },
    })

    expect({ polls, unsettled, findings }).toEqual({ polls: 1, unsettled: false, findings: [] })
    expect(left).toEqual([1000])
  })

  test('a poll that is not answered within a second', async () => {
    const clock = manualClock({ auto: true, start: 0 })
    const { ms, findings } = await waitForTask(working(), {
      clock,
      waitMs: 60,
      method: 'tasks/get',
      get: async (leftMs) => {
        await clock.advance(leftMs)
        throw late
      },
    })

    expect(ms).toBe(1050)
    expect(findings).toMatchObject([
      {
        id: 'wire/unsettled',
        message: 'task t1 was working when the agent returned it; 1 poll in 1050 ms gave no answer',
        fix: 'Raise waitMs so that the task can be polled until it is done.',
      },
    ])
  })

  test('no time before the deadline', async () => {
    const { waiting, left, clock } = play([done], { deadlineAt: 90 })

    expect((await waiting).findings).toMatchObject([
      {
        message: 'task t1 was working when the agent returned it; 40 ms left no time to poll it again',
        fix: "Raise the test's time limit, or deadlineMs, so that the task can be polled until it is done.",
      },
    ])
    expect(left).toEqual([])
    expect(clock.now()).toBe(40)
  })

  test('the event stream that answered has reported it until the end', async () => {
    const clock = manualClock({ auto: true, start: 100 })
    const get = () => Promise.reject(new Error('not to be called'))
    const waited = await waitForTask(working(), {
      clock,
      waitMs: 100,
      startAt: 0,
      method: 'tasks/get',
      get,
    })

    expect(waited).toMatchObject({ polls: 0, ms: 100, unsettled: true })
    expect(waited.findings).toMatchObject([
      {
        message: 'task t1 still working after 100 ms of the event stream that answered',
        fix: 'Make the task reach a terminal state, or raise `waitMs` if it needs longer.',
      },
    ])
  })
})

test('a timer that fires a moment early ends the wait anyway', async () => {
  const clock = manualClock({ auto: true, start: 0 })
  const { polls, findings } = await waitForTask(working(), {
    clock: { ...clock, sleep: (ms) => clock.sleep(ms - 1) },
    waitMs: 60,
    method: 'tasks/get',
    get: async () => ({ value: working(), findings: [] }),
  })

  expect(polls).toBe(1)
  expect(findings).toMatchObject([
    { message: expect.stringContaining('still working after 59 ms and 1 poll') },
  ])
})

test('ends before the deadline, however long waitMs is', async () => {
  const { waiting, clock, left } = play([working()], { deadlineAt: 5000 })

  expect(await waiting).toMatchObject({ unsettled: true })
  expect(clock.now()).toBeLessThan(5000)
  expect(left.every((ms) => ms > 0)).toBe(true)
})

test('does not start when the deadline is over', async () => {
  const { waiting, left } = play([working()], { deadlineAt: 0 })

  expect(await waiting).toMatchObject({ unsettled: true, polls: 0 })
  expect(left).toEqual([])
})

test('a last request that our own limit ended means a task that is not done', async () => {
  const clock = manualClock({ auto: true, start: 0 })
  let polls = 0

  const waited = await waitForTask(working(), {
    clock,
    waitMs: 1000,
    method: 'tasks/get',
    get: async (leftMs) => {
      if (++polls === 1) return { value: working(), findings: [] }
      await clock.advance(leftMs)
      throw new A2AConnectionError('TIMEOUT', 'no response headers')
    },
  })

  expect(waited).toMatchObject({ unsettled: true, polls: 2, ms: 1000 })
})

test('passes on an earlier timeout', async () => {
  const timeout = new A2AConnectionError('TIMEOUT', 'no response headers within 200 ms')

  await expect(play([timeout]).waiting).rejects.toBe(timeout)
})

test('stops at once when the signal is aborted', async () => {
  const controller = new AbortController()
  const clock = manualClock()
  const reason = new A2AConnectionError('DEADLINE', 'the test has no more time')
  const waiting = waitForTask(working(), {
    clock,
    waitMs: 60_000,
    method: 'tasks/get',
    signal: controller.signal,
    get: async () => ({ value: done, findings: [] }),
  })

  controller.abort(reason)

  await expect(waiting).rejects.toBe(reason)
})

test('keeps what working statuses say as progress, each once', async () => {
  const { waiting } = play([working('one'), working('one'), working('two'), done])

  expect((await waiting).progress).toEqual(['one', 'two'])
})

test('reports a tolerance only once, even if every poll needs it', async () => {
  const finding = { id: 'wire/state-spelling', level: 'warning' as const, message: 'state "WORKING"' }
  let at = 0
  const waited = await waitForTask(working(), {
    clock: manualClock({ auto: true, start: 0 }),
    waitMs: 60_000,
    method: 'tasks/get',
    get: async () => ({ value: ++at < 3 ? working() : done, findings: [finding] }),
  })

  expect(waited.findings).toEqual([finding])
})

test('H01: tolerates a task that is found on retry, and reports it', async () => {
  const { waiting, clock } = play([notFound, notFound, done])

  const waited = await waiting

  expect(clock.sleeps).toEqual([50, 200, 400])
  expect(waited).toMatchObject({ unsettled: false, polls: 3 })
  expect(waited.findings).toMatchObject([
    {
      id: 'wire/task-lookup',
      level: 'warning',
      message: 'task t1 was not found at once: 2 of 3 calls of tasks/get said not found (-32001)',
    },
  ])
})

test('H01: gives up on a task that is never found', async () => {
  const { waiting, clock } = play([notFound])

  const error = await waiting.catch((caught: unknown) => caught)

  expect(clock.sleeps).toEqual([50, 200, 400, 800])
  expect(error).toMatchObject({
    name: 'A2AReplyError',
    code: 'RPC_ERROR',
    rpcCode: -32001,
    message: 'the agent returned task t1 (working), but tasks/get says not found (-32001), 4 tries',
    fix: 'Store a task before returning it, and share the task store between workers.',
    cause: notFound,
  })
})

test('H01: a task that every second call misses is called intermittent', async () => {
  const { waiting } = play([notFound, working(), notFound, working(), notFound, done])

  const { findings } = await waiting

  expect(findings).toMatchObject([
    {
      id: 'wire/task-lookup',
      level: 'warning',
      message: 'looking up task t1 is intermittent: 3 of 6 calls of tasks/get said not found (-32001)',
    },
  ])
})

test('H01: a plain HTTP 404 counts as not found, another error does not', async () => {
  const plain = new A2AReplyError('HTTP_STATUS', 'HTTP 404', { status: 404 })
  await expect(play([plain]).waiting).rejects.toThrow('says not found (HTTP 404), 4 tries')

  const internal = new A2AReplyError('RPC_ERROR', 'boom', { rpcCode: -32603, status: 404 })
  await expect(play([internal]).waiting).rejects.toBe(internal)
})

test('H01: not found later than 2 s after the send is final', async () => {
  const clock = manualClock({ auto: true, start: 0 })
  const waiting = waitForTask(working(), {
    clock,
    waitMs: 60_000,
    method: 'tasks/get',
    get: async () => {
      await clock.advance(2000)
      throw notFound
    },
  })

  await expect(waiting).rejects.toThrow('not found (-32001), 1 try')
})
