import { A2AUsageError } from '../core/errors.ts'
import { redact } from '../core/redact.ts'

const deepest = 100

/** The same data with every text in it rewritten; keys stay. The value itself is left as it is. */
function mapTexts(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return '<too deep>'
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change, depth + 1))
  const tag = Object.prototype.toString.call(value)
  if (tag !== '[object Object]') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, mapTexts(one, change, depth + 1)]),
  )
}

/** What the option `redact` makes of everything in a result. Throws A2AUsageError `BAD_USE` where it gives no text. */
export function withOwnRedaction<T>(value: T, own: ((text: string) => string) | undefined): T {
  if (own === undefined) return value
  return mapTexts(value, (text) => {
    let given: unknown
    try {
      given = own(text)
    } catch (error) {
      throw new A2AUsageError('BAD_USE', `the function "redact" threw ${String(error)}.`, { cause: error })
    }
    if (typeof given === 'string') return given
    throw new A2AUsageError('BAD_USE', `the function "redact" gave ${typeof given} in place of a text.`, {
      fix: 'Return the text, with what must not be seen taken out.',
    })
  }) as T
}

/** Readable JSON without credentials: of texts one by one, and of members whose name says that they hold one. */
export function redactedJson(value: unknown, secrets: readonly string[]): string {
  const clean = mapTexts(value, (text) => redact(text, secrets))
  const json = JSON.stringify(clean, undefined, 2)
  const whole = redact(json, secrets)
  try {
    JSON.parse(whole)
    return `${whole}\n`
  } catch {
    return `${json}\n`
  }
}
