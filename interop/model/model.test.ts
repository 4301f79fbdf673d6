import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { Limiter } from '../../src/model/limiter.ts'
import { openaiModel, type OpenaiModelOptions } from '../../src/model/openai.ts'
import type { Model, ModelAnswer, ModelRequest } from '../../src/model/types.ts'
import { serveModel, type ServedModel, type ServerEvent, type Switch } from './served.ts'

// A model is slow if other processes use the processor as well.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

let server: ServedModel
beforeAll(async () => {
  server = await serveModel()
})
afterAll(() => server?.stop())

const verdict = {
  name: 'verdict',
  definition: {
    type: 'object',
    additionalProperties: false,
    required: ['reason', 'verdict', 'turn'],
    properties: {
      reason: { type: 'string' },
      verdict: { type: 'string', enum: ['met', 'not_met', 'unknown'] },
      turn: { type: ['integer', 'null'] },
    },
  },
}

function modelAt(switches: Switch[], options: Partial<OpenaiModelOptions> = {}): Model {
  return openaiModel({ model: server.model, baseURL: server.baseURL(...switches), ...options })
}

function asking(request: Partial<ModelRequest> = {}): ModelRequest {
  return {
    role: 'judge',
    system: 'You answer in one short sentence.',
    messages: [{ role: 'user', content: 'When is the book due that I borrowed on Monday for four days?' }],
    maxTokens: 250,
    signal: new AbortController().signal,
    ...request,
  }
}

/** The format that each request at these switches asked for, and its status. */
function formats(...switches: Switch[]): string[] {
  const ended = server.events(...switches).filter(({ event }) => event === 'ended')
  return ended.map(({ format, status }) => `${format} ${status}`)
}

function keysOf({ text }: ModelAnswer): string[] {
  return Object.keys(JSON.parse(text) as object)
}

describe('answers', () => {
  test('are text, with usage', async () => {
    const model = modelAt([])
    const { text, usage } = await model.generate(asking({ temperature: 0 }))

    expect(text).not.toBe('')
    const event = server.events().findLast(({ event }) => event === 'ended')
    expect(usage?.inputTokens).toBeGreaterThan(20)
    expect(usage!.inputTokens + usage!.outputTokens).toBe(event?.total_tokens)
    expect(model.id).toBe('SmolLM2-135M-Instruct.Q4_1')
    expect(model.provider).toBe(new URL(server.baseURL()).host)
  })

  test('follow a schema', async () => {
    const before = formats().length
    const answer = await modelAt([]).generate(asking({ schema: verdict }))

    expect(keysOf(answer).toSorted()).toEqual(['reason', 'turn', 'verdict'])
    expect(formats().slice(before)).toEqual(['json_schema 200'])
  })

  test('are the same for the same seed, and different for another', async () => {
    const model = modelAt([])
    const said = async (seed: number): Promise<string> =>
      (await model.generate(asking({ temperature: 0.7, seed }))).text

    const [first, again, other] = [await said(1), await said(1), await said(2)]
    expect(again).toBe(first)
    expect(other).not.toBe(first)
  })

  test('that are incomplete are an error', async () => {
    await expect(modelAt([]).generate(asking({ schema: verdict, maxTokens: 5 }))).rejects.toMatchObject({
      code: 'MODEL_ANSWER',
      message: expect.stringContaining('did not finish its answer: it reached its token limit') as string,
      raw: expect.stringContaining('{') as string,
    })
  })
})

describe('a server', () => {
  test('without schemas is asked in JSON mode, from then on immediately', async () => {
    const model = modelAt(['no-json_schema'])
    const answer = await model.generate(asking({ schema: verdict, temperature: 0 }))
    expect(typeof JSON.parse(answer.text)).toBe('object')
    await modelAt(['no-json_schema']).generate(asking({ schema: verdict, temperature: 0 }))

    expect(formats('no-json_schema')).toEqual(['json_schema 400', 'json_object 200', 'json_object 200'])
  })

  test('without JSON mode is asked in words', async () => {
    const model = modelAt(['no-json_schema', 'no-json_object'])
    const { usage } = await model.generate(asking({ schema: verdict }))
    await model.generate(asking({ schema: verdict }))

    expect(formats('no-json_schema', 'no-json_object')).toEqual([
      'json_schema 400',
      'json_object 400',
      'text 200',
      'text 200',
    ])
    // The schema is in the prompt.
    expect(usage!.inputTokens).toBeGreaterThan(100)
  })

  test('that refuses a temperature gets none', async () => {
    const model = modelAt(['no-temperature'])
    const answer = await model.generate(asking({ schema: verdict, temperature: 0 }))
    expect(keysOf(answer)).toContain('verdict')
    await model.generate(asking({ temperature: 0 }))

    const asked = server.events('no-temperature').filter(({ event }) => event === 'asked')
    expect(asked.map(({ temperature }) => temperature)).toEqual([0, undefined, undefined])
    expect(formats('no-temperature')).toEqual(['json_schema 400', 'json_schema 200', 'text 200'])
  })

  test('that refuses schema and temperature is asked for less twice', async () => {
    const answer = await modelAt(['no-json_schema', 'no-temperature']).generate(
      asking({ schema: verdict, temperature: 0 }),
    )
    expect(typeof JSON.parse(answer.text)).toBe('object')
    expect(formats('no-json_schema', 'no-temperature').at(-1)).toBe('json_object 200')
    expect(formats('no-json_schema', 'no-temperature')).toHaveLength(3)
  })
})

