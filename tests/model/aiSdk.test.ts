import { describe, expect, test } from 'vitest'
import { aiSdkModel, isAiSdkModel } from '../../src/model/aiSdk.ts'
import type { AiSdkModel, Model, ModelRequest } from '../../src/model/types.ts'
import { request, schema, thrown } from './request.ts'

type Json = Record<string, unknown>
type Version = 'v2' | 'v3' | 'v4'

interface Fake extends AiSdkModel {
  calls: Json[]
}

let made = 0

/** A model object of the AI SDK that answers as each function does. Its name is unique, because what a model supports is remembered. */
function fake(version: Version, ...answers: ((options: Json) => unknown)[]): { model: Model; fake: Fake } {
  const object: Fake = {
    specificationVersion: version,
    provider: 'acme.chat',
    modelId: `acme-${++made}`,
    calls: [],
    doGenerate(options: never) {
      // Real ones are class instances that need their `this`.
      const index = this.calls.push(options) - 1
      return Promise.resolve().then(() => (answers[index] ?? answers.at(-1))?.(options))
    },
  }
  return { model: aiSdkModel(object), fake: object }
}

const text = (value: string): Json => ({ type: 'text', text: value })
const results: Record<Version, (value: string, more?: Json) => Json> = {
  v2: (value, more) => ({
    content: [text(value)],
    finishReason: 'stop',
    usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 },
    warnings: [],
    ...more,
  }),
  v3: (value, more) => ({
    content: [{ type: 'reasoning', text: 'hm' }, text(value)],
    finishReason: { unified: 'stop', raw: 'end_turn' },
    usage: { inputTokens: { total: 7, cacheRead: 1 }, outputTokens: { total: 3, text: 3 } },
    warnings: [],
    ...more,
  }),
  v4: (value, more) => ({ ...results.v3(value), structuredOutputText: undefined, ...more }),
}
const versions: Version[] = ['v2', 'v3', 'v4']

describe.each(versions)('a model of %s', (version) => {
  const done = results[version]

  test('is called as its specification says', async () => {
    const { model, fake: object } = fake(version, () => done('Hello'))
    const asked: ModelRequest = request({
      messages: [
        { role: 'assistant', content: 'Hi' },
        { role: 'user', content: 'Go on.' },
      ],
      schema,
      temperature: 0.7,
      maxTokens: 300,
      seed: 4,
    })
    await expect(model.generate(asked)).resolves.toEqual({
      text: 'Hello',
      usage: { inputTokens: 7, outputTokens: 3 },
    })
    expect(object.calls).toEqual([
      {
        prompt: [
          { role: 'system', content: 'You are the user.' },
          { role: 'assistant', content: [text('Hi')] },
          { role: 'user', content: [text('Go on.')] },
        ],
        responseFormat: { type: 'json', schema: schema.definition, name: 'turn' },
        temperature: 0.7,
        maxOutputTokens: 300,
        seed: 4,
        abortSignal: asked.signal,
      },
    ])
    expect(model).toMatchObject({ id: object.modelId, provider: 'acme' })
  })

  test('is called without further options', async () => {
    const { model, fake: object } = fake(version, () => done('Hello'))
    await model.generate(request({ system: '' }))
    expect(Object.keys(object.calls[0] ?? {})).toEqual(['prompt', 'abortSignal'])
    expect(object.calls[0]?.['prompt']).toEqual([{ role: 'user', content: [text('Go on.')] }])
  })

  test('gets the schema in words if its provider ignores it, and both calls are counted', async () => {
    const warning =
      version === 'v2'
        ? { type: 'unsupported-setting', setting: 'responseFormat' }
        : { type: 'unsupported', feature: 'responseFormat' }
    const { model, fake: object } = fake(
      version,
      () => done('Hello', { warnings: [warning] }),
      () => done('{"message":"Hello"}'),
    )
    await expect(model.generate(request({ schema }))).resolves.toEqual({
      text: '{"message":"Hello"}',
      usage: { inputTokens: 14, outputTokens: 6 },
    })
    await model.generate(request({ schema }))
    expect(object.calls).toHaveLength(3)
    for (const call of object.calls.slice(1)) {
      expect(call['responseFormat']).toBeUndefined()
      expect(JSON.stringify(call['prompt'])).toContain('It must fit this JSON Schema')
    }
  })

  test('is not called again because of other warnings', async () => {
    const { model, fake: object } = fake(version, () =>
      done('Hello', {
        warnings: [
          { type: 'unsupported', feature: 'seed' },
          { type: 'other', message: 'schema' },
        ],
      }),
    )
    await model.generate(request({ schema, seed: 1 }))
    expect(object.calls).toHaveLength(1)
  })

  test.each([
    ['length', 'MODEL_ANSWER', 'did not finish its answer: it reached its token limit.'],
    ['content-filter', 'MODEL_ANSWER', 'was stopped by a content filter.'],
    ['error', 'MODEL_UNAVAILABLE', 'interrupted its answer.'],
  ])('that ends with %s has no answer', async (finish, code, message) => {
    const finishReason = version === 'v2' ? finish : { unified: finish, raw: undefined }
    const { model } = fake(version, () => done('Hel', { finishReason }))
    await expect(thrown(model.generate(request()))).resolves.toMatchObject({
      name: 'A2AModelError',
      code,
      message: expect.stringContaining(message) as string,
      transient: code === 'MODEL_UNAVAILABLE',
      raw: 'Hel',
    })
  })

  test('may report no usage', async () => {
    const unknown = version === 'v2' ? undefined : { total: undefined }
    const { model } = fake(version, () => done('Hello', { usage: { inputTokens: 7, outputTokens: unknown } }))
    await expect(model.generate(request())).resolves.toEqual({ text: 'Hello' })
  })
})

