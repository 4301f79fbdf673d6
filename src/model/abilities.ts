import { refusalError, type Refusal, type Served } from './refusal.ts'
import { isA2AError, type A2AModelError } from '../core/errors.ts'
import type { ModelAnswer, Usage } from './types.ts'

type LimitField = 'max_tokens' | 'max_completion_tokens'

/** What an endpoint accepts in a request. It cannot be known beforehand: it is learned from what the endpoint refuses. */
export interface Abilities {
  /** How it is asked for JSON: by a schema, in JSON mode, or in words. */
  format: 'schema' | 'object' | 'text'
  temperature: boolean
  seed: boolean
  /** The fields that limit the length of an answer and were not refused yet, best first. */
  limits: readonly LimitField[]
}

const learned = new Map<string, Abilities>()

/** The result of one request. `less` asks again with that, because the answer shows that something was ignored. */
export type Outcome =
  { answer: ModelAnswer; less?: Abilities } | { refusal: Refusal; sent: Readonly<Record<string, unknown>> }

/**
 * Asks, and asks for less as long as the endpoint refuses the request for that; what it accepted is remembered as long as the
 * process runs. Throws A2AModelError.
 */
export async function askFor(
  baseURL: string,
  served: Served,
  ask: (abilities: Abilities) => Promise<Outcome>,
): Promise<ModelAnswer> {
  const known = abilitiesOf(baseURL, served.model)
  let abilities = known
  let first: A2AModelError | undefined
  let spent: Usage | undefined
  const learn = (): void => {
    if (abilities !== known) learned.set(key(baseURL, served.model), abilities)
  }
  for (;;) {
    const outcome = await ask(abilities).catch((error: unknown) => {
      // An unusable answer is an answer: the endpoint accepted the request.
      if (isA2AError(error) && error.code === 'MODEL_ANSWER') learn()
      throw error
    })
    if ('answer' in outcome) {
      const { answer, less } = outcome
      if (less === undefined) {
        learn()
        return spent === undefined || answer.usage === undefined
          ? answer
          : { ...answer, usage: sum(spent, answer.usage) }
      }
      spent = sum(spent, answer.usage)
      abilities = less
      continue
    }
    const { refusal, sent } = outcome
    const less = lessThan(abilities, sent, refusal)
    if (less === undefined)
      throw isBadRequest(refusal) && first !== undefined ? first : refusalError(refusal, served)
    // If the cause was a guess, the first refusal explains more than the last one.
    first = less.sure ? undefined : (first ?? refusalError(refusal, served))
    abilities = less.abilities
  }
}

const sum = (a: Usage | undefined, b: Usage | undefined): Usage => ({
  inputTokens: (a?.inputTokens ?? 0) + (b?.inputTokens ?? 0),
  outputTokens: (a?.outputTokens ?? 0) + (b?.outputTokens ?? 0),
})

/** What is known about a model at an address; everything, if it was not asked yet. */
function abilitiesOf(baseURL: string, model: string): Abilities {
  const own = baseURL.startsWith('https://api.openai.com/')
  // Other servers silently ignore the newer field.
  const limits: LimitField[] = own
    ? ['max_completion_tokens', 'max_tokens']
    : ['max_tokens', 'max_completion_tokens']
  return learned.get(key(baseURL, model)) ?? { format: 'schema', temperature: true, seed: true, limits }
}

const key = (baseURL: string, model: string): string => `${baseURL} ${model}`

/** Problems that asking for less does not fix. */
const otherCauses =
  /context.?length|maximum context|context window|too (long|many tokens)|api.?key|credential|unauthori[sz]ed|quota|billing|balance|content.?(policy|filter|management)|safety|model.{0,80}(not[ _](found|exist)|does ?n[o']t exist)|(invalid|unknown|no such) model/i
const aboutFormat =
  /response_?format|json_?schema|json_?object|json.?mode|structured|schema|grammar|guided|\bstrict\b/i

const unableTo = /support|not implemented|unknown (field|parameter)|grammar|json_?schema|response_?format/i

interface Less {
  abilities: Abilities
  /** False if the refusal does not name its cause. */
  sure: boolean
}

const isBadRequest = ({ status }: Refusal): boolean => status === 400 || status === 422

/**
 * What to try after a refusal: less than before, or undefined if the request was refused for another reason. `sent` is the body that
 * was refused.
 */
function lessThan(
  abilities: Abilities,
  sent: Readonly<Record<string, unknown>>,
  refusal: Refusal,
): Less | undefined {
  const { message, code = '', param } = refusal
  // Some servers answer 500 to a schema they cannot use: repeating that would not help.
  if (!isBadRequest(refusal) && !unableTo.test(message)) return undefined
  if (otherCauses.test(`${code} ${message}`)) return undefined
  const about = `${param ?? ''} ${message}`
  const blames = (field: string): boolean => field in sent && new RegExp(`\\b${field}\\b`, 'i').test(about)
  const sure = (change: Partial<Abilities>): Less => ({ abilities: { ...abilities, ...change }, sure: true })
  if (blames('temperature')) return sure({ temperature: false })
  if (blames('seed')) return sure({ seed: false })
  const limit = abilities.limits.find(blames)
  if (limit !== undefined) return sure({ limits: abilities.limits.filter((field) => field !== limit) })
  if (!('response_format' in sent)) return undefined
  const format = abilities.format === 'schema' ? 'object' : 'text'
  if (aboutFormat.test(about)) return sure({ format })
  // A bad request without a cause is most often about the format.
  return isBadRequest(refusal) && param === undefined ? { ...sure({ format }), sure: false } : undefined
}
