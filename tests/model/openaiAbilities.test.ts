import { describe, expect, test } from 'vitest'
import { createOpenaiModel } from '../../src/model/openai.ts'
import type { ModelReply, SeenRequest } from '../support/modelServer.ts'
import { key, open } from './openModel.ts'
import { request, schema } from './request.ts'

describe('an endpoint that supports less', () => {
  const unsupported = (param: string, more = ''): ModelReply => ({
    error: {
      message: `Unsupported parameter: '${param}' is not supported with this model.${more}`,
      param,
      code: 'unsupported_parameter',
    },
  })

  test('is asked in JSON mode, then in words, and that is remembered', async () => {
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
    const instructed =
      'You are the user.\n\nAnswer with one JSON object and nothing else: no other words, no Markdown fence. ' +
      `It must fit this JSON Schema:\n${JSON.stringify(schema.definition)}`
    const systems = server.requests.map(({ body }) => body.messages[0]?.content)
    expect(systems).toEqual(['You are the user.', instructed, instructed, instructed])
  })

  test('is remembered even if its answer is unusable', async () => {
    let answers = 0
    const { server, ask } = await open((seen) =>
      seen.body.response_format === undefined
        ? { text: 'trunca', ...(answers++ === 0 && { finish: 'length' }) }
        : { status: 400, error: { message: 'response_format is unavailable' } },
    )
    await expect(ask({ schema })).rejects.toMatchObject({ code: 'MODEL_ANSWER' })
    await ask({ schema })
    expect(server.requests.map(({ body }) => body.response_format?.type)).toEqual([
      'json_schema',
      'json_object',
      undefined,
      undefined,
    ])
  })

  test('is asked in JSON mode if it supports that', async () => {
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
    ['a bad request without a cause', { status: 400, body: { error: 'bad request' } }],
    [
      'another status with the cause',
      { status: 500, body: { error: { message: 'grammar is not supported' } } },
    ],
    ['a server that fails because of it', { status: 500, body: { error: 'failed to parse grammar' } }],
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

  test('gets no temperature and seed once it has refused them', async () => {
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

  test('gets the token limit under its other name, then not at all', async () => {
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

  test('is remembered separately for each model at each address', async () => {
    const replies = (seen: SeenRequest): ModelReply => ('seed' in seen.body ? unsupported('seed') : 'Hello')
    const { server, ask } = await open(replies)
    await ask({ seed: 1 })
    const other = createOpenaiModel({ model: 'gpt-y', apiKey: key, baseURL: server.baseURL }, {})
    await other.generate(request({ seed: 1 }))
    expect(server.requests.map(({ body }) => 'seed' in body)).toEqual([true, false, true, false])
  })

  test('causes the first refusal to be reported if asking for less does not help', async () => {
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
  ])('is not asked for less if that does not help: $message', async (error) => {
    const { server, refused } = await open(() => ({ error }))
    await expect(refused({ schema, maxTokens: 9 })).resolves.toMatchObject({
      code: 'MODEL_REFUSED',
      status: 400,
    })
    expect(server.requests).toHaveLength(1)
  })

  test('causes a rate limit to be reported if that comes next', async () => {
    const { refused } = await open([
      { error: { message: 'no' } },
      { status: 429, error: { message: 'slow' } },
    ])
    await expect(refused({ schema })).resolves.toMatchObject({ code: 'MODEL_UNAVAILABLE', status: 429 })
  })
})
