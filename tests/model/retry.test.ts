import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { A2AConnectionError, A2AModelError, A2AUsageError } from '../../src/core/errors.ts'
import { openCalls } from '../../src/model/calls.ts'
import { configureA2A } from '../../src/model/configuration.ts'
import { openaiModel } from '../../src/model/openai.ts'
import type { Model, ModelAnswer, ModelCalls, ModelRole } from '../../src/model/types.ts'
import { resetConfiguration } from '../support/configuration.ts'
import { manualClock, type ManualClock } from '../support/manualClock.ts'
import { startModelServer, type ModelReply } from '../support/modelServer.ts'
import { request, thrown } from './request.ts'

beforeEach(resetConfiguration)

const place = { trial: 1, turn: 1, attempt: 1 }

interface Bench {
  calls: ModelCalls
  clock: ManualClock
  ask(role?: ModelRole): Promise<ModelAnswer>
}

function bench(model: Model, random = 0): Bench {
  const clock = manualClock({ auto: true })
  const calls = openCalls({
    simulator: { model },
    judge: { model },
    deps: { clock, env: {} },
    random: () => random,
  })
  return { calls, clock, ask: (role = 'judge') => calls.ask(request({ role }), place) }
}

/** A model at a server that plays these replies. */
async function served(...replies: ModelReply[]): Promise<Bench & { requests: () => number }> {
  const server = await startModelServer(replies)
  onTestFinished(() => server.close())
  const model = openaiModel({
    model: 'gpt-x',
    apiKey: 'sk-test-0123456789abcdefghij',
    baseURL: server.baseURL,
  })
  return { ...bench(model), requests: () => server.requests.length }
}

/** A model that fails with the same error each time, or with one after the other. */
function failing(...errors: unknown[]): Model & { tries: number } {
  return {
    id: 'm',
    tries: 0,
    async generate() {
      const error = errors.length > 1 ? errors[this.tries] : errors[0]
      this.tries++
      if (error === undefined) return { text: 'ok' }
      throw error
    },
  }
}

const busy = (detail: object = {}): A2AModelError =>
  new A2AModelError('MODEL_UNAVAILABLE', 'slow down', { status: 429, transient: true, ...detail })
const slow = { status: 429, error: { message: 'slow down' } }

describe('K03 a judge is rate-limited, which is not a verdict about the agent', () => {
  test('429 twice, then a verdict: the verdict, after the pause that was asked for', async () => {
    const { ask, calls, clock, requests } = await served(
      { ...slow, headers: { 'retry-after': '1' } },
      slow,
      '{"pass":true}',
    )
    await expect(ask()).resolves.toMatchObject({ text: '{"pass":true}' })
    expect(requests()).toBe(3)
    expect(calls.replay.live).toBe(1)
    expect(calls.usage).toEqual({ unreported: 0, judge: { inputTokens: 10, outputTokens: 5 } })
    // Jitter is added to the pause that was asked for; the backoff is random between half and all of it.
    expect(clock.sleeps).toEqual([1_000, 500])
  })

  test('429 each time: unavailable after five tries', async () => {
    const { ask, calls, requests } = await served(slow, slow, slow, slow, slow)
    const error = await thrown(ask())
    expect(error).toMatchObject({ name: 'A2AModelError', code: 'MODEL_UNAVAILABLE', status: 429 })
    expect(error['message']).toMatch(
      /^judge unavailable after 5 tries: the model "gpt-x" at http:\S+ is not available now: it answered 429: .*slow down.*\.$/,
    )
    expect(requests()).toBe(5)
    expect(calls.replay.live).toBe(0)
  })

  test('401: unavailable after one try', async () => {
    const { ask, requests } = await served({ status: 401, error: { message: 'Incorrect API key provided' } })
    const error = await thrown(ask())
    expect(error).toMatchObject({ name: 'A2AModelError', status: 401 })
    expect(error['message']).toMatch(
      /^judge unavailable after 1 try: the model "gpt-x" .*401.*Incorrect API key/,
    )
    expect(error['fix']).toEqual(expect.any(String))
    expect(requests()).toBe(1)
  })

  test('400 to an unknown model: unavailable after one try', async () => {
    const reply = { status: 400, error: { message: 'unknown model gpt-x', code: 'model_not_found' } }
    const { ask, requests } = await served(reply)
    const error = await thrown(ask())
    expect(error).toMatchObject({ code: 'MODEL_REFUSED', status: 400 })
    expect(error['message']).toMatch(/^judge unavailable after 1 try: .*gpt-x.*400.*unknown model gpt-x/)
    expect(requests()).toBe(1)
  })

  test('503, then a verdict: the verdict', async () => {
    const { ask, requests } = await served({ status: 503, body: 'down' }, 'yes')
    await expect(ask()).resolves.toMatchObject({ text: 'yes' })
    expect(requests()).toBe(2)
  })

  test('a broken connection: repeated', async () => {
    const { ask, requests } = await served({ stop: 'cut' }, 'yes')
    await expect(ask()).resolves.toMatchObject({ text: 'yes' })
    expect(requests()).toBe(2)
  })
})

