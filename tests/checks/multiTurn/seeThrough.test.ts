import { expect, test } from 'vitest'
import type { A2AAgent } from '../../../src/agent/types.ts'
import { toReply } from '../../../src/client/reply.ts'
import type { A2AStream } from '../../../src/client/types.ts'
import { A2AConnectionError, A2AReplyError, A2AUsageError } from '../../../src/core/errors.ts'
import type { StreamEvent, Task, TaskState } from '../../../src/protocol/model.ts'
import { seeThrough, subscribeTo, type Watch } from '../../../src/checks/multiTurn/seeThrough.ts'
import { manualClock, type ManualClock } from '../../support/manualClock.ts'

const task = (state: TaskState): Task => ({
  kind: 'task',
  id: 't1',
  status: { state },
  artifacts: [],
  history: [],
})
const whole = (state: TaskState): StreamEvent => ({ type: 'task', task: task(state) })
const about = { dialect: '1.0', agent: 'Desk' } as const

/** What an agent's stream does: gives events, holds until it is hung up on, or fails. */
interface Course {
  events?: StreamEvent[]
  hold?: boolean
  opening?: Promise<void>
  error?: Error
}

/** A watch over task t1, whose look-ups give these states in turn, the last one for ever. */
function scene(
  { events = [], hold = false, opening = Promise.resolve(), error }: Course,
  states: TaskState[],
  clock: ManualClock = manualClock(),
): { watch: Watch; looks: () => number; clock: ManualClock } {
  let looks = 0
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
    getTask: async () => task(states[Math.min(looks++, states.length - 1)] as TaskState),
  }
  const watch: Watch = {
    agent: agent as A2AAgent,
    clock,
    signal: new AbortController().signal,
    end: clock.now() + 60_000,
    held: toReply(task('auth-required'), about),
  }
  return { watch, looks: () => looks, clock }
}

test('the events of a subscription are enough', async () => {
  const { watch, looks } = scene({ events: [whole('auth-required'), whole('completed')] }, ['working'])

  const seen = await seeThrough(watch, await subscribeTo(watch))

  expect(seen).toMatchObject({
    reply: { state: 'completed' },
    late: false,
    how: '2 events of SubscribeToTask',
    findings: [],
  })
  expect(looks()).toBe(0)
})

test('a subscription that ends with the demand is followed by polling', async () => {
  const { watch } = scene(
    { events: [whole('auth-required')] },
    ['auth-required', 'working', 'completed'],
    manualClock({ auto: true }),
  )

  const seen = await seeThrough(watch, await subscribeTo(watch))

  expect(seen).toMatchObject({ reply: { state: 'completed' }, how: '1 event of SubscribeToTask and 3 polls' })
})

test('a subscription that does not begin with the task is followed by a look at all of it', async () => {
  const event: StreamEvent = { type: 'status', taskId: 't1', status: { state: 'completed' }, final: true }
  const { watch, looks } = scene({ events: [event] }, ['completed'])

  await seeThrough(watch, await subscribeTo(watch))

  expect(looks()).toBe(1)
})

test('a silent subscription is looked after every 5 s, and told of', async () => {
  const { watch, clock, looks } = scene({ events: [whole('auth-required')], hold: true }, [
    'auth-required',
    'completed',
  ])

  const seen = seeThrough(watch, await subscribeTo(watch))
  await clock.advance(5000)
  expect(looks()).toBe(1)
  await clock.advance(5000)
  expect(looks()).toBe(2)
  await clock.advance(250)

  expect(await seen).toMatchObject({
    reply: { state: 'completed' },
    late: false,
    how: '1 poll',
    findings: [
      { id: 'wire/silent-subscription', message: 'SubscribeToTask did not tell that task t1 is completed' },
    ],
  })
})

test('a subscription that is slow to open does not keep the test from going on', async () => {
  const { watch, clock } = scene({ opening: new Promise(() => {}) }, ['completed'])

  const opening = subscribeTo(watch)
  await clock.advance(2000)

  expect(await opening).toBeDefined()
})

test('an agent without streaming is polled', async () => {
  const { watch } = scene({ opening: Promise.reject(new A2AUsageError('NOT_DECLARED', 'no streaming')) }, [
    'completed',
  ])

  const subscription = await subscribeTo(watch)

  expect(subscription).toBeUndefined()
  expect(await seeThrough(watch, subscription)).toMatchObject({ how: '1 poll', findings: [] })
})

test.each([
  ['refused', new A2AReplyError('RPC_ERROR', 'not now'), ['conversation/not-subscribable']],
  ['cut', new A2AConnectionError('UNREACHABLE', 'connection reset'), []],
  ['silent until the end', new A2AConnectionError('TIMEOUT', 'no event'), []],
])('a subscription that is %s gives way to polling', async (_, error, ids) => {
  const { watch } = scene({ error }, ['completed'])

  const seen = await seeThrough(watch, await subscribeTo(watch))

  expect(seen).toMatchObject({ reply: { state: 'completed' }, how: '1 poll' })
  expect(seen.findings.map(({ id }) => id)).toEqual(ids)
})

test('other errors are the caller’s business', async () => {
  const error = new A2AUsageError('BAD_USE', 'the handle was closed')
  const opening = Promise.reject(error)
  await expect(subscribeTo(scene({ opening }, ['completed']).watch)).rejects.toBe(error)

  const { watch } = scene({ error }, ['completed'])
  await expect(seeThrough(watch, await subscribeTo(watch))).rejects.toBe(error)
})

test('steps grow from 50 ms to 1 s, and the wait ends in time', async () => {
  const clock = manualClock({ auto: true })
  const { watch } = scene({}, ['working'], clock)

  const seen = await seeThrough(watch, undefined)

  expect(seen).toMatchObject({ late: true, reply: { state: 'working' } })
  expect(clock.sleeps.slice(0, 7)).toEqual([50, 100, 200, 400, 800, 1000, 1000])
  expect(clock.sleeps.reduce((all, one) => all + one, 0)).toBe(60_000)
})
