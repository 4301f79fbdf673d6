import { linkedController } from '../core/abort.ts'
import { systemClock, type Clock } from '../core/clock.ts'
import { systemDeps } from '../core/deps.ts'
import { A2AModelError, A2AUsageError, isA2AError } from '../core/errors.ts'
import {
  checkOptions,
  duration,
  filledText,
  record,
  recordOf,
  required,
  secret,
  text,
  type OptionsSpec,
} from '../core/validate.ts'
import { isSensitiveHeader } from '../core/redact.ts'
import { askFor, type Abilities, type Outcome } from './abilities.ts'
import { answerIn, refusalWithin } from './completion.ts'
import { modelPackages, type ModelPackages } from './packages.ts'
import { called, networkError, readRefusal, retryAfter, timeoutError, type Served } from './refusal.ts'
import { systemWithSchema } from './schemaText.ts'
import type { Model, ModelRequest } from './types.ts'
import { watchedFetch } from './wire.ts'

/** Options of `openaiModel()`. */
export interface OpenaiModelOptions {
  /** Its name at the endpoint: `gpt-5-mini`. */
  model: string
  /** Default: `OPENAI_API_KEY`. A server at another `baseURL` than OpenAI's own may need none. */
  apiKey?: string
  /** The address of the API, usually ending in `/v1`. Default: `OPENAI_BASE_URL`, else OpenAI's own. */
  baseURL?: string
  /** Sent with each request. */
  headers?: Record<string, string>
  /** Further fields of each request: `{ reasoning_effort: 'low' }`. */
  body?: Record<string, unknown>
  /** For one answer, in ms. Default 60 000. */
  timeoutMs?: number
}

const spec: OptionsSpec = {
  model: required({ ...filledText, what: 'the name of a model of the endpoint, such as "gpt-5-mini"' }),
  apiKey: secret(filledText),
  baseURL: {
    what: 'an http or https address',
    accepts: (value) => typeof value === 'string' && parseAddress(value) !== undefined,
  },
  headers: recordOf(secret(text)),
  body: record,
  timeoutMs: duration,
}

/** What differs between a run and its test. */
export interface OpenaiDeps {
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  packages: ModelPackages
}

/**
 * A model at OpenAI or at any endpoint with its Chat Completions API: vLLM, Ollama, LM Studio, OpenRouter, … Needs the package `openai`,
 * which is loaded with the first request. Throws A2AUsageError `BAD_OPTIONS`; with a request, A2AUsageError
 * `MISSING_PACKAGE`, A2AModelError `NO_MODEL` (no key), `MODEL_REFUSED`, `MODEL_UNAVAILABLE`, `MODEL_ANSWER`.
 */
export function openaiModel(options: OpenaiModelOptions): Model {
  return createOpenaiModel(options, systemDeps().env)
}

/** `openaiModel()` with its own environment. */
export function createOpenaiModel(
  options: OpenaiModelOptions,
  env: OpenaiDeps['env'],
  deps: Partial<Omit<OpenaiDeps, 'env'>> = {},
): Model {
  checkOptions('openaiModel', options ?? {}, spec)
  const { clock = systemClock, packages = modelPackages } = deps
  return {
    id: options.model,
    // A getter: in set-up files the environment may not be complete yet.
    get provider() {
      return parseAddress(addressOf(options, env))?.host ?? options.model
    },
    async generate(request) {
      request.signal.throwIfAborted()
      const endpoint = endpointOf(options, env)
      return withLimit(request.signal, timeoutOf(options), { clock, endpoint }, (signal) =>
        askFor(endpoint.baseURL, endpoint.served, (abilities) =>
          ask({ options, endpoint, env, clock, packages, signal }, bodyOf(options, request, abilities)),
        ),
      )
    },
  }
}

interface Endpoint {
  baseURL: string
  apiKey: string
  served: Served
}

/** Node treats a longer one as 1 ms. */
const timeoutOf = ({ timeoutMs = 60_000 }: OpenaiModelOptions): number => Math.min(timeoutMs, 2 ** 31 - 1)

const ownAddress = 'https://api.openai.com/v1'

function parseAddress(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined
}

/** An empty variable counts as not set: CI systems set missing secrets to nothing. */
const filled = (value: string | undefined): string | undefined => {
  const trimmed = value?.trim()
  return trimmed === '' ? undefined : trimmed
}

const addressOf = (options: OpenaiModelOptions, env: OpenaiDeps['env']): string =>
  options.baseURL ?? filled(env['OPENAI_BASE_URL']) ?? ownAddress

