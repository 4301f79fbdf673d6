import { A2AModelError } from '../core/errors.ts'
import { checkArguments, checkOptions, filledText, type Kind } from '../core/validate.ts'
import type { Model, ModelAnswer, ModelRequest, Usage } from './types.ts'

/** What a scripted model answers: text, data that becomes its JSON, a whole answer (`{ text, usage }`), or an error to throw. */
export type ScriptedReply = string | object

/** One reply, or a function that makes it from the request. */
export type ScriptedReplies = readonly (ScriptedReply | ScriptedFunction)[] | ScriptedFunction

/** Makes a reply from the request. */
export type ScriptedFunction = (request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>

/** Options of `scriptedModel()`. */
export interface ScriptedOptions {
  /** Default `scripted`. */
  id?: string
  /** What each answer says it took, unless it says so itself. Default: nothing is said. */
  usage?: Usage
}

/** A model that answers from a script, for tests that ask no real one. */
export interface ScriptedModel extends Model {
  readonly scripted: true
  /** What it was asked, oldest first. */
  readonly requests: readonly ModelRequest[]
}

const isReply = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'function' || (typeof value === 'object' && value !== null)

const script: Kind = {
  what: 'a function of the request, or a list of text, objects, errors and functions',
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
 * Makes a model that answers from a script: a list that is used in order, or a function of the request. It costs nothing, and neither
 * cassettes nor limits mind it. Throws A2AUsageError `BAD_OPTIONS`; asked beyond the end of its list, A2AModelError `MODEL_ANSWER`.
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
    `the scripted model "${id}" has ${has}, but was asked for number ${index + 1} (as ${request.role}).`,
    { fix: 'Give it one more reply, or a function of the request instead of a list.' },
  )
}

const answerKeys = new Set(['text', 'json', 'usage'])

function answerOf(reply: unknown): ModelAnswer {
  if (typeof reply === 'string') return { text: reply }
  // By its tag: Jest's sandbox has an Error of its own.
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
