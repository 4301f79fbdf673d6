import { systemClock } from '../core/clock.ts'
import { A2AModelError } from '../core/errors.ts'
import { askFor, type Abilities, type Outcome } from './abilities.ts'
import { unfinishedError } from './completion.ts'
import { called, networkError, quoted, readRefusal, retryAfter, type Served } from './refusal.ts'
import { systemWithSchema } from './schemaText.ts'
import type { AiSdkModel, Model, ModelAnswer, ModelRequest } from './types.ts'

type Json = Record<string, unknown>
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** True for a model object of the AI SDK, of any version. */
export function isAiSdkModel(value: unknown): value is AiSdkModel {
  return (
    isRecord(value) &&
    typeof value['specificationVersion'] === 'string' &&
    typeof value['modelId'] === 'string' &&
    typeof value['doGenerate'] === 'function'
  )
}

/** A model object of the AI SDK (`specificationVersion` v2 and later) as a model. Throws, when asked, A2AModelError. */
export function aiSdkModel(model: AiSdkModel): Model {
  const served: Served = {
    model: model.modelId,
    at: model.provider,
    // Only the provider's package knows the key.
    secrets: [],
    keyFix: 'Check the API key that its provider uses.',
    nameFix: 'Check the name of the model, and the address that its provider uses.',
  }
  return {
    id: model.modelId,
    // `openai.chat` and `openai.responses` share one limit.
    provider: model.provider.split('.')[0] ?? model.provider,
    async generate(request) {
      request.signal.throwIfAborted()
      try {
        return await askFor(`ai-sdk:${model.provider}`, served, (abilities) =>
          ask(model, request, abilities, served),
        )
      } catch (error) {
        request.signal.throwIfAborted()
        throw error
      }
    },
  }
}

async function ask(
  model: AiSdkModel,
  request: ModelRequest,
  abilities: Abilities,
  served: Served,
): Promise<Outcome> {
  // Named as endpoints name them, because their refusals do.
  const sent = {
    ...(request.schema !== undefined && abilities.format !== 'text' && { response_format: true }),
    ...(abilities.temperature && request.temperature !== undefined && { temperature: request.temperature }),
    ...(abilities.seed && request.seed !== undefined && { seed: request.seed }),
  }
  let result: unknown
  try {
    const generate = model.doGenerate as unknown as (options: Json) => PromiseLike<unknown>
    result = await generate.call(model, optionsOf(request, abilities, sent))
  } catch (error) {
    return { sent, refusal: refusalIn(error, served) }
  }
  const answer = answerIn(result, request, served)
  return 'response_format' in sent && isFormatLost(result)
    ? { answer, less: { ...abilities, format: 'text' } }
    : { answer }
}

function optionsOf(request: ModelRequest, { format }: Abilities, sent: Json): Json {
  const { schema, messages, maxTokens, signal } = request
  const system = format === 'schema' ? request.system : systemWithSchema(request)
  return {
    prompt: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...messages.map(({ role, content }) => ({ role, content: [{ type: 'text', text: content }] })),
    ],
    ...(schema !== undefined &&
      'response_format' in sent && {
        responseFormat: {
          type: 'json',
          ...(format === 'schema' && { schema: schema.definition, name: schema.name }),
        },
      }),
    ...('temperature' in sent && { temperature: sent['temperature'] }),
    ...('seed' in sent && { seed: sent['seed'] }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    abortSignal: signal,
  }
}

/** True if the provider warns that it ignored the schema. */
function isFormatLost(result: unknown): boolean {
  const warnings =
    isRecord(result) && Array.isArray(result['warnings']) ? (result['warnings'] as unknown[]) : []
  return warnings.some(
    (each) =>
      isRecord(each) &&
      String(each['type']).startsWith('unsupported') &&
      /responseFormat|structured|schema/i.test(String(each['setting'] ?? each['feature'])),
  )
}

function answerIn(result: unknown, { schema }: ModelRequest, served: Served): ModelAnswer {
  const { content, finishReason, structuredOutputText, usage } = isRecord(result) ? result : ({} as Json)
  if (!Array.isArray(content)) {
    throw new A2AModelError('MODEL_ANSWER', `${called(served)} returned no content.`, {
      fix: 'Use a model object of AI SDK 5 or later.',
    })
  }
  const parts = content.map((part: unknown) =>
    isRecord(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? part['text'] : '',
  )
  const text =
    schema !== undefined && typeof structuredOutputText === 'string' ? structuredOutputText : parts.join('')
  // Since v3 it is an object.
  const finish = isRecord(finishReason) ? finishReason['unified'] : finishReason
  if (finish === 'length') throw unfinishedError('length', text, served)
  if (finish === 'content-filter') throw unfinishedError('content_filter', text, served)
  if (finish === 'error' || finish === 'interrupted') {
    throw new A2AModelError('MODEL_UNAVAILABLE', `${called(served)} interrupted its answer.`, {
      transient: true,
      fix: 'Try again later, or check the status page of the provider.',
      raw: text,
    })
  }
  const inputTokens = tokens(usage, 'inputTokens')
  const outputTokens = tokens(usage, 'outputTokens')
  return {
    text,
    ...(inputTokens !== undefined && outputTokens !== undefined && { usage: { inputTokens, outputTokens } }),
  }
}

/** In v2 a number, since v3 an object with a total. */
function tokens(usage: unknown, name: string): number | undefined {
  const value = isRecord(usage) ? usage[name] : undefined
  const count = isRecord(value) ? value['total'] : value
  return typeof count === 'number' ? count : undefined
}

const noUsableAnswer =
  /^AI_(EmptyResponseBody|JSONParse|TypeValidation|InvalidResponseData|NoContentGenerated)Error$/
const notSetUp = /^AI_(LoadAPIKey|LoadSetting|NoSuchModel)Error$/

/** Reads an error of the AI SDK as a refusal. Throws every error that is not one. */
function refusalIn(error: unknown, served: Served): ReturnType<typeof readRefusal> {
  if (!isRecord(error)) throw error
  const { name, message, statusCode, responseBody, responseHeaders, isRetryable, cause } = error
  const said = String(message)
  if (typeof statusCode === 'number' && !(statusCode >= 200 && statusCode < 300)) {
    const body = typeof responseBody === 'string' && responseBody !== '' ? responseBody : said
    const headers = isRecord(responseHeaders) ? responseHeaders : {}
    const retryAfterMs = retryAfter((each) => headers[each] as string | undefined, systemClock.now())
    return { ...readRefusal(statusCode, body), ...(retryAfterMs !== undefined && { retryAfterMs }) }
  }
  if (name === 'AI_UnsupportedFunctionalityError') return { status: 400, message: said }
  if (noUsableAnswer.test(String(name)) || typeof statusCode === 'number') {
    throw new A2AModelError(
      'MODEL_ANSWER',
      `${called(served)} returned no usable answer: ${quoted(said, [])}.`,
      {
        fix: served.nameFix,
        ...(typeof responseBody === 'string' && { raw: responseBody }),
      },
    )
  }
  if (notSetUp.test(String(name))) {
    throw new A2AModelError('MODEL_REFUSED', `${called(served)} cannot be called: ${quoted(said, [])}.`, {
      fix: 'Set what its provider is missing, in the environment or where the model is created.',
    })
  }
  if (name === 'AI_APICallError' || isRetryable === true) throw networkError(cause ?? error, served)
  throw error
}