describe('the pauses between tries', () => {
  test('double, from half a second', async () => {
    const { ask, clock } = bench(failing(busy()), 0)
    await thrown(ask())
    expect(clock.sleeps).toEqual([250, 500, 1_000, 2_000])
  })

  test('are random up to the full length', async () => {
    const { ask, clock } = bench(failing(busy()), 1)
    await thrown(ask())
    expect(clock.sleeps).toEqual([500, 1_000, 2_000, 4_000])
  })

  test('grow to 20 s at most', async () => {
    configureA2A({ retries: 8 })
    const { ask, clock } = bench(failing(busy()), 1)
    await thrown(ask())
    expect(clock.sleeps.slice(-3)).toEqual([16_000, 20_000, 20_000])
  })

  test('are never shorter than what was asked for', async () => {
    const { ask, clock } = bench(failing(busy({ retryAfterMs: 7_000 }), undefined), 1)
    await ask()
    expect(clock.sleeps).toEqual([7_250])
  })

  test('are skipped if more than a minute was asked for', async () => {
    const { ask, clock } = bench(failing(busy({ retryAfterMs: 3_600_000 })))
    await expect(ask()).rejects.toThrow(
      'judge unavailable after 1 try: the model m failed with status 429: slow down. It may be called again in 3600 s (at 2025-06-15T16:06:40Z), which is too long for a test.',
    )
    expect(clock.sleeps).toEqual([])
  })

  test('are not waited for by the next test either: it fails immediately, with the 429 and the time (A15)', async () => {
    const server = await startModelServer([{ ...slow, headers: { 'retry-after': '3600' } }, 'yes'])
    onTestFinished(() => server.close())
    const clock = manualClock()
    const model = openaiModel({ model: 'gpt-x', apiKey: 'sk-test', baseURL: server.baseURL })
    const conversation = (): ModelCalls => openCalls({ judge: { model }, deps: { clock, env: {} } })
    await thrown(conversation().ask(request({ role: 'judge' }), place))
    await clock.advance(12_000)

    const next = conversation()
    const error = await thrown(next.ask(request({ role: 'judge' }), place))
    expect(error).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: `judge unavailable: the model "gpt-x" at ${server.origin} is not available now: it answered 429: "slow down". It may be called again in 3588 s (at 2025-06-15T16:06:40Z), which is too long for a test.`,
      fix: 'Lower the concurrency, or ask the provider for a higher rate limit.',
      status: 429,
    })
    expect(server.requests).toHaveLength(1)

    await clock.advance(3_588_000)
    await expect(next.ask(request({ role: 'judge' }), place)).resolves.toMatchObject({ text: 'yes' })
  })

  test('of another conversation are reported if the deadline passes meanwhile', async () => {
    const clock = manualClock()
    const model = failing(busy({ retryAfterMs: 30_000 }))
    configureA2A({ retries: 0 })
    const conversation = (): ModelCalls => openCalls({ judge: { model }, deps: { clock, env: {} } })
    await thrown(conversation().ask(request({ role: 'judge' }), place))

    const stop = new AbortController()
    const next = conversation()
    const asked = next.ask(request({ role: 'judge', signal: stop.signal }), place)
    await clock.advance(3_000)
    stop.abort(new A2AConnectionError('DEADLINE', 'the deadline passed'))
    await expect(asked).rejects.toThrow('the deadline passed')
    expect(next.warnings).toEqual(['the judge gave no answer in 3000 ms: slow down'])
    expect(model.tries).toBe(1)
  })

  test('end with the signal', async () => {
    const clock = manualClock()
    const model = failing(busy())
    const calls = openCalls({ judge: { model }, deps: { clock, env: {} } })
    const stop = new AbortController()
    const asked = calls.ask(request({ role: 'judge', signal: stop.signal }), place)
    await expect.poll(() => clock.sleeps).toHaveLength(1)
    stop.abort(new Error('the test ended'))
    await expect(asked).rejects.toThrow('the test ended')
    expect([model.tries, clock.pending]).toEqual([1, 0])
  })
})

