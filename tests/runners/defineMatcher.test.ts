import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { A2AConnectionError, A2AReplyError } from '../../src/core/errors.ts'
import { shared } from '../../src/runners/state.ts'
import type { Budget } from '../../src/checks/types.ts'
import type { Verdict } from '../../src/checks/verdict.ts'
import { exchange } from '../report/exchange.ts'
import type { ManualClock } from '../support/manualClock.ts'
import { manualSystemClock } from '../support/systemTime.ts'
import { fakeAgent, fakeTask, self, thrown, toNod, verdict, type Options } from './fakes.ts'

const agent = fakeAgent()

describe('outcomes', () => {
  test('passed and failed become a result, negated or not', async () => {
    for (const outcome of ['passed', 'failed'] as const) {
      for (const isNot of [true, false]) {
        const matcher = toNod(() => verdict({ outcome }))
        const result = await matcher.call(self({ isNot }), agent)
        expect(result.pass).toBe(outcome === 'passed')
        expect(result.message()).toMatch(
          `[failed] expect(agent)${isNot ? '.not' : ''}.toNod()\n\nAgent:    Fake (http://127.0.0.1:4100)\n` +
            `Expected: ${isNot ? 'not ' : ''}a nod\nReceived: a nod`,
        )
      }
    }
  })

  test.each([
    ['inconclusive', 'INCONCLUSIVE'],
    ['invalid', 'INVALID'],
    ['error', 'NO_VERDICT'],
  ] as const)('%s throws in both polarities', async (outcome, code) => {
    for (const isNot of [true, false]) {
      const error = await thrown(() => toNod(() => verdict({ outcome })).call(self({ isNot }), agent))
      expect(error).toMatchObject({ name: 'A2AVerdictError', code })
      expect(error.message).toMatch(`[${outcome}] expect(agent)${isNot ? '.not' : ''}.toNod()`)
    }
  })

  test('an error keeps its class and code, gets the report as its message, and points at the call', async () => {
    const matcher = toNod(() => {
      throw new A2AConnectionError('UNREACHABLE', 'connection refused', { fix: 'Start it.' })
    })
    for (const isNot of [true, false]) {
      const error = await thrown(() =>
        matcher.call(self({ isNot }), fakeAgent([exchange()], ['s3cr3t-value'])),
      )
      expect(error).toMatchObject({ name: 'A2AConnectionError', code: 'UNREACHABLE', fix: 'Start it.' })
      expect(error).toBeInstanceOf(A2AConnectionError)
      expect(error.message).toMatch(
        `[error] expect(agent)${isNot ? '.not' : ''}.toNod()\n\nAgent: Fake (http://127.0.0.1:4100)\nError: connection refused\nFix:   Start it.\n\nExchanges\n  POST http`,
      )
      expect(error.stack).toContain('defineMatcher.test.ts')
      expect(error.stack?.startsWith(`A2AConnectionError: ${error.message}`)).toBe(true)
    }
  })

  test('a request that times out first is reported as the limit of the matcher', async () => {
    const early = toNod(() => {
      throw new A2AConnectionError('DEADLINE', 'no response headers within 4711 ms (option deadlineMs)')
    })
    const task = fakeTask({ timeout: 5000 })
    const error = await thrown(() => early.call(self({ task }), agent))
    expect(error).toMatchObject({ code: 'DEADLINE' })
    expect(error.message).toMatch(
      /Error: the agent did not answer within \d+ ms; the test timeout is 5000 ms\nFix: {3}Raise the test timeout/,
    )
  })

  test('a fault of the agent fails, and a negated matcher passes only after an A2A answer', async () => {
    const broken = toNod(() => {
      throw new A2AReplyError('RPC_ERROR', 'the agent answered with error -32603')
    })
    const failed = await broken.call(self(), agent)
    expect(failed.pass).toBe(false)
    expect(failed.message()).toContain(
      'Expected: a valid A2A response\nReceived: the agent answered with error',
    )
    expect((await broken.call(self({ isNot: true }), agent)).pass).toBe(false)

    for (const code of ['NO_CARD', 'HTTP_STATUS', 'NOT_JSON'] as const) {
      const html = toNod(() => {
        throw new A2AReplyError(code, 'HTML')
      })
      expect((await html.call(self(), agent)).pass).toBe(false)
      const error = await thrown(() => html.call(self({ isNot: true }), agent))
      expect(error).toMatchObject({ code })
      expect(error.message).toMatch('[error] expect(agent).not.toNod()')
      expect(error.message).toContain('`.not` passes only if an A2A agent answered')
    }
  })

  test.each([
    ['found no card', { attempts: [{ url: 'http://x', outcome: '404', found: false }] }],
    [
      'got HTML last',
      { exchanges: [exchange({ responseHeaders: { 'content-type': 'text/html' }, responseBody: '<p>' })] },
    ],
    ['says so itself', { unanswered: true }],
  ])('a failed verdict that %s throws when negated', async (_, facts) => {
    const matcher = toNod(() => verdict({ outcome: 'failed', ...facts }))
    expect((await matcher.call(self(), agent)).pass).toBe(false)
    const error = await thrown(() => matcher.call(self({ isNot: true }), agent))
    expect(error.message).toMatch('[error] expect(agent).not.toNod()')
    const answered = toNod(() => verdict({ outcome: 'failed', exchanges: [exchange()] }))
    expect((await answered.call(self({ isNot: true }), agent)).pass).toBe(false)
  })

  test('an unknown exception is called a bug, and keeps its stack', async () => {
    const cause = new RangeError('out of bounds')
    const error = await thrown(() =>
      toNod(() => {
        throw cause
      }).call(self({ isNot: true }), agent),
    )
    expect(error).toMatchObject({ name: 'A2AVerdictError', code: 'INTERNAL', cause })
    expect(error.message).toContain(
      'Error: RangeError: out of bounds\n       This is a bug in expect-a2a or in a function that was passed to toNod.',
    )
    expect(error.stack).toContain(cause.stack?.split('\n')[1])
  })

  test.each([['a text'], [undefined], [null], [{ message: '' }]])(
    'throwing %j gives a message that is not empty',
    async (value) => {
      const matcher = toNod(() => {
        throw value
      })
      const error = await thrown(() => matcher.call(self(), agent))
      expect(error.message).toMatch(/^\[error\] expect\(agent\)\.toNod\(\)\n\nAgent: Fake .*\nError: \S/)
    },
  )
})

