import { describe, expect, test } from 'vitest'
import { checkResume } from '../../../src/checks/stream/checkResume.ts'
import type { Verdict } from '../../../src/checks/verdict.ts'
import { card03, handleOf, methods, result, rpcError } from '../../client/support.ts'
import { startFixture, type FixtureExchange, type FixtureServer } from '../../support/fixtureServer.ts'
import { watchedClock, type WatchedClock } from '../../support/watchedClock.ts'

const frame = (value: unknown): string =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', id: '$id', result: value })}\n\n`
const on = (rpc: string, answer: object): FixtureExchange => ({ on: 'POST /rpc', rpc, ...answer })

const about = { taskId: 't1', contextId: 'c1' }
const status = (state: string) => ({
  kind: 'status-update',
  ...about,
  status: { state },
  final: state === 'completed',
})
const parts = (...texts: (string | object)[]) =>
  texts.map((one) => (typeof one === 'string' ? { kind: 'text', text: one } : { kind: 'data', data: one }))
const artifact = (...content: (string | object)[]) => ({ artifactId: 'a', parts: parts(...content) })
const firstChunk = (...content: (string | object)[]) => ({
  kind: 'artifact-update',
  ...about,
  artifact: artifact(...content),
  append: false,
})
const chunk = (...content: (string | object)[]) => ({ ...firstChunk(...content), append: true })
/** The task as `tasks/get` answers it. */
const taskReply = (state: string, ...content: (string | object)[]) => ({
  kind: 'task',
  id: 't1',
  contextId: 'c1',
  status: { state },
  ...(content.length > 0 && { artifacts: [artifact(...content)] }),
})

interface Scene {
  /** What is streamed before the interruption, besides the task. */
  before?: object[]
  /** Events of the subscription. */
  later: object[]
  holdAt?: 'head' | number
  /** Answers to polls, in order; the last one repeats. */
  polls: object[]
}

/** An agent of 0.3 whose subscriptions begin with what comes next. */
const play = ({ before = [], later, holdAt, polls }: Scene): Promise<FixtureServer> =>
  startFixture([
    card03(),
    on('message/stream', { sse: [taskReply('submitted'), ...before].map(frame) }),
    on('tasks/resubscribe', { sse: later.map(frame), ...(holdAt !== undefined && { holdAt }) }),
    ...polls.map((poll) => on('tasks/get', 'json' in poll ? poll : result(poll))),
  ])

const check = (helpdesk: FixtureServer, clock: WatchedClock, after = 1): Promise<Verdict> =>
  checkResume(handleOf(helpdesk), ['Hello', { after }], { signal: new AbortController().signal }, clock)

