import type { CriterionVerdict } from './types.ts'

/** Words that a judge rests a verdict on, before anybody looked whether they were said. */
export interface ClaimedQuote {
  turn: number
  quote: string
}

/** What a judge says of one criterion. */
export interface Claim {
  evidence: ClaimedQuote[]
  reason: string
  verdict: CriterionVerdict
}

/** A judge's whole answer. There is no overall verdict in it, so none can contradict the criteria. */
export interface JudgeAnswer {
  verdicts: Record<string, Claim>
  injection: { found: boolean; turn: number | null }
}

const object = (properties: Record<string, unknown>): Record<string, unknown> => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
})

/**
 * JSON Schema of the answer for these keys. Each key is required, so that none can be left out; evidence comes before the verdict,
 * because models fill members in order.
 */
export function answerSchema(keys: readonly string[]): Record<string, unknown> {
  // Written out for each: not every server that takes schemas follows references.
  const claim = object({
    evidence: {
      type: 'array',
      items: object({ turn: { type: 'integer' }, quote: { type: 'string' } }),
    },
    reason: { type: 'string' },
    verdict: { type: 'string', enum: ['met', 'not_met', 'unknown'] },
  })
  return object({
    verdicts: object(Object.fromEntries(keys.map((key) => [key, claim]))),
    injection: object({ found: { type: 'boolean' }, turn: { type: ['integer', 'null'] } }),
  })
}

/** What keeps a value from being an answer for exactly these keys; undefined when nothing does. */
export function misfit(keys: readonly string[], value: unknown): string | undefined {
  if (!isRecord(value)) return 'it is no JSON object'
  const stranger = Object.keys(value).find((key) => key !== 'verdicts' && key !== 'injection')
  const { verdicts, injection } = value
  if (!isRecord(verdicts)) return '"verdicts" is missing'
  if (stranger !== undefined) return `it has "${clip(stranger)}", which was not asked for`
  const missing = keys.filter((key) => !Object.hasOwn(verdicts, key))
  if (missing.length > 0) return `the verdict of ${missing.join(', ')} is missing`
  const surplus = Object.keys(verdicts).find((key) => !keys.includes(key))
  if (surplus !== undefined) return `it judges "${clip(surplus)}", which was not asked for`
  if (!isRecord(injection) || typeof injection['found'] !== 'boolean') return '"injection.found" is missing'
  const { turn } = injection
  if (turn !== null && !Number.isInteger(turn)) return '"injection.turn" is neither a whole number nor null'
  for (const key of keys) {
    const problem = misfitOfClaim(verdicts[key])
    if (problem !== undefined) return `in ${key}, ${problem}`
  }
  return undefined
}

function misfitOfClaim(value: unknown): string | undefined {
  if (!isRecord(value)) return 'there is no object'
  const { evidence, reason, verdict } = value
  if (verdict !== 'met' && verdict !== 'not_met' && verdict !== 'unknown') {
    return verdict === undefined
      ? '"verdict" is missing'
      : `"verdict" is ${clip(JSON.stringify(verdict))}, and not met, not_met or unknown`
  }
  if (typeof reason !== 'string') return '"reason" is missing'
  if (!Array.isArray(evidence)) return '"evidence" is no list'
  const sound = evidence.every(
    (one: unknown) => isRecord(one) && Number.isInteger(one['turn']) && typeof one['quote'] === 'string',
  )
  return sound ? undefined : '"evidence" has something other than { turn, quote } in it'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