describe('use', () => {
  test.each([
    [{ levle: 'low' }, 'toNod(): there is no option `levle`. Did you mean `level`?'],
    [{ deadline: 5 }, 'toNod(): there is no option `deadline`. Did you mean `deadlineMs`?'],
    [{ level: 'middle' }, 'toNod(): `level` must be "low" or "high"; received "middle".'],
    [{ deadlineMs: -1 }, 'toNod(): `deadlineMs` must be a positive number of milliseconds; received -1.'],
    ['low', 'toNod(): the options must be an object; received "low".'],
  ])('refuses the options %j', async (options, message) => {
    const check = vi.fn(() => verdict())
    const error = await thrown(() => toNod(check).call(self({ isNot: true }), agent, options as Options))
    expect(error).toMatchObject({ name: 'A2AUsageError', code: 'BAD_OPTIONS' })
    expect(error.message).toContain(`Error: ${message}`)
    expect(check).not.toHaveBeenCalled()
  })

  test('refuses a bare card where something must answer', async () => {
    const error = await thrown(() => toNod(() => verdict()).call(self(), { name: 'Desk' }))
    expect(error).toMatchObject({ name: 'A2AUsageError', code: 'BAD_SUBJECT' })
    expect(error.message).toMatch('[error] expect(card).toNod()')
    expect(error.message).toContain('toNod needs an agent to call, but received only an agent card.')
  })

  test('refuses nesting at once, and says what to write instead', () => {
    const nested = self()
    delete nested.promise
    expect(() => toNod(() => verdict()).call(nested, agent)).toThrowErrorMatchingInlineSnapshot(`
      [TypeError: [error] toNod cannot be used inside another matcher, because it has to wait for the agent.

      Instead of expect.toNod(…) or expect.not.toNod(…) write:
        await expect(agent).toNod(…)
        await expect(agent).not.toNod(…)]
    `)
  })

  test.each([
    ['jsdom', { navigator: { userAgent: 'Mozilla/5.0 (linux) jsdom/26.1.0' } }],
    ['happy-dom', { navigator: { userAgent: 'Mozilla/5.0 HappyDOM/18' } }],
  ])('refuses %s with the docblock to add', async (name, window) => {
    vi.stubGlobal('window', window)
    onTestFinished(() => void vi.unstubAllGlobals())
    const error = await thrown(() => toNod(() => verdict()).call(self(), agent))
    expect(error).toMatchObject({ code: 'BAD_USE' })
    expect(error.message).toContain(`the test environment ${name} does not have`)
    expect(error.message).toContain('@vitest-environment node')
  })
})

