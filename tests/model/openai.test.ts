import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createOpenaiModel, openaiModel } from '../../src/model/openai.ts'
import { manualClock } from '../support/manualClock.ts'
import { startModelServer, type ModelReply, type ModelServer } from '../support/modelServer.ts'
import { key, open } from './openModel.ts'
import { request, schema, thrown } from './request.ts'

describe('a request', () => {
  test('is a chat completion with all its options', async () => {
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

  test('has no other fields', async () => {
    const { server, ask } = await open(['Hello'])
    await ask({ system: '' })
    expect(server.requests[0]?.body).toEqual({
      model: 'gpt-x',
      messages: [{ role: 'user', content: 'Go on.' }],
    })
  })

  test('has further fields and headers', async () => {
    const { server, ask } = await open(['Hello'], {
      headers: { 'x-team': 'tests' },
      body: { reasoning_effort: 'low', model: 'another' },
    })
    await ask()
    expect(server.requests[0]?.headers['x-team']).toBe('tests')
    expect(server.requests[0]?.body).toMatchObject({ reasoning_effort: 'low', model: 'gpt-x' })
  })

  test('has a placeholder instead of a missing key', async () => {
    const { server, ask } = await open(['Hello'], { apiKey: undefined } as never)
    await ask()
    expect(server.requests[0]?.headers.authorization).toBe('Bearer none')
  })

  test('goes to the address of the environment, with its key', async () => {
    await using server = await startModelServer(['Hello'])
    const env = { OPENAI_API_KEY: ' env-key-1 ', OPENAI_BASE_URL: server.baseURL }
    const model = createOpenaiModel({ model: 'gpt-x' }, env)
    await expect(model.generate(request())).resolves.toMatchObject({ text: 'Hello' })
    expect(server.requests[0]?.headers.authorization).toBe('Bearer env-key-1')
    expect(createOpenaiModel({ model: 'gpt-x' }, {}).provider).toBe('api.openai.com')
  })

  test('does not use a replaced fetch', async () => {
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

describe('a proxy of the environment', () => {
  /** A proxy that connects every tunnel to the model server. */
  async function openProxy(
    target: ModelServer,
  ): Promise<AsyncDisposable & { url: string; tunnels: string[] }> {
    const tunnels: string[] = []
    const sockets = new Set<Duplex>()
    const proxy = createServer((_, response) => response.writeHead(500).end())
    proxy.on('connect', (incoming, socket: Duplex) => {
      tunnels.push(incoming.url ?? '')
      const inner = connect(Number(new URL(target.origin).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        socket.pipe(inner).pipe(socket)
      })
      for (const each of [socket, inner]) sockets.add(each.on('error', () => each.destroy()))
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    return {
      url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      tunnels,
      async [Symbol.asyncDispose]() {
        for (const each of sockets) each.destroy()
        await new Promise((resolve) => proxy.close(resolve))
      },
    }
  }

  test('is used, except for servers on this machine and those in no_proxy', async () => {
    await using server = await startModelServer(() => 'Hello')
    await using proxy = await openProxy(server)
    const env = { HTTP_PROXY: proxy.url, no_proxy: 'excepted.invalid' }
    const ask = (baseURL: string): Promise<unknown> =>
      createOpenaiModel({ model: 'gpt-x', baseURL }, env).generate(request())
    await expect(ask('http://models.invalid/v1')).resolves.toMatchObject({ text: 'Hello' })
    expect(proxy.tunnels).toEqual(['models.invalid:80'])
    await ask(server.baseURL)
    await expect(ask('http://excepted.invalid/v1')).rejects.toThrow('is not available now')
    expect(proxy.tunnels).toHaveLength(1)
  })
})

describe('without a key', () => {
  test('OpenAI is not called, and the message names the variables', async () => {
    for (const env of [{}, { OPENAI_API_KEY: '', OPENAI_BASE_URL: ' ' }]) {
      const error = await thrown(createOpenaiModel({ model: 'gpt-x' }, env).generate(request()))
      expect(error).toMatchObject({
        name: 'A2AModelError',
        code: 'NO_MODEL',
        message: 'no API key is set for the model "gpt-x" at https://api.openai.com.',
        fix: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs no key: neither is set. Or pass openaiModel({ apiKey }).',
      })
    }
  })

  test('a header is enough', async () => {
    const { server, ask } = await open(['Hello'], {
      apiKey: undefined,
      headers: { Authorization: 'Basic eA==' },
    } as never)
    await ask()
    expect(server.requests[0]?.headers.authorization).toBe('Basic eA==')
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
      'the model "gpt-x" at http://127.0.0.1:1 did not finish its answer: it reached its token limit.',
      '{"message": "Hel',
    ],
    [
      { text: '', finish: 'content_filter' },
      'the answer of the model "gpt-x" at http://127.0.0.1:1 was stopped by a content filter.',
      '',
    ],
    [
      { body: '<html><body>Welcome</body></html>' },
      'the model "gpt-x" at http://127.0.0.1:1 sent "<html><body>Welcome</body></html>" instead of a chat completion.',
      '<html><body>Welcome</body></html>',
    ],
    [
      { body: '{"choices": [', headers: { 'content-type': 'application/json' } },
      'the model "gpt-x" at http://127.0.0.1:1 sent "{\\"choices\\": [" instead of a chat completion.',
      '{"choices": [',
    ],
    [
      { body: { choices: [] } },
      'the model "gpt-x" at http://127.0.0.1:1 sent "{\\"choices\\":[]}" instead of a chat completion.',
      '{"choices":[]}',
    ],
  ] satisfies [ModelReply, string, string][])('cannot be used: %j', async (reply, message, raw) => {
    const { refused } = await open([reply])
    const error = await refused()
    expect(error).toMatchObject({
      name: 'A2AModelError',
      code: 'MODEL_ANSWER',
      message,
      raw,
      transient: false,
    })
    expect(error['fix']).toMatch(/^[A-Z].*\.$/)
  })

  test('may have no usage, and may come in parts', async () => {
    const parts = [{ type: 'text', text: 'Hel' }, { type: 'text', text: 'lo' }, { type: 'other' }]
    const { ask } = await open([
      { text: 'Hello', usage: null },
      { body: { choices: [{ message: { content: parts } }], usage: { prompt_tokens: 3 } } },
    ])
    await expect(ask()).resolves.toEqual({ text: 'Hello' })
    await expect(ask()).resolves.toEqual({ text: 'Hello' })
  })
})

describe('the timeout', () => {
  test.each(['before', 'within'] as const)('applies %s the answer', async (stop) => {
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
      fix: 'Raise timeoutMs, or use a faster model.',
    })
    expect(clock.pending).toBe(0)
  })

  test('is an option of the model', async () => {
    const clock = manualClock()
    const { server, refused } = await open([{ stop: 'before' }], { timeoutMs: 5 }, { clock })
    const error = refused()
    await server.seen(1)
    await clock.advance(5)
    await expect(error).resolves.toMatchObject({ message: expect.stringContaining('within 5 ms') as string })
  })

  test('is canceled when the signal is aborted, and its reason is thrown', async () => {
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
    [
      {},
      'openaiModel(): `model` must be the name of a model of the endpoint, such as "gpt-5-mini"; received undefined.',
    ],
    [
      { model: '' },
      'openaiModel(): `model` must be the name of a model of the endpoint, such as "gpt-5-mini"; received "".',
    ],
    [{ model: 'x', baseUrl: 'y' }, 'openaiModel(): there is no option `baseUrl`. Did you mean `baseURL`?'],
    [
      { model: 'x', baseURL: 'localhost:11434' },
      'openaiModel(): `baseURL` must be an http or https address; received "localhost:11434".',
    ],
    [{ model: 'x', apiKey: 7 }, 'openaiModel(): `apiKey` must be a non-empty string; received 7.'],
    [{ model: 'x', apiKey: '' }, 'openaiModel(): `apiKey` must be a non-empty string; received a string.'],
    [
      { model: 'x', timeoutMs: 0 },
      'openaiModel(): `timeoutMs` must be a positive number of milliseconds; received 0.',
    ],
  ])('%j', (options, message) => {
    expect(() => openaiModel(options as never)).toThrow(message)
  })

  test('a wrong address in the environment is reported', async () => {
    const error = await thrown(
      createOpenaiModel({ model: 'x' }, { OPENAI_BASE_URL: 'nowhere' }).generate(request()),
    )
    expect(error).toMatchObject({
      code: 'BAD_OPTIONS',
      message: 'OPENAI_BASE_URL must be an http or https address; received "nowhere".',
    })
  })
})