function endpointOf(options: OpenaiModelOptions, env: OpenaiDeps['env']): Endpoint {
  const { model, headers = {} } = options
  const baseURL = addressOf(options, env)
  const url = parseAddress(baseURL)
  if (url === undefined) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      `OPENAI_BASE_URL must be an http or https address; received ${JSON.stringify(baseURL)}.`,
    )
  }
  const given = options.apiKey ?? filled(env['OPENAI_API_KEY'])
  const byHeader = Object.keys(headers).some((name) => /^(authorization|api-key)$/i.test(name))
  if (given === undefined && !byHeader && url.origin === new URL(ownAddress).origin) {
    throw new A2AModelError(
      'NO_MODEL',
      `no API key is set for the model ${JSON.stringify(model)} at ${url.origin}.`,
      {
        fix: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs no key: neither is set. Or pass openaiModel({ apiKey }).',
      },
    )
  }
  const secrets = [
    ...(given === undefined ? [] : [given]),
    ...Object.entries(headers).flatMap(([name, value]) => (isSensitiveHeader(name) ? [value] : [])),
  ]
  const source = options.apiKey === undefined ? 'OPENAI_API_KEY' : 'the option apiKey'
  const keyFix =
    given === undefined
      ? 'The server requires an API key: set OPENAI_API_KEY, or pass openaiModel({ apiKey }).'
      : `Check the API key, which comes from ${source}.`
  const nameFix = `Check the name of the model, and the base URL, ${url.origin}${url.pathname}: most end in /v1.`
  return {
    baseURL,
    // The package requires one; servers that need none ignore it.
    apiKey: given ?? 'none',
    served: { model, at: url.origin, secrets, keyFix, nameFix },
  }
}

interface Call {
  options: OpenaiModelOptions
  endpoint: Endpoint
  env: OpenaiDeps['env']
  clock: Clock
  packages: ModelPackages
  signal: AbortSignal
}

function bodyOf(
  { model, body }: OpenaiModelOptions,
  request: ModelRequest,
  { format, temperature, seed, limits }: Abilities,
): Record<string, unknown> {
  const { schema, messages } = request
  const system = format === 'schema' ? request.system : systemWithSchema(request)
  const [limit] = limits
  return {
    ...body,
    model,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages],
    ...(schema !== undefined && format !== 'text' && { response_format: formatOf(schema, format) }),
    ...(temperature && request.temperature !== undefined && { temperature: request.temperature }),
    ...(seed && request.seed !== undefined && { seed: request.seed }),
    ...(limit !== undefined && request.maxTokens !== undefined && { [limit]: request.maxTokens }),
  }
}

function formatOf(
  { name, definition }: NonNullable<ModelRequest['schema']>,
  format: 'schema' | 'object',
): Record<string, unknown> {
  return format === 'schema'
    ? { type: 'json_schema', json_schema: { name, schema: definition, strict: true } }
    : { type: 'json_object' }
}

async function ask(call: Call, sent: Record<string, unknown>): Promise<Outcome> {
  const { options, endpoint, packages, clock, env, signal } = call
  const { baseURL, apiKey, served } = endpoint
  const { OpenAI } = await packages.openai()
  const watched = await watchedFetch(packages, env, signal)
  const client = new OpenAI({
    apiKey,
    baseURL,
    defaultHeaders: options.headers,
    fetch: watched.fetch,
    // Retries, waiting and logging are ours.
    maxRetries: 0,
    timeout: Math.ceil(timeoutOf(options)),
    logLevel: 'off',
    // A test in a simulated browser exposes the key to nobody.
    dangerouslyAllowBrowser: true,
  })
  try {
    const completion = await client.chat.completions.create(sent)
    const refusal = refusalWithin(completion)
    if (refusal !== undefined) return { sent, refusal }
    const seen = watched.seen()
    return { answer: answerIn(completion, served, seen !== undefined && 'body' in seen ? seen.body : '') }
  } catch (error) {
    if (isA2AError(error)) throw error
    const seen = watched.seen()
    if (seen === undefined)
      throw new A2AModelError(
        'MODEL_REFUSED',
        `${called(served)} could not be called: ${(error as Error).message}.`,
      )
    if ('failure' in seen) throw networkError(seen.failure, served)
    if (seen.status < 300) return { answer: answerIn(undefined, served, seen.body) }
    const retryAfterMs = retryAfter(seen.header, clock.now())
    return {
      sent,
      refusal: {
        ...readRefusal(seen.status, seen.body),
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      },
    }
  }
}

/** Runs it with a signal that is also aborted at the limit. Throws the reason of `outer` if that was aborted. */
async function withLimit<T>(
  outer: AbortSignal,
  ms: number,
  { clock, endpoint }: { clock: Clock; endpoint: Endpoint },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = linkedController(outer)
  let late = false
  const cancel = clock.after(ms, () => {
    late = true
    stop.abort()
  })
  try {
    return await run(stop.signal)
  } catch (error) {
    outer.throwIfAborted()
    throw late ? timeoutError(ms, endpoint.served) : error
  } finally {
    cancel()
    stop.unlink()
  }
}
