import { A2AModelError } from '../core/errors.ts'
import { checkArguments, checkOptions, filledText, type Kind } from '../core/validate.ts'
import type { Model, ModelAnswer, ModelRequest, Usage } from './types.ts'

/** An answer of a scripted model: text, data that becomes JSON, a whole answer (`{ text, usage }`), or an error to throw. */
export type ScriptedReply = string | object

/** The replies in order, each of which may be a function of the request; or one function for all. */
export type ScriptedReplies = readonly (ScriptedReply | ScriptedFunction)[] | ScriptedFunction

/** Makes a reply from the request. */
export type ScriptedFunction = (request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>

/** Options of `scriptedModel()`. */
export interface ScriptedOptions {
  /** Default `scripted`. */
  id?: string
  /** The usage of each answer that does not have its own. Default: none is reported. */
  usage?: Usage
}

/** A model that answers from a script, for tests without a real one. */
export interface ScriptedModel extends Model {
  readonly scripted: true
  /** Its requests, oldest first. */
  readonly requests: readonly ModelRequest[]
}

const isReply = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'function' || (typeof value === 'object' && value !== null)

const script: Kind = {
  what: 'a function of the request, or an array of strings, objects, errors and functions',
  accepts: (value) => typeof value === 'function' || (Array.isArray(value) && value.every(isReply)),
}

const usage: Kind = {
  what: 'an object with inputTokens and outputTokens',
  accepts: (value) =>
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<Usage>).inputTokens === 'number' &&
    typeof (value as Partial<Usage>).outputTokens === 'number',
}

/**
 * Creates a model that answers from a script: a list that is used in order, or a function of the request. It costs nothing; cassettes and
 * limits ignore it. Throws A2AUsageError `BAD_OPTIONS`; after the end of its list, A2AModelError `MODEL_ANSWER`.
 */
export function scriptedModel(replies: ScriptedReplies, options: ScriptedOptions = {}): ScriptedModel {
  checkArguments('scriptedModel', [replies], [{ name: 'replies', kind: script }])
  checkOptions('scriptedModel', options, { id: filledText, usage })
  const { id = 'scripted' } = options
  const requests: ModelRequest[] = []
  return {
    id,
    scripted: true,
    requests,
    async generate(request) {
      request.signal.throwIfAborted()
      const index = requests.push(request) - 1
      const next = typeof replies === 'function' ? replies : replies[index]
      if (next === undefined) throw exhausted(id, request, index, (replies as readonly unknown[]).length)
      const answer = answerOf(typeof next === 'function' ? await (next as ScriptedFunction)(request) : next)
      return options.usage === undefined ? answer : { usage: options.usage, ...answer }
    },
  }
}

function exhausted(id: string, request: ModelRequest, index: number, count: number): A2AModelError {
  const has = count === 0 ? 'no replies' : count === 1 ? '1 reply' : `${count} replies`
  return new A2AModelError(
    'MODEL_ANSWER',
    `the scripted model "${id}" has ${has}, but was called ${index + 1} times (now as ${request.role}).`,
    { fix: 'Add a reply, or use a function of the request instead of a list.' },
  )
}

const answerKeys = new Set(['text', 'json', 'usage'])

function answerOf(reply: unknown): ModelAnswer {
  if (typeof reply === 'string') return { text: reply }
  // By its tag: Jest's sandbox has its own Error.
  if (Object.prototype.toString.call(reply) === '[object Error]') throw reply
  if (typeof reply !== 'object' || reply === null) {
    throw new A2AModelError('MODEL_ANSWER', `a function of a scripted model returned ${String(reply)}.`, {
      fix: 'Return text, an object, or an Error to throw.',
    })
  }
  const whole = typeof (reply as { text?: unknown }).text === 'string'
  return whole && Object.keys(reply).every((key) => answerKeys.has(key))
    ? (reply as ModelAnswer)
    : { text: JSON.stringify(reply) }
}
