import { afterEach, describe, expect, test } from 'vitest'
import { createOpenaiModel, openaiModel, type OpenaiModelOptions } from '../../src/model/openai.ts'
import { loadOpenAI } from '../../src/model/packages.ts'
import type { Model, ModelRequest } from '../../src/model/types.ts'
import { manualClock } from '../support/manualClock.ts'
import {
  startModelServer,
  type ModelReply,
  type ModelServer,
  type SeenRequest,
} from '../support/modelServer.ts'
import { request, schema, thrown } from './request.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const key = 'sk-test-0123456789abcdefghij'

interface Desk {
  server: ModelServer
  model: Model
  ask(changes?: Partial<ModelRequest>): ReturnType<Model['generate']>
  /** The error of the request, with the port hidden. */
  refused(changes?: Partial<ModelRequest>): Promise<Record<string, unknown>>
}

/** A model at a server that plays these replies. */
async function open(
  replies: readonly ModelReply[] | ((seen: SeenRequest, index: number) => ModelReply),
  options: Partial<OpenaiModelOptions> = {},
  deps: Parameters<typeof createOpenaiModel>[2] = {},
): Promise<Desk> {
  const server = await startModelServer(replies)
  servers.push(server)
  const model = createOpenaiModel(
    { model: 'gpt-x', apiKey: key, baseURL: server.baseURL, ...options },
    {},
    deps,
  )
  const ask: Desk['ask'] = (changes) => model.generate(request(changes))
  return {
    server,
    model,
    ask,
    async refused(changes) {
      const error = await thrown(ask(changes))
      for (const name of ['message', 'mend']) {
        error[name] = String(error[name]).replaceAll(server.origin, 'http://127.0.0.1:1')
      }
      return error
    },
  }
}

describe('a request', () => {
  test('is a chat completion with everything that was given', async () => {
    const { server, model, ask } = await open(['Hello'])
    const answer = await ask({
      messages: [
        { role: 'assistant', content: 'Hi' },
        { role: 'user', content: 'Go on.' },
      ],
      schema,
      temperature: 0.7,
      maxTokens: 300,
      seed: 4,
    })
    expect(answer).toEqual({ text: 'Hello', usage: { inputTokens: 10, outputTokens: 5 } })
    const [seen] = server.requests
    expect(seen?.method).toBe('POST')
    expect(seen?.path).toBe('/v1/chat/completions')
    expect(seen?.headers.authorization).toBe(`Bearer ${key}`)
    expect(seen?.body).toEqual({
      model: 'gpt-x',
      messages: [
        { role: 'system', content: 'You are the user.' },
        { role: 'assistant', content: 'Hi' },
        { role: 'user', content: 'Go on.' },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'turn', strict: true, schema: schema.definition },
      },
      temperature: 0.7,
      max_tokens: 300,
      seed: 4,
    })
    expect(model.id).toBe('gpt-x')
    expect(model.provider).toBe(new URL(server.origin).host)
  })

  test('has no more than that', async () => {
    const { server, ask } = await open(['Hello'])
    await ask({ system: '' })
    expect(server.requests[0]?.body).toEqual({
      model: 'gpt-x',
      messages: [{ role: 'user', content: 'Go on.' }],
    })
  })

  test('takes fields and headers along', async () => {
    const { server, ask } = await open(['Hello'], {
      headers: { 'x-team': 'tests' },
      body: { reasoning_effort: 'low', model: 'another' },
    })
    await ask()
    expect(server.requests[0]?.headers['x-team']).toBe('tests')
    expect(server.requests[0]?.body).toMatchObject({ reasoning_effort: 'low', model: 'gpt-x' })
  })

  test('a server without a key gets a stand-in, which is no secret', async () => {
    const { server, ask } = await open(['Hello'], { apiKey: undefined } as never)
    await ask()
    expect(server.requests[0]?.headers.authorization).toBe('Bearer none')
  })

  test('the environment says where and with which key', async () => {
    const server = await startModelServer(['Hello'])
    servers.push(server)
    const env = { OPENAI_API_KEY: ' env-key-1 ', OPENAI_BASE_URL: server.baseURL }
    const model = createOpenaiModel({ model: 'gpt-x' }, env)
    await expect(model.generate(request())).resolves.toMatchObject({ text: 'Hello' })
    expect(server.requests[0]?.headers.authorization).toBe('Bearer env-key-1')
    expect(createOpenaiModel({ model: 'gpt-x' }, {}).provider).toBe('api.openai.com')
  })

  test('goes its own way where fetch was replaced', async () => {
    const { ask } = await open(['Hello'])
    const real = globalThis.fetch
    globalThis.fetch = () => Promise.reject(new Error('replaced'))
    try {
      await expect(ask()).resolves.toMatchObject({ text: 'Hello' })
    } finally {
      globalThis.fetch = real
    }
  })
})

