import { describe, expect, test } from 'vitest'
import { modelOf } from '../../src/model/choose.ts'
import { openaiModel } from '../../src/model/openai.ts'
import { scriptedModel } from '../../src/model/scripted.ts'
import { startModelServer } from '../support/modelServer.ts'
import { request, thrown } from './request.ts'

describe('a model may be', () => {
  test('the name of one at the endpoint of the environment', async () => {
    await using server = await startModelServer(['Hello'])
    const model = modelOf(' gpt-x ', { OPENAI_BASE_URL: server.baseURL, OPENAI_API_KEY: 'key-of-env' })
    await expect(model.generate(request())).resolves.toMatchObject({ text: 'Hello' })
    expect(model.id).toBe('gpt-x')
    expect(server.requests[0]?.body.model).toBe('gpt-x')
    expect(server.requests[0]?.headers.authorization).toBe('Bearer key-of-env')
  })

  test('a model object', () => {
    for (const model of [openaiModel({ model: 'gpt-x' }), scriptedModel([])])
      expect(modelOf(model, {})).toBe(model)
  })

  test('a function, whose name it gets', async () => {
    async function house(): Promise<string> {
      return Promise.resolve('Hello')
    }
    const model = modelOf(house, {})
    expect(model.id).toBe('house')
    await expect(model.generate(request())).resolves.toEqual({ text: 'Hello' })
    const whole = { text: 'Hi', usage: { inputTokens: 1, outputTokens: 2 } }
    const nameless = modelOf(
      (
        () => () =>
          whole
      )(),
      {},
    )
    expect(nameless.id).toBe('function')
    await expect(nameless.generate(request())).resolves.toBe(whole)
  })

  test('a model object of the AI SDK', async () => {
    const object = {
      specificationVersion: 'v3',
      provider: 'acme',
      modelId: 'acme-1',
      doGenerate: () => Promise.resolve({ content: [{ type: 'text', text: 'Hello' }] }),
    }
    await expect(modelOf(object, {}).generate(request())).resolves.toEqual({ text: 'Hello' })
  })
})

describe('a function that is a model', () => {
  test.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [7, 'a number'],
    [{}, 'an empty object'],
    [{ content: 'Hello' }, 'an object with content'],
  ])('must not return %j', async (answer, is) => {
    const model = modelOf(function house() {
      return answer as never
    }, {})
    await expect(thrown(model.generate(request()))).resolves.toMatchObject({
      code: 'MODEL_ANSWER',
      message: `the model function "house" returned ${is}.`,
      fix: 'Return a string, or { text, usage: { inputTokens, outputTokens } }.',
    })
  })

  test('is not called if the signal is aborted, and its errors are passed on', async () => {
    let calls = 0
    const failure = new Error('down')
    const model = modelOf(() => {
      calls++
      throw failure
    }, {})
    const reason = new Error('over')
    await expect(model.generate(request({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
    expect(calls).toBe(0)
    await expect(model.generate(request())).rejects.toBe(failure)
  })
})

const accepted =
  'Pass the name of a model, openaiModel({ … }), a model object of the AI SDK, or a function from a request to text.'

test.each([
  ['', 'is an empty string', accepted],
  [7, 'is a number', accepted],
  [undefined, 'is undefined', accepted],
  [{ name: 'x' }, 'is an object with name', accepted],
  [Promise.resolve(), 'is a promise', 'Await it.'],
  [{ generate: () => 'x' }, 'is an object without an id', 'Add an id: its name in reports.'],
  [
    { chat: {}, baseURL: 'x' },
    'is a client of the package "openai"',
    'Use openaiModel({ model, apiKey, baseURL }) instead.',
  ],
  [
    Object.assign(() => 'x', { languageModel: () => 'x' }),
    'is a provider of the AI SDK',
    'Call it with the name of a model: provider("gpt-5-mini").',
  ],
  [
    { specificationVersion: 'v1', modelId: 'x', provider: 'y', doGenerate: () => 'x' },
    'is a model of AI SDK 4',
    'Use a provider package of AI SDK 5 or later.',
  ],
])('what is not a model is reported: %j', async (choice, is, fix) => {
  await expect(thrown(Promise.resolve().then(() => modelOf(choice as never, {})))).resolves.toMatchObject({
    name: 'A2AUsageError',
    code: 'BAD_OPTIONS',
    message: `the model ${is}.`,
    fix,
  })
})
