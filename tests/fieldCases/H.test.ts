import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import type { Fixture } from '../support/fixtureServer.ts'
import { manualClock } from '../support/manualClock.ts'
import { manualSystemClock } from '../support/systemTime.ts'
import { entry, fixture, open } from './scene.ts'

type Json = Record<string, unknown>

describe('H01 the task id that was just returned is unknown', () => {
  test('found on a retry: a warning', async () => {
    await using helpdesk = await open(fixture('H01'))
    const clock = manualClock({ auto: true })

    const failure = await helpdesk.passing(() =>
      expect(helpdesk.agent({}, { clock })).not.toReply('ping', 'hi'),
    )

    expect(failure).toContain(
      '! task t1 was not found at once: 2 of 3 calls of tasks/get said not found (-32001)',
    )
    expect(clock.sleeps).toEqual([50, 200, 400])
  })

  test('not found every time: a failure with a hint', async () => {
    const scene = fixture('H01')
    scene.exchange?.pop()
    entry(scene, 'tasks/get').times = '*'
    await using helpdesk = await open(scene)
    const clock = manualClock({ auto: true })

    const failure = await helpdesk.failure(() => expect(helpdesk.agent({}, { clock })).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(
      'the agent returned task t1 (working), but tasks/get says not found (-32001), 4 tries',
    )
    expect(failure).toContain('Store a task before returning it, and share the task store between workers')
    expect(clock.sleeps).toEqual([50, 200, 400, 800])
  })

  test('a plain HTTP 404 counts as not found', async () => {
    const scene = fixture('H01')
    const miss = entry(scene, 'tasks/get')
    delete miss.json
    Object.assign(miss, { status: 404, text: 'no such task' })
    await using helpdesk = await open(scene)

    expect(await helpdesk.passing(() => expect(helpdesk.agent()).not.toReply('ping', 'hi'))).toContain(
      '2 of 3 calls of tasks/get said not found (HTTP 404)',
    )
  })

  test('not found on every second call: a warning that says intermittent', async () => {
    const scene = fixture('H01')
    const [send, miss, hit] = scene.exchange ?? []
    const busy = { ...entry(scene, 'message/send'), rpc: 'tasks/get' }
    scene.exchange = [send!, ...[miss!, busy, miss!, hit!].map((one) => ({ ...one, times: 1 }))]
    await using helpdesk = await open(scene)

    expect(await helpdesk.passing(() => expect(helpdesk.agent()).not.toReply('ping', 'hi'))).toContain(
      '! looking up task t1 is intermittent: 2 of 4 calls of tasks/get said not found (-32001)',
    )
  })

  test('a task that is already done is not polled', async () => {
    const scene = fixture('H01')
    const done = scene.exchange?.pop()
    Object.assign(entry(scene, 'message/send'), { json: done?.json })
    await using helpdesk = await open(scene)

    await expect(helpdesk.url).toPassSmokeCheck()

    expect(helpdesk.methods()).toEqual(['message/send'])
  })
})

describe('H02 polling that would never end', () => {
  test('fails after its time limit; 33 polls in 30 s, because steps grow to 1 s only', async () => {
    await using helpdesk = await open(fixture('H02'))

    const failure = await helpdesk.failure(() =>
      expect(helpdesk.agent({ waitMs: 30_000 })).toPassSmokeCheck(),
    )

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(
      'Received: task t1 still working after 30000 ms and 33 polls; status unchanged since 2026-01-01T00:00:00.000Z',
    )
  })

  test("the wait ends before the matcher's own limit, and so with this message", async () => {
    await using helpdesk = await open(fixture('H02'))
    const clock = manualSystemClock({ auto: true })

    const failure = await helpdesk.failure(() =>
      expect(helpdesk.agent({}, { clock })).toPassSmokeCheck({ deadlineMs: 10_000 }),
    )

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toMatch(/task t1 still working after 9950 ms and \d+ polls; status unchanged/)
  })

  test("nothing is canceled, because a test never ends somebody's task unasked", async () => {
    await using helpdesk = await open(fixture('H02'))

    await helpdesk.failure(() => expect(helpdesk.agent({ waitMs: 1000 })).toPassSmokeCheck())

    expect(helpdesk.methods()).not.toContain('CancelTask')
    expect(new Set(helpdesk.methods())).toEqual(new Set(['SendMessage', 'SubscribeToTask', 'GetTask']))
  })

  test('a cancel that leaves the task working fails, with the expected state', async () => {
    await using helpdesk = await open(fixture('H02'))

    const failure = await helpdesk.failure(() =>
      expect(helpdesk.agent()).toCancelTask('Hello', { cancelMs: 60 }),
    )

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(
      'Received: CancelTask returned state working; expected canceled or TaskNotCancelableError; the task is still working after ',
    )
  })
})

describe('H03 does send block or not', () => {
  /** The fixture as 1.0 writes it. */
  const as10 = (scene: Fixture): Fixture => {
    const written = JSON.stringify(scene)
      .replaceAll('"message/send"', '"SendMessage"')
      .replaceAll('"tasks/get"', '"GetTask"')
      .replaceAll('"kind":"task",', '')
      .replaceAll('"kind":"text",', '')
      .replace('"state":"submitted"', '"state":"TASK_STATE_SUBMITTED"')
      .replace('"state":"completed"', '"state":"TASK_STATE_COMPLETED"')
    const modern = JSON.parse(written) as Fixture
    const answer = entry(modern, 'SendMessage').json as { result: unknown }
    answer.result = { task: answer.result }
    return modern
  }

  test.each([
    ['0.3', (scene: Fixture) => scene],
    ['1.0', as10],
  ])('%s: the client asks as that version does, and polls whatever comes back', async (version, change) => {
    const scene = fixture('H03')
    const wanted = (scene['clientMustSend'] as Record<string, { configuration: Json }>)[version]
      ?.configuration
    await using helpdesk = await open(change(scene))

    await expect(helpdesk.agent()).toPassSmokeCheck()

    const { configuration = {} } = helpdesk.posts()[0]?.rpc?.params as { configuration?: Json }
    expect(configuration).toEqual(wanted)
    // The card declares streaming, so that a subscription is tried before polling.
    expect(helpdesk.methods()).toHaveLength(3)
  })

  test.each(['input-required', 'auth-required'] as const)(
    'a call that ends in %s is complete',
    async (state) => {
      const scene = fixture('H03')
      const { result } = entry(scene, 'message/send').json as { result: { status: Json } }
      result.status = { state }
      await using helpdesk = await open(scene)

      await expect(helpdesk.url).toReachTaskState('ping', state)

      expect(helpdesk.methods()).toEqual(['message/send'])
    },
  )
})

describe('H04 the next message after a finished task', () => {
  test('continues in the context, never in the task', async () => {
    await using helpdesk = await open(fixture('H04'))
    const agent = helpdesk.agent()

    const first = await agent.send('first')
    expect(first).toHaveReplyText('one', { exact: true })
    await expect(agent).toReply('second', 'two', { after: first, exact: true })

    const { message } = helpdesk.posts()[1]?.rpc?.params as { message: Json }
    expect(message).toMatchObject({ contextId: 'c1' })
    expect(message).not.toHaveProperty('taskId')
  })

  test('a conversation reaches its second turn', async () => {
    await using helpdesk = await open(fixture('H04'))

    await expect(helpdesk.agent()).toKeepContext(['first', 'second'], 'two', { exact: true })
  })

  test('an old task returned again is reported', async () => {
    const scene = fixture('H04')
    const [first] = scene.exchange ?? []
    await using helpdesk = await open({ exchange: [{ ...first!, times: '*' }] })

    expect(
      await helpdesk.failure(() => expect(helpdesk.agent()).toKeepContext(['first', 'second'], 'two')),
    ).toContain(
      'Received: turn 2 of 2: task t1 again, which had finished in turn 1   conversation/old-task\n',
    )
  })

  test('may name the task as a reference', async () => {
    await using helpdesk = await open(fixture('H04'))
    const agent = helpdesk.agent()

    const first = await agent.send('first')
    const second = await agent.send('second', { after: first, referenceTaskIds: ['t1'] })

    expect(second.text).toBe('two')
    const { message } = helpdesk.posts()[1]?.rpc?.params as { message: Json }
    expect(message).toMatchObject({ contextId: 'c1', referenceTaskIds: ['t1'] })
  })

  test.each([
    ['completed', false],
    ['failed', false],
    ['canceled', false],
    ['rejected', false],
    ['input-required', true],
    ['auth-required', true],
  ])('after %s the task continues: %s', async (state, goesOn) => {
    const scene = fixture('H04')
    const first = scene.exchange?.[0]
    ;(first?.json as { result: { status: Json } }).result.status = { state }
    await using helpdesk = await open({ exchange: [{ ...first!, times: '*' }] })
    const agent = helpdesk.agent()

    await agent.send('second', { after: await agent.send('first') })

    const { message } = helpdesk.posts()[1]?.rpc?.params as { message: Json }
    expect(message).toMatchObject({ contextId: 'c1', ...(goesOn && { taskId: 't1' }) })
    expect('taskId' in message).toBe(goesOn)
  })
})
