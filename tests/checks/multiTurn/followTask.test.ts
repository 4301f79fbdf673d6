import { expect, test } from 'vitest'
import type { A2AAgent } from '../../../src/agent/types.ts'
import { toReply } from '../../../src/client/reply.ts'
import type { A2AStream } from '../../../src/client/types.ts'
import { A2AConnectionError, A2AReplyError, A2AUsageError } from '../../../src/core/errors.ts'
import type { StreamEvent, Task, TaskState } from '../../../src/protocol/model.ts'
import { followTask, subscribeTo, type Waiting } from '../../../src/checks/multiTurn/followTask.ts'
import { manualClock, type ManualClock } from '../../support/manualClock.ts'

const task = (state: TaskState): Task => ({
  kind: 'task',
  id: 't1',
  status: { state },
  artifacts: [],
  history: [],
})
const whole = (state: TaskState): StreamEvent => ({ type: 'task', task: task(state) })
const about = { dialect: '1.0', agent: 'Helpdesk' } as const

/** What an agent's stream does: gives events, stays open until it is aborted, or fails. */
interface Script {
  events?: StreamEvent[]
  hold?: boolean
  opening?: Promise<void>
  error?: Error
}

/** A wait for task t1. Polls give these states in turn, then the last one again and again. */
function scene(
  { events = [], hold = false, opening = Promise.resolve(), error }: Script,
  states: TaskState[],
  clock: ManualClock = manualClock(),
): { waiting: Waiting; polls: () => number; clock: ManualClock } {
  let polls = 0
  let hangUp = (): void => {}
  const held = new Promise<void>((resolve) => (hangUp = resolve))
  let last: Task | undefined
  const seen: number[] = []
  const stream: Partial<A2AStream> = {
    open: () => opening,
    method: 'SubscribeToTask',
    findings: [],
    timings: { requestedAt: 0, events: seen },
    soFar: () => (last === undefined ? undefined : toReply(last, about)),
    abort: () => hangUp(),
    async *[Symbol.asyncIterator]() {
      await opening
      for (const event of events) {
        seen.push(0)
        if (event.type === 'task') last = event.task
        yield event
      }
      if (hold) await held
      if (error !== undefined) throw error
    },
  }
  const agent: Partial<A2AAgent> = {
    subscribe: () => stream as A2AStream,
    getTask: async () => task(states[Math.min(polls++, states.length - 1)] as TaskState),
  }
  const waiting: Waiting = {
    agent: agent as A2AAgent,
    clock,
    signal: new AbortController().signal,
    endAt: clock.now() + 60_000,
    reply: toReply(task('auth-required'), about),
    task: task('auth-required'),
  }
  return { waiting, polls: () => polls, clock }
}

test('the events of a subscription are enough', async () => {
  const { waiting, polls } = scene({ events: [whole('auth-required'), whole('completed')] }, ['working'])

  const seen = await followTask(waiting, await subscribeTo(waiting))

  expect(seen).toMatchObject({
    reply: { state: 'completed' },
    unsettled: false,
    how: '2 events of SubscribeToTask',
    findings: [],
  })
  expect(polls()).toBe(0)
})

test('a task whose subscription ends with the request for authorization is polled', async () => {
  const { waiting } = scene(
    { events: [whole('auth-required')] },
    ['auth-required', 'working', 'completed'],
    manualClock({ auto: true }),
  )

  const seen = await followTask(waiting, await subscribeTo(waiting))

  expect(seen).toMatchObject({ reply: { state: 'completed' }, how: '1 event of SubscribeToTask and 3 polls' })
})

test('polls the whole task if a subscription does not start with it', async () => {
  const event: StreamEvent = { type: 'status', taskId: 't1', status: { state: 'completed' }, final: true }
  const { waiting, polls } = scene({ events: [event] }, ['completed'])

  await followTask(waiting, await subscribeTo(waiting))

  expect(polls()).toBe(1)
})

test('a task whose subscription is silent is polled every 5 s, and the silence is reported', async () => {
  const { waiting, clock, polls } = scene({ events: [whole('auth-required')], hold: true }, [
    'auth-required',
    'completed',
  ])

  const seen = followTask(waiting, await subscribeTo(waiting))
  await clock.advance(5000)
  expect(polls()).toBe(1)
  await clock.advance(5000)
  expect(polls()).toBe(2)
  await clock.advance(250)

  expect(await seen).toMatchObject({
    reply: { state: 'completed' },
    unsettled: false,
    how: '1 event of SubscribeToTask and 2 polls',
    findings: [
      {
        id: 'wire/silent-subscription',
        message: 'SubscribeToTask did not report within 5000 ms that task t1 is completed',
      },
    ],
  })
})

test('a subscription that is slow to open does not delay the test', async () => {
  const { waiting, clock } = scene({ opening: new Promise(() => {}) }, ['completed'])

  const opening = subscribeTo(waiting)
  await clock.advance(2000)

  expect(await opening).toBeDefined()
})

test('an agent without streaming is polled', async () => {
  const { waiting } = scene({ opening: Promise.reject(new A2AUsageError('NOT_DECLARED', 'no streaming')) }, [
    'completed',
  ])

  expect(await followTask(waiting, await subscribeTo(waiting))).toMatchObject({ how: '1 poll', findings: [] })
})

test.each([
  ['refused', new A2AReplyError('RPC_ERROR', 'not now'), ['conversation/not-subscribable']],
  ['interrupted', new A2AConnectionError('UNREACHABLE', 'connection reset'), []],
  ['silent to the end', new A2AConnectionError('TIMEOUT', 'no event'), []],
])('after a subscription that is %s the task is polled', async (_, error, ids) => {
  const { waiting } = scene({ error }, ['completed'])

  const seen = await followTask(waiting, await subscribeTo(waiting))

  expect(seen).toMatchObject({ reply: { state: 'completed' }, how: '1 poll' })
  expect(seen.findings.map(({ id }) => id)).toEqual(ids)
})

test('other errors are thrown', async () => {
  const error = new A2AUsageError('BAD_USE', 'the handle was closed')
  const opening = Promise.reject(error)
  await expect(subscribeTo(scene({ opening }, ['completed']).waiting)).rejects.toBe(error)

  const { waiting } = scene({ error }, ['completed'])
  await expect(followTask(waiting, await subscribeTo(waiting))).rejects.toBe(error)
})

test('steps grow from 50 ms to 1 s, and the wait ends in time', async () => {
  const clock = manualClock({ auto: true })
  const { waiting } = scene({}, ['working'], clock)

  const seen = await followTask(waiting, await subscribeTo(waiting))

  expect(seen).toMatchObject({ unsettled: true, reply: { state: 'working' } })
  expect(clock.sleeps.slice(0, 7)).toEqual([50, 100, 200, 400, 800, 1000, 1000])
  expect(clock.sleeps.reduce((all, one) => all + one, 0)).toBe(60_000)
})