test('since v4 data may be in a text of its own', async () => {
  const { model } = fake('v4', () => results.v4('Draft. {"a":1}', { structuredOutputText: '{"a":1}' }))
  await expect(model.generate(request({ schema }))).resolves.toMatchObject({ text: '{"a":1}' })
  await expect(model.generate(request())).resolves.toMatchObject({ text: 'Draft. {"a":1}' })
})

describe('an error of the AI SDK', () => {
  const failing = (name: string, more: Json = {}, message = 'It says no'): (() => never) => {
    return () => {
      throw Object.assign(new Error(message), { name, ...more })
    }
  }
  const called = (object: Fake): string => `the model "${object.modelId}" at acme.chat`

  test('with a status is a refusal, read from the body', async () => {
    const responseBody = '{"error":{"message":"Slow down"}}'
    const { model, fake: object } = fake(
      'v3',
      failing('AI_APICallError', { statusCode: 429, responseBody, responseHeaders: { 'retry-after': '3' } }),
    )
    await expect(thrown(model.generate(request()))).resolves.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      status: 429,
      transient: true,
      retryAfterMs: 3000,
      message: `${called(object)} is not available now: it answered 429: "Slow down".`,
    })
  })

  test('with a status and no body is a refusal with its message', async () => {
    const { model, fake: object } = fake('v3', failing('GatewayAuthenticationError', { statusCode: 401 }))
    await expect(thrown(model.generate(request()))).resolves.toMatchObject({
      code: 'MODEL_REFUSED',
      status: 401,
      message: `${called(object)} refused the request with 401: "It says no".`,
      fix: 'Check the API key that its provider uses.',
    })
  })

  test('about the temperature or the schema leads to a call without', async () => {
    const { model, fake: object } = fake(
      'v3',
      failing('AI_APICallError', { statusCode: 400 }, 'temperature is not supported'),
      failing('AI_UnsupportedFunctionalityError', {}, "'JSON response format' functionality not supported."),
      failing('AI_APICallError', { statusCode: 400 }, 'response_format json_object is not supported'),
      () => results.v3('Hello'),
    )
    await model.generate(request({ schema, temperature: 0 }))
    expect(object.calls.map((call) => [call['temperature'], call['responseFormat']])).toEqual([
      [0, { type: 'json', schema: schema.definition, name: 'turn' }],
      [undefined, { type: 'json', schema: schema.definition, name: 'turn' }],
      [undefined, { type: 'json' }],
      [undefined, undefined],
    ])
  })

  test.each([
    ['AI_APICallError', 'MODEL_UNAVAILABLE', 'is not available now: connect ECONNREFUSED.'],
    ['AI_LoadAPIKeyError', 'MODEL_REFUSED', 'cannot be called: "It says no".'],
    ['AI_JSONParseError', 'MODEL_ANSWER', 'returned no usable answer: "It says no".'],
    ['AI_EmptyResponseBodyError', 'MODEL_ANSWER', 'returned no usable answer: "It says no".'],
  ])('%s', async (name, code, message) => {
    const { model, fake: object } = fake('v3', failing(name, { cause: new Error('connect ECONNREFUSED') }))
    const error = await thrown(model.generate(request()))
    expect(error).toMatchObject({ name: 'A2AModelError', code, message: `${called(object)} ${message}` })
    expect(error['fix']).toMatch(/^[A-Z].*\.$/)
  })

  test('has the answer that could not be read', async () => {
    const { model } = fake('v2', failing('AI_APICallError', { statusCode: 200, responseBody: '<html>' }))
    await expect(thrown(model.generate(request()))).resolves.toMatchObject({
      code: 'MODEL_ANSWER',
      raw: '<html>',
    })
  })

  test('of another name is passed on', async () => {
    const { model } = fake('v2', failing('TypeError'))
    await expect(model.generate(request())).rejects.toThrow('It says no')
  })

  test('after an abort the reason is thrown', async () => {
    const stop = new AbortController()
    const reason = new Error('the test is over')
    const { model, fake: object } = fake('v2', () => {
      stop.abort(reason)
      throw new DOMException('This operation was aborted', 'AbortError')
    })
    await expect(model.generate(request({ signal: stop.signal }))).rejects.toBe(reason)
    await expect(model.generate(request({ signal: stop.signal }))).rejects.toBe(reason)
    expect(object.calls).toHaveLength(1)
  })

  test('is thrown for a result of another form', async () => {
    const { model, fake: object } = fake('v2', () => ({ text: 'of v1' }))
    await expect(thrown(model.generate(request()))).resolves.toMatchObject({
      code: 'MODEL_ANSWER',
      message: `${called(object)} returned no content.`,
    })
  })
})

test('a model object of the AI SDK is recognized', () => {
  expect(isAiSdkModel(fake('v2').fake)).toBe(true)
  for (const other of [
    null,
    'gpt-x',
    {},
    { doGenerate: () => ({}) },
    { specificationVersion: 'v2', modelId: 'x' },
  ]) {
    expect(isAiSdkModel(other)).toBe(false)
  }
})
