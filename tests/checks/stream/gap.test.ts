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
const begun = (...content: (string | object)[]) => ({
  kind: 'artifact-update',
  ...about,
  artifact: artifact(...content),
  append: false,
})
const more = (...content: (string | object)[]) => ({ ...begun(...content), append: true })
/** The task as it is looked up. */
const told = (state: string, ...content: (string | object)[]) => ({
  kind: 'task',
  id: 't1',
  contextId: 'c1',
  status: { state },
  ...(content.length > 0 && { artifacts: [artifact(...content)] }),
})

interface Scene {
  /** What is streamed before the cut, besides the task. */
  before?: object[]
  /** What the subscription tells. */
  later: object[]
  holdAt?: 'head' | number
  /** What look-ups give, one after the other; the last one for ever. */
  looks: object[]
}

/** An agent of 0.3 whose subscriptions begin with what comes next. */
const play = ({ before = [], later, holdAt, looks }: Scene): Promise<FixtureServer> =>
  startFixture([
    card03(),
    on('message/stream', { sse: [told('submitted'), ...before].map(frame) }),
    on('tasks/resubscribe', { sse: later.map(frame), ...(holdAt !== undefined && { holdAt }) }),
    ...looks.map((look) => on('tasks/get', 'json' in look ? look : result(look))),
  ])

const check = (helpdesk: FixtureServer, clock: WatchedClock, after = 1): Promise<Verdict> =>
  checkResume(handleOf(helpdesk), ['Hello', { after }], { signal: new AbortController().signal }, clock)

describe('a subscription that begins with what comes next', () => {
  test.each<[string, Scene]>([
    [
      'a chunk',
      {
        later: [more('four.'), status('completed')],
        looks: [told('working', 'It is on shelf '), told('completed', 'It is on shelf four.')],
      },
    ],
    [
      'a chunk after one that was streamed',
      {
        before: [begun('It is ')],
        later: [more('four.'), status('completed')],
        looks: [told('working', 'It is on shelf four.'), told('completed', 'It is on shelf four.')],
      },
    ],
    [
      'all of an artifact',
      {
        later: [status('working'), status('completed')],
        looks: [told('working', 'It is here.'), told('completed', 'It is here.')],
      },
    ],
    [
      'data',
      {
        later: [more({ row: 2 }), status('completed')],
        looks: [told('working', { row: 1 }), told('completed', { row: 1 }, { row: 2 })],
      },
    ],
    [
      'what only the last look can tell',
      {
        later: [more('four.'), status('completed')],
        looks: [rpcError(-32603, 'the store is busy'), told('completed', 'It is on shelf four.')],
      },
    ],
  ])('need not tell of what came before it: %s', async (_, scene) => {
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
      'a chunk in its midst',
      {
        later: [more('b'), more('d'), status('completed')],
        looks: [told('working', 'ab'), told('completed', 'abcd')],
      },
      lengths(4, 2),
    ],
    [
      'a chunk at its end',
      {
        later: [more('b'), status('completed')],
        looks: [told('working', 'ab'), told('completed', 'abc')],
      },
      lengths(3, 1),
    ],
    [
      'an artifact that was not there when it began',
      {
        later: [status('working'), status('completed')],
        looks: [told('working'), told('completed', 'abc')],
      },
      'artifact a of tasks/get was never streamed',
    ],
    [
      'a chunk that was not there when it began',
      {
        later: [more('c'), status('completed')],
        looks: [told('working', 'a'), told('completed', 'abc')],
      },
      lengths(3, 1),
    ],
    [
      'a chunk of an artifact that it began',
      {
        later: [begun('b'), status('completed')],
        looks: [told('working', 'ab'), told('completed', 'ab')],
      },
      lengths(2, 1),
    ],
    [
      'nothing, but tells a chunk twice',
      {
        before: [begun('ab')],
        later: [more('b'), status('completed')],
        looks: [told('working', 'ab'), told('completed', 'ab')],
      },
      lengths(2, 3),
    ],
    [
      'what was streamed before',
      {
        before: [begun('x')],
        later: [more('c'), status('completed')],
        looks: [told('working', 'abc'), told('completed', 'abc')],
      },
      lengths(3, 2),
    ],
    [
      'data in its midst',
      {
        later: [more({ row: 1 }), more({ row: 3 }), status('completed')],
        looks: [told('working', { row: 1 }), told('completed', { row: 1 }, { row: 2 }, { row: 3 })],
      },
      'artifact a has 3 other parts in tasks/get, but 2 in what was streamed before and after the interruption',
    ],
  ])('fails where it loses %s', async (_, scene, received) => {
    await using helpdesk = await play(scene)

    const verdict = await check(helpdesk, watchedClock(), 1 + (scene.before?.length ?? 0))
    expect(verdict).toMatchObject({ outcome: 'failed', received })
    expect(verdict.findings).toMatchObject([{ id: 'stream/lost' }])
  })

  test('has to tell what comes once it is open for a while', async () => {
    const clock = watchedClock()
    await using helpdesk = await play({
      later: [status('working'), status('completed')],
      holdAt: 0,
      looks: [told('working'), told('completed', 'abc')],
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
  ] as const)('may miss the end, which leaves nothing to be said: %s', async (_, holdAt, ms) => {
    const clock = watchedClock()
    await using helpdesk = await play({
      later: [status('completed')],
      holdAt,
      looks: [told('completed', 'abc')],
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

  test('that is not open goes on while the task does', async () => {
    const clock = watchedClock()
    await using helpdesk = await play({
      later: [begun('abc'), status('completed')],
      holdAt: 'head',
      looks: [told('working'), told('completed', 'abc')],
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

  test('may miss that the cut has canceled the task', async () => {
    const clock = watchedClock()
    await using helpdesk = await play({ later: [status('completed')], holdAt: 0, looks: [told('canceled')] })
    const checking = check(helpdesk, clock)
    await clock.set(250, 1)
    await clock.advance(250)

    expect(await checking).toMatchObject({
      outcome: 'failed',
      findings: [{ id: 'stream/cut-cancels', level: 'error' }],
    })
  })
})
