import { A2AUsageError } from '../core/errors.ts'
import { redact } from '../core/redact.ts'

const deepest = 100

/** A copy of the data with every text changed. Keys stay as they are. */
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

/** Applies the option `redact` to every text of a result. Throws A2AUsageError `BAD_USE` if it throws or does not return a string. */
export function withOwnRedaction<T>(value: T, own: ((text: string) => string) | undefined): T {
  if (own === undefined) return value
  return mapTexts(value, (text) => {
    let redacted: unknown
    try {
      redacted = own(text)
    } catch (error) {
      throw new A2AUsageError('BAD_USE', `the function "redact" threw ${String(error)}.`, { cause: error })
    }
    if (typeof redacted === 'string') return redacted
    throw new A2AUsageError(
      'BAD_USE',
      `the function "redact" returned ${typeof redacted} instead of a string.`,
      {
        fix: 'Return the text without what must not be shown.',
      },
    )
  }) as T
}

/** Readable JSON without credentials: each text is redacted, and so are members whose name says that they are secret. */
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