describe('without a key', () => {
  test('OpenAI itself is not asked, and the message names what was read', async () => {
    for (const env of [{}, { OPENAI_API_KEY: '', OPENAI_BASE_URL: ' ' }]) {
      const error = await thrown(createOpenaiModel({ model: 'gpt-x' }, env).generate(request()))
      expect(error).toMatchObject({
        name: 'A2AModelError',
        code: 'NO_MODEL',
        message: 'there is no API key for the model "gpt-x" at https://api.openai.com.',
        mend: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs no key: neither is set. Or give openaiModel({ apiKey }).',
      })
    }
  })

  test('a header may do', async () => {
    const { server, ask } = await open(['Hello'], {
      apiKey: undefined,
      headers: { Authorization: 'Basic eA==' },
    } as never)
    await ask()
    expect(server.requests[0]?.headers.authorization).toBe('Basic eA==')
  })
})

describe('an endpoint that takes less', () => {
  const unsupported = (param: string, more = ''): ModelReply => ({
    error: {
      message: `Unsupported parameter: '${param}' is not supported with this model.${more}`,
      param,
      code: 'unsupported_parameter',
    },
  })

  test('is asked for JSON, then for text, and remembered', async () => {
    const { server, ask } = await open((seen) =>
      seen.body.response_format === undefined
        ? { data: { message: 'Hi' } }
        : {
            status: 400,
            error: { message: `response_format ${seen.body.response_format.type} is unavailable` },
          },
    )
    await expect(ask({ schema })).resolves.toMatchObject({ text: '{"message":"Hi"}' })
    await ask({ schema })
    const formats = server.requests.map(({ body }) => body.response_format?.type)
    expect(formats).toEqual(['json_schema', 'json_object', undefined, undefined])
    const told =
      'You are the user.\n\nAnswer with one JSON object and nothing else: no other words, no Markdown fence. ' +
      `It must fit this JSON Schema:\n${JSON.stringify(schema.definition)}`
    const systems = server.requests.map(({ body }) => body.messages[0]?.content)
    expect(systems).toEqual(['You are the user.', told, told, told])
  })

  test('stays at JSON where that is taken', async () => {
    const { server, ask } = await open((seen) =>
      seen.body.response_format?.type === 'json_schema'
        ? {
            status: 422,
            body: {
              detail: [{ loc: ['body', 'response_format', 'type'], msg: 'Input should be json_object' }],
            },
          }
        : { data: {} },
    )
    await ask({ schema })
    await ask({ schema })
    expect(server.requests.map(({ body }) => body.response_format?.type)).toEqual([
      'json_schema',
      'json_object',
      'json_object',
    ])
  })

  test.each([
    ['a bad request that names nothing', { status: 400, body: { error: 'bad request' } }],
    [
      'another status that names it',
      { status: 500, body: { error: { message: 'grammar is not supported' } } },
    ],
    [
      'an error within an answer',
      { status: 200, body: { error: { code: 400, message: 'no json_schema here' } } },
    ],
  ])('%s', async (_, refusal) => {
    const { server, ask } = await open((seen) =>
      seen.body.response_format?.type === 'json_schema' ? refusal : { data: {} },
    )
    await ask({ schema })
    expect(server.requests).toHaveLength(2)
  })

  test('temperature and seed are left out where they are refused, and remembered', async () => {
    const { server, ask } = await open((seen) => {
      if ('temperature' in seen.body) {
        return {
          error: {
            message: "Unsupported value: 'temperature' does not support 0 with this model.",
            param: 'temperature',
          },
        }
      }
      return 'seed' in seen.body ? unsupported('seed') : 'Hello'
    })
    await ask({ temperature: 0, seed: 1 })
    await ask({ temperature: 0, seed: 1 })
    expect(server.requests.map(({ body }) => [body['temperature'], body['seed']])).toEqual([
      [0, 1],
      [undefined, 1],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  test('the limit of tokens goes by its other name, then not at all', async () => {
    const { server, ask } = await open((seen) => {
      for (const field of ['max_tokens', 'max_completion_tokens'])
        if (field in seen.body) return unsupported(field)
      return 'Hello'
    })
    await ask({ maxTokens: 9 })
    await ask({ maxTokens: 9 })
    const limits = server.requests.map(({ body }) => [body['max_tokens'], body['max_completion_tokens']])
    expect(limits).toEqual([
      [9, undefined],
      [undefined, 9],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  test('each model at each address is learned for itself', async () => {
    const replies = (seen: SeenRequest): ModelReply => ('seed' in seen.body ? unsupported('seed') : 'Hello')
    const { server, ask } = await open(replies)
    await ask({ seed: 1 })
    const other = createOpenaiModel({ model: 'gpt-y', apiKey: key, baseURL: server.baseURL }, {})
    await other.generate(request({ seed: 1 }))
    expect(server.requests.map(({ body }) => 'seed' in body)).toEqual([true, false, true, false])
  })

  test('where less does not help, the first refusal is told, and nothing is remembered', async () => {
    let index = 0
    const { server, refused } = await open(() => ({ status: 400, body: { error: `no ${++index}` } }))
    await expect(refused({ schema })).resolves.toMatchObject({
      message: 'the model "gpt-x" at http://127.0.0.1:1 refused the request with 400: "no 1".',
    })
    await refused({ schema })
    expect(server.requests.map(({ body }) => body.response_format?.type)).toEqual([
      ...['json_schema', 'json_object', undefined],
      ...['json_schema', 'json_object', undefined],
    ])
  })

  test.each([
    {
      message: "This model's maximum context length is 8192 tokens. Reduce max_tokens.",
      code: 'context_length_exceeded',
    },
    { message: 'API key not valid. Please pass a valid API key.' },
    { message: 'The model `gpt-x` does not exist' },
    { message: 'bad role', param: 'messages[0].role' },
  ])('is not asked again for what no shorter request mends: $message', async (error) => {
    const { server, refused } = await open(() => ({ error }))
    await expect(refused({ schema, maxTokens: 9 })).resolves.toMatchObject({
      code: 'MODEL_REFUSED',
      status: 400,
    })
    expect(server.requests).toHaveLength(1)
  })

  test('a rate limit in between is what is told', async () => {
    const { refused } = await open([
      { error: { message: 'no' } },
      { status: 429, error: { message: 'slow' } },
    ])
    await expect(refused({ schema })).resolves.toMatchObject({ code: 'MODEL_UNAVAILABLE', status: 429 })
  })
})

describe('an answer', () => {
  test.each([
    [
      { refusal: 'I cannot play a criminal.' },
      'the model "gpt-x" at http://127.0.0.1:1 declined to answer: "I cannot play a criminal".',
      'I cannot play a criminal.',
    ],
    [
      { text: '{"message": "Hel', finish: 'length' },
      'the model "gpt-x" at http://127.0.0.1:1 did not finish its answer: it reached its limit of tokens.',
      '{"message": "Hel',
    ],
    [
      { text: '', finish: 'content_filter' },
      'the answer of the model "gpt-x" at http://127.0.0.1:1 was stopped by a content filter.',
      '',
    ],
    [
      { body: '<html><body>Welcome</body></html>' },
      'the model "gpt-x" at http://127.0.0.1:1 sent no chat completion, but "<html><body>Welcome</body></html>".',
      '<html><body>Welcome</body></html>',
    ],
    [
      { body: '{"choices": [', headers: { 'content-type': 'application/json' } },
      'the model "gpt-x" at http://127.0.0.1:1 sent no chat completion, but "{\\"choices\\": [".',
      '{"choices": [',
    ],
    [
      { body: { choices: [] } },
      'the model "gpt-x" at http://127.0.0.1:1 sent no chat completion, but "{\\"choices\\":[]}".',
      '{"choices":[]}',
    ],
  ] satisfies [ModelReply, string, string][])('that is none: %j', async (reply, message, raw) => {
    const { refused } = await open([reply])
    const error = await refused()
    expect(error).toMatchObject({
      name: 'A2AModelError',
      code: 'MODEL_ANSWER',
      message,
      raw,
      transient: false,
    })
    expect(error['mend']).toMatch(/^[A-Z].*\.$/)
  })

  test('without usage has none, and one in parts is put together', async () => {
    const parts = [{ type: 'text', text: 'Hel' }, { type: 'text', text: 'lo' }, { type: 'other' }]
    const { ask } = await open([
      { text: 'Hello', usage: null },
      { body: { choices: [{ message: { content: parts } }], usage: { prompt_tokens: 3 } } },
    ])
    await expect(ask()).resolves.toEqual({ text: 'Hello' })
    await expect(ask()).resolves.toEqual({ text: 'Hello' })
  })
})

describe('a refusal', () => {
  test.each([
    [401, 'Check the API key, which came from the option apiKey.'],
    [402, 'Check the balance of the account that the key belongs to.'],
    [403, 'Use a key that is allowed to use this model.'],
    [404, 'Check the name of the model, and the base URL, http://127.0.0.1:1/v1: most end in /v1.'],
    [413, 'Shorten the conversation, or use a model with a larger context.'],
    [400, 'Change what the server objects to, or use another model.'],
  ])('with %i', async (status, mend) => {
    const { server, refused } = await open([{ status, error: { message: 'No.\nNever.' } }])
    await expect(refused()).resolves.toMatchObject({
      name: 'A2AModelError',
      code: 'MODEL_REFUSED',
      status,
      transient: false,
      message: `the model "gpt-x" at http://127.0.0.1:1 refused the request with ${status}: "No. Never".`,
      mend,
    })
    expect(server.requests).toHaveLength(1)
  })

  test.each([408, 409, 429, 500, 502, 503, 504, 529])('with %i may pass', async (status) => {
    const { server, refused } = await open([{ status, error: { message: 'Later' } }])
    await expect(refused({ schema })).resolves.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      status,
      transient: true,
      retryAfterMs: undefined,
      message: `the model "gpt-x" at http://127.0.0.1:1 is not available now: it answered ${status}: "Later".`,
    })
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '1200', 'retry-after': '7' }, 1200],
    [{ 'retry-after': 'Sun, 15 Jun 2025 15:06:50 GMT' }, 10_000],
    [{ 'retry-after': 'Sun, 15 Jun 2025 15:06:30 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
  ])('says how long to wait: %j', async (headers, retryAfterMs) => {
    const clock = manualClock({ start: Date.parse('2025-06-15T15:06:40Z') })
    const { refused } = await open([{ status: 429, headers, error: { message: 'Later' } }], {}, { clock })
    await expect(refused()).resolves.toMatchObject({ retryAfterMs })
  })

  test('for want of money does not pass', async () => {
    const { refused } = await open([{ status: 429, error: { message: 'Pay', code: 'insufficient_quota' } }])
    await expect(refused()).resolves.toMatchObject({
      code: 'MODEL_REFUSED',
      transient: false,
      mend: 'Check the plan and the billing of the account that the key belongs to.',
    })
  })

  test.each([
    [{ body: { error: 'as text' } }, 'as text'],
    [{ body: { detail: 'of FastAPI' } }, 'of FastAPI'],
    [{ body: { object: 'error', message: 'of vLLM' } }, 'of vLLM'],
    [{ body: [{ error: { message: 'of Gemini' } }] }, 'of Gemini'],
    [
      { body: { error: { message: 'Provider returned error', metadata: { raw: 'of OpenRouter' } } } },
      'Provider returned error: of OpenRouter',
    ],
    [{ body: '<html><head><title>x</title></head><body><h1>Bad</h1> gateway</body></html>' }, 'Bad gateway'],
    [{ body: { odd: 1 } }, '{\\"odd\\":1}'],
  ])('is read in whatever form it comes: %j', async (reply, message) => {
    const { refused } = await open([{ status: 403, ...reply }])
    await expect(refused()).resolves.toMatchObject({
      message: `the model "gpt-x" at http://127.0.0.1:1 refused the request with 403: "${message}".`,
    })
  })

  test('never shows the key, nor a header that is one, nor what a server shows of it', async () => {
    const secret = 'header-secret-77'
    const { refused } = await open(
      [
        {
          status: 401,
          error: {
            message: `Incorrect API key provided: ${key}, sk-te*********ghij or ${secret}. ${'x'.repeat(500)}`,
          },
        },
      ],
      { headers: { 'x-api-key': secret } },
    )
    const error = await refused()
    expect(error['message']).toContain('Incorrect API key provided: <hidden>, <hidden> or <hidden>. xxx')
    const { inspect } = await import('node:util')
    const all = inspect(error, { depth: 10 }) + JSON.stringify(error)
    for (const each of [key, secret, 'ghij']) expect(all).not.toContain(each)
  })

  test('a model shows no key when it is printed', async () => {
    const { inspect } = await import('node:util')
    expect(
      inspect(openaiModel({ model: 'gpt-x', apiKey: key }), { depth: 10, showHidden: true }),
    ).not.toContain(key)
  })

  test('is not followed elsewhere', async () => {
    const { server, refused } = await open([
      { status: 307, headers: { location: '/v2/chat/completions' }, body: '' },
    ])
    await expect(refused()).resolves.toMatchObject({ code: 'MODEL_REFUSED', status: 307 })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a server that cannot be reached', () => {
  test('is unavailable, and the message has the reason', async () => {
    const server = await startModelServer([])
    await server.close()
    const model = createOpenaiModel({ model: 'gpt-x', baseURL: server.baseURL }, {})
    const error = await thrown(model.generate(request()))
    expect(error).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      transient: true,
      message: `the model "gpt-x" at ${server.origin} is not available now: connect ECONNREFUSED ${new URL(server.origin).host}.`,
      mend: 'Check that the server runs and that this machine reaches it.',
    })
  })

  test.each(['cut', 'within'] as const)('breaks off: %s', async (stop) => {
    const { server, refused } = await open([{ text: 'Hello', stop }])
    const error = refused()
    await server.seen(1)
    if (stop === 'within') await server.close()
    await expect(error).resolves.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      transient: true,
      status: undefined,
    })
  })
})

describe('time', () => {
  test.each(['before', 'within'] as const)('is limited: %s the answer', async (stop) => {
    const clock = manualClock()
    const { server, refused } = await open([{ text: 'Hello', stop }], {}, { clock })
    const error = refused()
    await server.seen(1)
    await clock.advance(59_999)
    expect(clock.pending).toBe(1)
    await clock.advance(1)
    await expect(error).resolves.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      transient: true,
      message: 'the model "gpt-x" at http://127.0.0.1:1 did not answer within 60000 ms.',
      mend: 'Raise timeoutMs, or use a faster model.',
    })
    expect(clock.pending).toBe(0)
  })

  test('has a limit of its own for a model', async () => {
    const clock = manualClock()
    const { server, refused } = await open([{ stop: 'before' }], { timeoutMs: 5 }, { clock })
    const error = refused()
    await server.seen(1)
    await clock.advance(5)
    await expect(error).resolves.toMatchObject({ message: expect.stringContaining('within 5 ms') as string })
  })

  test('ends with the signal, whose reason is thrown', async () => {
    const clock = manualClock()
    const { server, ask } = await open([{ stop: 'before' }], {}, { clock })
    const stop = new AbortController()
    const reason = new Error('the test is over')
    const asked = ask({ signal: stop.signal })
    await server.seen(1)
    stop.abort(reason)
    await expect(asked).rejects.toBe(reason)
    expect(clock.pending).toBe(0)
    await expect(ask({ signal: stop.signal })).rejects.toBe(reason)
    expect(server.requests).toHaveLength(1)
  })
})

describe('options', () => {
  test.each([
    [{}, 'openaiModel needs the option "model".'],
    [{ model: '' }, 'the option "model" of openaiModel must be a string that is not empty, but is "".'],
    [{ model: 'x', baseUrl: 'y' }, 'openaiModel has no option "baseUrl". Did you mean "baseURL"?'],
    [
      { model: 'x', baseURL: 'localhost:11434' },
      'the option "baseURL" of openaiModel must be an http or https address, but is "localhost:11434".',
    ],
    [
      { model: 'x', apiKey: 7 },
      'the option "apiKey" of openaiModel must be a string that is not empty, but is 7.',
    ],
    [
      { model: 'x', apiKey: '' },
      'the option "apiKey" of openaiModel must be a string that is not empty, but is a string.',
    ],
    [
      { model: 'x', timeoutMs: 0 },
      'the option "timeoutMs" of openaiModel must be a number of milliseconds above 0, but is 0.',
    ],
  ])('%j', (options, message) => {
    expect(() => openaiModel(options as never)).toThrow(message)
  })

  test('a wrong address in the environment is named', async () => {
    const error = await thrown(
      createOpenaiModel({ model: 'x' }, { OPENAI_BASE_URL: 'nowhere' }).generate(request()),
    )
    expect(error).toMatchObject({
      code: 'BAD_OPTIONS',
      message: 'OPENAI_BASE_URL must be an http or https address, but is "nowhere".',
    })
  })
})

describe('the package', () => {
  const load = (failure: Error): Promise<Record<string, unknown>> =>
    thrown(
      loadOpenAI(
        () => Promise.reject(failure),
        () => undefined,
      ),
    )

  test.each([
    Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' }),
    Object.assign(new Error('x'), { code: 'MODULE_NOT_FOUND' }),
    new Error('Failed to resolve import "openai" from \'a.ts\''),
  ])('that is missing is told with its install line and the other ways: %s', async (failure) => {
    await expect(load(failure)).resolves.toMatchObject({
      name: 'A2AUsageError',
      code: 'MISSING_PACKAGE',
      message: 'a model given by its name needs the package "openai".',
      mend: 'Install it: npm install --save-dev openai. Or give the model as a function, `async (request) => text`, or as a model object of the AI SDK: neither needs it.',
    })
  })

  test('that is broken is told with the reason', async () => {
    await expect(load(new SyntaxError('odd'))).resolves.toMatchObject({
      code: 'MISSING_PACKAGE',
      message: 'the package "openai" cannot be loaded: odd.',
    })
    await expect(
      thrown(
        loadOpenAI(
          () => Promise.resolve({}),
          () => undefined,
        ),
      ),
    ).resolves.toMatchObject({
      message: 'the package "openai" cannot be loaded: it exports no OpenAI.',
    })
  })

  test('is the real one in these tests', async () => {
    const { OpenAI } = await loadOpenAI(
      () => import('openai'),
      () => undefined,
    )
    expect(OpenAI.name).toBe('OpenAI')
  })
})