describe('tries', () => {
  test.each([0, 2])('are as many as configured: %i more', async (retries) => {
    configureA2A({ retries })
    const model = failing(busy())
    await thrown(bench(model).ask())
    expect(model.tries).toBe(retries + 1)
  })

  test('are one if waiting does not help', async () => {
    const model = failing(new A2AModelError('MODEL_ANSWER', 'the answer is empty', { raw: '' }))
    await expect(bench(model).ask('simulator')).rejects.toThrow(
      'simulator gave no usable answer after 1 try: the model m failed: the answer is empty.',
    )
    expect(model.tries).toBe(1)
  })

  test('are one for any other error, and its message is shown', async () => {
    const boom = new Error('boom')
    const error = await thrown(bench(failing(boom)).ask('check'))
    expect(error).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: 'simulator check unavailable after 1 try: the model m failed: boom.',
      cause: boom,
    })
  })

  test.each(['no words', undefined, ''])('report %j, although it is not an error', async (value) => {
    const model: Model = { id: 'm', generate: () => Promise.reject(value) }
    await expect(bench(model).ask()).rejects.toThrow(
      /^judge unavailable after 1 try: the model m failed: (no words|undefined|no reason was given)\.$/,
    )
  })

  test('pass wrong use on', async () => {
    const wrong = new A2AUsageError('MISSING_PACKAGE', 'the package "openai" is not installed.')
    await expect(bench(failing(wrong)).ask()).rejects.toBe(wrong)
  })

  test('end if a model throws instead of rejecting', async () => {
    const model: Model = {
      id: 'm',
      generate() {
        throw new Error('at once')
      },
    }
    const { ask } = bench(model)
    await expect(ask()).rejects.toThrow('judge unavailable after 1 try: the model m failed: at once.')
    await expect(ask()).rejects.toThrow('at once')
  })
})

describe('a missing model', () => {
  const open = (): ModelCalls => openCalls({ deps: { clock: manualClock(), env: {} } })

  test.each<[ModelRole, string, string, string]>([
    ['simulator', 'simulator', 'simulator.model', 'A2A_SIMULATOR_MODEL'],
    [
      'check',
      'simulator check (it uses the model of the simulator)',
      'simulator.model',
      'A2A_SIMULATOR_MODEL',
    ],
    ['judge', 'judge', 'judge.model', 'A2A_JUDGE_MODEL'],
  ])('for the %s is reported with the first call', async (role, who, option, variable) => {
    const calls = open()
    const error = await thrown(calls.ask(request({ role }), place))
    expect(error).toMatchObject({
      name: 'A2AModelError',
      code: 'NO_MODEL',
      message: `no model is configured for the ${who}: neither the option ${option}, nor the environment variable ${variable}, nor a model with configureA2A() is set.`,
    })
    for (const way of [
      'configureA2A({ model',
      `${option.split('.')[0]}: { model`,
      variable,
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
      'a function',
      'AI SDK',
      'scriptedModel',
    ]) {
      expect(error['fix']).toContain(way)
    }
  })
})