describe('a subscription that begins with what comes next', () => {
  test.each<[string, Scene]>([
    [
      'a chunk',
      {
        later: [chunk('four.'), status('completed')],
        polls: [taskReply('working', 'It is on shelf '), taskReply('completed', 'It is on shelf four.')],
      },
    ],
    [
      'a chunk after one that was streamed',
      {
        before: [firstChunk('It is ')],
        later: [chunk('four.'), status('completed')],
        polls: [taskReply('working', 'It is on shelf four.'), taskReply('completed', 'It is on shelf four.')],
      },
    ],
    [
      'all of an artifact',
      {
        later: [status('working'), status('completed')],
        polls: [taskReply('working', 'It is here.'), taskReply('completed', 'It is here.')],
      },
    ],
    [
      'data',
      {
        later: [chunk({ row: 2 }), status('completed')],
        polls: [taskReply('working', { row: 1 }), taskReply('completed', { row: 1 }, { row: 2 })],
      },
    ],
    [
      'what only the last poll shows',
      {
        later: [chunk('four.'), status('completed')],
        polls: [rpcError(-32603, 'the store is busy'), taskReply('completed', 'It is on shelf four.')],
      },
    ],
  ])('need not repeat earlier events: %s', async (_, scene) => {
    await using helpdesk = await play(scene)

    expect(await check(helpdesk, watchedClock(), 1 + (scene.before?.length ?? 0))).toMatchObject({
      outcome: 'passed',
      received:
        'task t1, interrupted while submitted and resumed, ended in state completed after 2 more events; ' +
        'tasks/get has those events, and the ones before the subscription',
      findings: [],
    })
    expect(methods(helpdesk)).toEqual(['message/stream', 'tasks/resubscribe', 'tasks/get', 'tasks/get'])
  })

  const lengths = (all: number, seen: number): string =>
    `artifact a has ${all} characters in tasks/get, but ${seen} in what was streamed before and after the interruption`
  test.each<[string, Scene, string]>([
    [
      'a chunk in the middle',
      {
        later: [chunk('b'), chunk('d'), status('completed')],
        polls: [taskReply('working', 'ab'), taskReply('completed', 'abcd')],
      },
      lengths(4, 2),
    ],
    [
      'a chunk at its end',
      {
        later: [chunk('b'), status('completed')],
        polls: [taskReply('working', 'ab'), taskReply('completed', 'abc')],
      },
      lengths(3, 1),
    ],
    [
      'an artifact that was not there when it began',
      {
        later: [status('working'), status('completed')],
        polls: [taskReply('working'), taskReply('completed', 'abc')],
      },
      'artifact a of tasks/get was never streamed',
    ],
    [
      'a chunk that was not there when it began',
      {
        later: [chunk('c'), status('completed')],
        polls: [taskReply('working', 'a'), taskReply('completed', 'abc')],
      },
      lengths(3, 1),
    ],
    [
      'a chunk of an artifact that it began',
      {
        later: [firstChunk('b'), status('completed')],
        polls: [taskReply('working', 'ab'), taskReply('completed', 'ab')],
      },
      lengths(2, 1),
    ],
    [
      'nothing, but tells a chunk twice',
      {
        before: [firstChunk('ab')],
        later: [chunk('b'), status('completed')],
        polls: [taskReply('working', 'ab'), taskReply('completed', 'ab')],
      },
      lengths(2, 3),
    ],
    [
      'what was streamed before',
      {
        before: [firstChunk('x')],
        later: [chunk('c'), status('completed')],
        polls: [taskReply('working', 'abc'), taskReply('completed', 'abc')],
      },
      lengths(3, 2),
    ],
    [
      'data in its midst',
      {
        later: [chunk({ row: 1 }), chunk({ row: 3 }), status('completed')],
        polls: [taskReply('working', { row: 1 }), taskReply('completed', { row: 1 }, { row: 2 }, { row: 3 })],
      },
      'artifact a has 3 other parts in tasks/get, but 2 in what was streamed before and after the interruption',
    ],
  ])('fails where it loses %s', async (_, scene, received) => {
    await using helpdesk = await play(scene)

    const verdict = await check(helpdesk, watchedClock(), 1 + (scene.before?.length ?? 0))
    expect(verdict).toMatchObject({ outcome: 'failed', received })
    expect(verdict.findings).toMatchObject([{ id: 'stream/lost' }])
  })

  test('has to send later events once it is open for a while', async () => {
    const clock = watchedClock()
    await using helpdesk = await play({
      later: [status('working'), status('completed')],
      holdAt: 0,
      polls: [taskReply('working'), taskReply('completed', 'abc')],
    })
    const checking = check(helpdesk, clock)
    await clock.set(250, 1)
    await clock.advance(250)
    await expect.poll(() => methods(helpdesk)).toContain('tasks/get')
    helpdesk.release()

    expect(await checking).toMatchObject({
      outcome: 'failed',
      received: 'artifact a of tasks/get was never streamed',
    })
  })

  test.each([
    ['open', 0, 250],
    ['not open', 'head', 2000],
  ] as const)('may miss the end, which is inconclusive: %s', async (_, holdAt, ms) => {
    const clock = watchedClock()
    await using helpdesk = await play({
      later: [status('completed')],
      holdAt,
      polls: [taskReply('completed', 'abc')],
    })
    const checking = check(helpdesk, clock)
    await helpdesk.held()
    await clock.set(ms, 1)
    await clock.advance(ms)

    expect(await checking).toMatchObject({
      outcome: 'error',
      received: 'task t1 had already finished when the subscription was opened',
    })
    expect(methods(helpdesk)).toEqual(['message/stream', 'tasks/resubscribe', 'tasks/get'])
  })

  test('that is not open yet continues while the task works', async () => {
    const clock = watchedClock()
    await using helpdesk = await play({
      later: [firstChunk('abc'), status('completed')],
      holdAt: 'head',
      polls: [taskReply('working'), taskReply('completed', 'abc')],
    })
    const checking = check(helpdesk, clock)
    await helpdesk.held()
    await clock.set(2000, 1)
    await clock.advance(2000)
    await clock.set(4000, 1)
    helpdesk.release()

    expect(await checking).toMatchObject({
      outcome: 'passed',
      received: expect.stringMatching(/; tasks\/get returns the same$/),
    })
  })

  test('may miss that the interruption canceled the task', async () => {
    const clock = watchedClock()
    await using helpdesk = await play({
      later: [status('completed')],
      holdAt: 0,
      polls: [taskReply('canceled')],
    })
    const checking = check(helpdesk, clock)
    await clock.set(250, 1)
    await clock.advance(250)

    expect(await checking).toMatchObject({
      outcome: 'failed',
      findings: [{ id: 'stream/cut-cancels', level: 'error' }],
    })
  })
})