describe('refusals', () => {
  test('of a key say where it comes from, without the key', async () => {
    const refused = modelAt(['key'], { apiKey: 'sk-not-this-one' }).generate(asking())
    await expect(refused).rejects.toMatchObject({
      code: 'MODEL_REFUSED',
      status: 401,
      message: expect.stringContaining(
        'refused the request with 401: "Incorrect API key provided"',
      ) as string,
      fix: 'Check the API key, which comes from the option apiKey.',
    })
    await expect(refused).rejects.not.toMatchObject({
      message: expect.stringContaining('sk-not-this-one') as string,
    })

    const { text } = await modelAt(['key'], { apiKey: 'let-me-in' }).generate(asking())
    expect(text).not.toBe('')
  })

  test('of a name say how to fix it, and the request is not repeated', async () => {
    const before = formats().length
    const refused = modelAt([], { model: 'smollm3' }).generate(asking({ schema: verdict, temperature: 0 }))
    await expect(refused).rejects.toMatchObject({
      code: 'MODEL_REFUSED',
      message: expect.stringContaining('404: "The model `smollm3` does not exist"') as string,
    })
    // The server's output may be read later than its answer.
    await expect.poll(() => formats().slice(before)).toEqual(['json_schema 404'])
  })

  test('of a text that is too long do not lead to asking for less', async () => {
    const before = formats().length
    const messages = [{ role: 'user' as const, content: 'The book is due. '.repeat(3_000) }]
    await expect(modelAt([]).generate(asking({ messages, schema: verdict }))).rejects.toMatchObject({
      code: 'MODEL_REFUSED',
      message: expect.stringContaining('maximum context length is 8192 tokens') as string,
    })
    await expect.poll(() => formats().slice(before)).toEqual(['json_schema 400'])
  })
})

describe('a slow model', () => {
  const long = (signal: AbortSignal): ModelRequest =>
    asking({
      system: '',
      messages: [{ role: 'user', content: 'Tell a long story.' }],
      maxTokens: 600,
      signal,
    })
  const count = (event: ServerEvent['event'], ...switches: Switch[]): number =>
    server.events(...switches).filter((each) => each.event === event).length

  test('stops writing when the test ends', async () => {
    const stop = new AbortController()
    const reason = new Error('the test is over')
    const answer = modelAt(['slow']).generate(long(stop.signal))
    await server.waitFor(({ event, switches }) => event === 'writing' && switches.includes('slow'))
    stop.abort(reason)

    await expect(answer).rejects.toBe(reason)
    await server.waitFor(({ event, switches }) => event === 'canceled' && switches.includes('slow'))
    expect(formats('slow')).toEqual([])
    const { text } = await modelAt([]).generate(asking())
    expect(text).not.toBe('')
  })

  test('has a timeout', async () => {
    const model = modelAt(['slow', 'key'], { apiKey: 'let-me-in', timeoutMs: 1_000 })
    await expect(model.generate(long(new AbortController().signal))).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('did not answer within 1000 ms.') as string,
    })
    await server.waitFor(({ event, switches }) => event === 'canceled' && switches.includes('key'))
  })

  test('is called twice at the same time if the limit is two', async () => {
    const model = modelAt(['no-json_object'])
    const limiter = new Limiter({ clock: systemClock, random: Math.random })
    const { signal } = new AbortController()
    const generate = (): Promise<ModelAnswer> =>
      model.generate(asking({ maxTokens: 40, temperature: 0, schema: verdict }))
    await Promise.allSettled(Array.from({ length: 5 }, () => limiter.run(2, generate, signal)))

    const open = server.events('no-json_object').flatMap(({ open }) => open ?? [])
    expect(open).toHaveLength(5)
    expect(Math.max(...open)).toBe(2)
    expect(count('ended', 'no-json_object')).toBe(5)
  })

  test('leaves its place to the next one when it is canceled', async () => {
    const slow = modelAt(['slow', 'no-json_object'])
    const limiter = new Limiter({ clock: systemClock, random: Math.random })
    const stop = new AbortController()
    const first = limiter.run(1, () => slow.generate(long(stop.signal)), stop.signal)
    await server.waitFor(
      ({ event, switches }) => event === 'writing' && switches.join() === 'slow,no-json_object',
    )
    const second = limiter.run(1, () => modelAt([]).generate(asking()), new AbortController().signal)
    stop.abort(new Error('enough'))

    await expect(first).rejects.toThrow('enough')
    expect((await second).text).not.toBe('')
  })
})