describe('time', () => {
  const hang = async ({ signal }: Budget): Promise<Verdict> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

  /** Lets a matcher begin, and then its limit and the grace after it go by. */
  const under = async (clock: ManualClock, limitMs: number): Promise<void> => {
    await clock.armed()
    await new Promise((resolve) => setImmediate(resolve))
    await clock.advance(limitMs)
    await clock.advance(25)
  }

  test('ends at deadlineMs, also for work that ignores its signal, and shows the exchanges so far', async () => {
    const clock = manualSystemClock()
    for (const check of [hang, async () => new Promise<Verdict>(() => {})]) {
      const ending = thrown(() =>
        toNod(check).call(self({ isNot: true }), fakeAgent([exchange()]), { deadlineMs: 20 }),
      )
      await under(clock, 20)
      const error = await ending
      expect(error).toMatchObject({ name: 'A2AConnectionError', code: 'DEADLINE' })
      expect(error.message).toMatch('[error] expect(agent).not.toNod({ deadlineMs: 20 })')
      expect(error.message).toContain(
        'the agent did not answer within 20 ms, the option deadlineMs of this matcher',
      )
      expect(error.message).toContain('POST http://127.0.0.1:4100/rpc')
    }
  })

  test("ends before the runner's limit, and says how to raise it", async () => {
    const clock = manualSystemClock()
    const task = fakeTask({ timeout: 100, result: { state: 'run', startTime: clock.now() - 10 } })
    const ending = thrown(() => toNod(hang).call(self({ task }), agent, { deadlineMs: 5000 }))
    await under(clock, 40)
    const error = await ending
    expect(error.message).toContain('the agent did not answer within 40 ms; the test timeout is 100 ms\n')
    expect(error.message).toContain('Raise the test timeout, e.g. it(name, fn, 60_000)')
  })

  test.each([
    ['heeds its signal', hang],
    ['ignores it', async () => new Promise<Verdict>(() => {})],
  ])('where the process was held up until after the limit, a check that %s', async (_, check) => {
    const ends: string[] = []
    let begun = (): void => {}
    const begins = new Promise<void>((resolve) => (begun = resolve))
    const started = Date.now()
    const task = fakeTask({ timeout: 500, result: { state: 'run', startTime: started } })
    const runner = new Promise<void>((resolve) => {
      setTimeout(() => {
        ends.push('the runner')
        resolve()
      }, 500)
    })
    const matcher = thrown(() =>
      toNod((budget) => {
        begun()
        return check(budget)
      }).call(self({ task }), agent),
    ).then(() => ends.push('the matcher'))
    await begins
    while (Date.now() < started + 600);
    await Promise.all([matcher, runner])

    expect(ends).toEqual(['the matcher', 'the runner'])
  })

  test('ends when the runner gives up', async () => {
    const controller = new AbortController()
    const task = fakeTask({ context: { signal: controller.signal } })
    const pending = thrown(() => toNod(hang).call(self({ task }), agent))
    controller.abort(new Error('bail'))
    expect(await pending).toMatchObject({ code: 'ABORTED', cause: { message: 'bail' } })
  })

  test('is not stopped by fake timers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'Date', 'queueMicrotask'] })
    onTestFinished(() => void vi.useRealTimers())
    const error = await thrown(() => toNod(hang).call(self(), agent, { deadlineMs: 20 }))
    expect(error).toMatchObject({ code: 'DEADLINE' })
  })
})

