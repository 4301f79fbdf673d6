import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createOpenaiModel, openaiModel } from '../../src/model/openai.ts'
import { manualClock } from '../support/manualClock.ts'
import { startModelServer } from '../support/modelServer.ts'
import { key, open } from './openModel.ts'
import { request, schema, thrown } from './request.ts'

describe('a refusal', () => {
  test.each([
    [401, 'Check the API key, which comes from the option apiKey.'],
    [402, 'Check the balance of the account that the key belongs to.'],
    [403, 'Use a key that is allowed to use this model.'],
    [404, 'Check the name of the model, and the base URL, http://127.0.0.1:1/v1: most end in /v1.'],
    [413, 'Shorten the conversation, or use a model with a larger context.'],
    [400, 'Change what the server objects to, or use another model.'],
  ])('with %i', async (status, fix) => {
    const { server, refused } = await open([{ status, error: { message: 'No.\nNever.' } }])
    await expect(refused()).resolves.toMatchObject({
      name: 'A2AModelError',
      code: 'MODEL_REFUSED',
      status,
      transient: false,
      message: `the model "gpt-x" at http://127.0.0.1:1 refused the request with ${status}: "No. Never".`,
      fix,
    })
    expect(server.requests).toHaveLength(1)
  })

  test.each([408, 409, 429, 500, 502, 503, 504, 529])('with %i is transient', async (status) => {
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
  ])('may say how long to wait: %j', async (headers, retryAfterMs) => {
    const clock = manualClock({ start: Date.parse('2025-06-15T15:06:40Z') })
    const { refused } = await open([{ status: 429, headers, error: { message: 'Later' } }], {}, { clock })
    await expect(refused()).resolves.toMatchObject({ retryAfterMs })
  })

  test('because of the quota is not transient', async () => {
    const { refused } = await open([{ status: 429, error: { message: 'Pay', code: 'insufficient_quota' } }])
    await expect(refused()).resolves.toMatchObject({
      code: 'MODEL_REFUSED',
      transient: false,
      fix: 'Check the plan and the billing of the account that the key belongs to.',
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
  ])('is read in every form: %j', async (reply, message) => {
    const { refused } = await open([{ status: 403, ...reply }])
    await expect(refused()).resolves.toMatchObject({
      message: `the model "gpt-x" at http://127.0.0.1:1 refused the request with 403: "${message}".`,
    })
  })

  test('never shows the key, nor a secret header, nor the part of it that the server shows', async () => {
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
    const all = inspect(error, { depth: 10 }) + JSON.stringify(error)
    for (const each of [key, secret, 'ghij']) expect(all).not.toContain(each)
  })

  test('and a printed model show no key', async () => {
    expect(
      inspect(openaiModel({ model: 'gpt-x', apiKey: key }), { depth: 10, showHidden: true }),
    ).not.toContain(key)
  })

  test('that redirects is not followed', async () => {
    const { server, refused } = await open([
      { status: 307, headers: { location: '/v2/chat/completions' }, body: '' },
    ])
    await expect(refused()).resolves.toMatchObject({ code: 'MODEL_REFUSED', status: 307 })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a server that cannot be reached', () => {
  test('is unavailable, and the message has the cause', async () => {
    const server = await startModelServer([])
    await server.close()
    const model = createOpenaiModel({ model: 'gpt-x', baseURL: server.baseURL }, {})
    const error = await thrown(model.generate(request()))
    expect(error).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      transient: true,
      message: `the model "gpt-x" at ${server.origin} is not available now: connect ECONNREFUSED ${new URL(server.origin).host}.`,
      fix: 'Check that the server is running and that this machine can reach it.',
    })
  })

  test.each(['cut', 'within'] as const)('or that disconnects: %s', async (stop) => {
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
