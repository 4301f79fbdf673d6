import type { Deps } from '../core/deps.ts'
import { A2AModelError, A2AUsageError } from '../core/errors.ts'
import { aiSdkModel, isAiSdkModel } from './aiSdk.ts'
import { createOpenaiModel } from './openai.ts'
import type { Model, ModelAnswer, ModelChoice, ModelFunction } from './types.ts'

/**
 * The model for a choice: a string is the name of one at the OpenAI-compatible endpoint of the environment, a function is called for each
 * request.
 * Throws A2AUsageError `BAD_OPTIONS`.
 */
export function modelOf(choice: ModelChoice, env: Deps['env']): Model {
  if (typeof choice === 'string') {
    if (choice.trim() === '') throw wrong('is an empty string')
    return createOpenaiModel({ model: choice.trim() }, env)
  }
  if (typeof choice === 'function') {
    // A provider is a function too, and would be called with the request.
    if ('languageModel' in choice)
      throw wrong('is a provider of the AI SDK', 'Call it with the name of a model: provider("gpt-5-mini").')
    return functionModel(choice)
  }
  if (isModel(choice)) return choice
  if (isAiSdkModel(choice)) {
    if (choice.specificationVersion === 'v1') {
      throw wrong('is a model of AI SDK 4', 'Use a provider package of AI SDK 5 or later.')
    }
    return aiSdkModel(choice)
  }
  throw wrong(...describe(choice))
}

function isModel(value: unknown): value is Model {
  if (typeof value !== 'object' || value === null) return false
  const { id, generate } = value as Partial<Model>
  return typeof id === 'string' && id !== '' && typeof generate === 'function'
}

function functionModel(ask: ModelFunction): Model {
  const id = ask.name === '' ? 'function' : ask.name
  return {
    id,
    async generate(request) {
      request.signal.throwIfAborted()
      const answer: unknown = await ask(request)
      if (typeof answer === 'string') return { text: answer }
      if (typeof answer === 'object' && answer !== null && typeof (answer as ModelAnswer).text === 'string') {
        return answer as ModelAnswer
      }
      throw new A2AModelError('MODEL_ANSWER', `the model function "${id}" returned ${kindOf(answer)}.`, {
        fix: 'Return a string, or { text, usage: { inputTokens, outputTokens } }.',
      })
    },
  }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  const keys = Object.keys(value)
  return keys.length === 0 ? 'an empty object' : `an object with ${keys.slice(0, 5).join(', ')}`
}

function describe(value: unknown): [what: string, fix?: string] {
  if (typeof value !== 'object' || value === null) return [`is ${kindOf(value)}`]
  if ('then' in value) return ['is a promise', 'Await it.']
  if ('chat' in value && 'baseURL' in value) {
    return ['is a client of the package "openai"', 'Use openaiModel({ model, apiKey, baseURL }) instead.']
  }
  if ('generate' in value) return ['is an object without an id', 'Add an id: its name in reports.']
  return [`is ${kindOf(value)}`]
}

const accepted =
  'Pass the name of a model, openaiModel({ … }), a model object of the AI SDK, or a function from a request to text.'

function wrong(what: string, fix = accepted): A2AUsageError {
  return new A2AUsageError('BAD_OPTIONS', `the model ${what}.`, { fix })
}