describe('a forgotten await', () => {
  test('fails the test that ends first, and its matcher never settles', async () => {
    const task = fakeTask()
    let seen: AbortSignal | undefined
    const settled = vi.fn()
    const matcher = toNod(async ({ signal }) => {
      seen = signal
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      )
    })
    matcher.call(self({ task, isNot: true }), agent, { level: 'low' }).then(settled, settled)
    await expect.poll(() => seen).toBeDefined()
    const error = await thrown(() => task.finish())
    expect(error).toMatchObject({ name: 'A2AUsageError', code: 'BAD_USE' })
    expect(error.message).toMatchInlineSnapshot(`
      "[error] a matcher was not awaited: the test would pass whatever the agent does.

      Write:
        await expect(agent).not.toNod({ level: "low" })"
    `)
    expect(error.stack).toContain('defineMatcher.test.ts')
    expect(seen?.aborted).toBe(true)
    await new Promise((resolve) => setImmediate(resolve))
    expect(settled).not.toHaveBeenCalled()
    expect(shared.unfinished.size).toBe(0)
  })

  test('is not reported for a test that already failed', async () => {
    const task = fakeTask({ result: { state: 'fail' } })
    void toNod(async () => new Promise<Verdict>(() => {})).call(self({ task }), agent)
    expect(() => task.finish()).not.toThrow()
    expect(shared.unfinished.size).toBe(0)
  })

  test('is not reported if the matcher was awaited', async () => {
    const task = fakeTask()
    await toNod(() => verdict()).call(self({ task }), agent)
    // As runners do: they chain at once, and the test awaits what that gave.
    const chained = toNod(() => verdict())
      .call(self({ task }), agent)
      .then(String)
    await Promise.all([chained])
    expect(() => task.finish()).not.toThrow()
    expect(shared.unfinished.size).toBe(0)
  })

  test('is reported even if the matcher settled before its test, with the result of the matcher', async () => {
    const task = fakeTask()
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    onTestFinished(() => void process.off('unhandledRejection', unhandled))
    let over = false
    const matcher = toNod(() => verdict({ outcome: 'failed' }))
    void matcher.call(self({ task }), agent).then((result) => {
      over = true
      throw new Error(result.message())
    })
    await expect.poll(() => over).toBe(true)
    await new Promise((resolve) => setImmediate(resolve))
    const error = await thrown(() => task.finish())
    expect(error.message).toContain(
      '  await expect(agent).toNod()\n\nIt would have failed with:\n\n[failed] expect(agent).toNod()',
    )
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('is left to Node when no runner can report it', async () => {
    const unhandled = vi.fn()
    const others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection').once('unhandledRejection', unhandled)
    onTestFinished(() => others.forEach((listener) => process.on('unhandledRejection', listener)))
    void toNod(() => verdict({ outcome: 'failed' }))
      .call(self(), agent)
      .then(() => {
        throw new Error('failed')
      })
    await expect.poll(() => unhandled.mock.calls).toHaveLength(1)
  })
})
