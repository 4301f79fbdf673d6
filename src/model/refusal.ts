import { A2AModelError } from '../core/errors.ts'
import { redact } from '../core/redact.ts'

/** What a server sent instead of an answer. */
export interface Refusal {
  status: number
  message: string
  /** The server's own code: `insufficient_quota`. */
  code?: string
  /** The field of the request that it objects to. */
  param?: string
  retryAfterMs?: number
}

/** Where a request went, for messages. */
export interface Served {
  model: string
  /** `https://api.openai.com`, or the name of a provider. */
  at: string
  /** Never printed. */
  secrets: readonly string[]
  /** What to do if the key was refused; ends with a period. */
  keyFix: string
  /** What to do if the model was not found; ends with a period. */
  nameFix: string
}

/** How messages name a model. */
export const called = ({ model, at }: Served): string => `the model ${JSON.stringify(model)} at ${at}`

/** The error for a refusal: transient if the same request may succeed later. */
export function refusalError(refusal: Refusal, served: Served): A2AModelError {
  const { status, message, code, retryAfterMs } = refusal
  const said = message === '' ? '' : `: ${quoted(message, served.secrets)}`
  // Sent with 429, too, but waiting does not fix it.
  const noQuota = code === 'insufficient_quota' || code === 'billing_hard_limit_reached'
  if (!noQuota && mayPass(status)) {
    return new A2AModelError(
      'MODEL_UNAVAILABLE',
      `${called(served)} is not available now: it answered ${status}${said}.`,
      {
        status,
        transient: true,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
        fix:
          status === 429
            ? 'Lower the concurrency, or ask the provider for a higher rate limit.'
            : 'Try again later, or check the status page of the provider.',
      },
    )
  }
  return new A2AModelError('MODEL_REFUSED', `${called(served)} refused the request with ${status}${said}.`, {
    status,
    fix: noQuota
      ? 'Check the plan and the billing of the account that the key belongs to.'
      : fixOf(status, served),
  })
}

function fixOf(status: number, { keyFix, nameFix }: Served): string {
  if (status === 401) return keyFix
  if (status === 403) return 'Use a key that is allowed to use this model.'
  if (status === 402) return 'Check the balance of the account that the key belongs to.'
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) return nameFix
  if (status === 413) return 'Shorten the conversation, or use a model with a larger context.'
  return 'Change what the server objects to, or use another model.'
}

const mayPass = (status: number): boolean =>
  status === 408 || status === 409 || status === 425 || status === 429 || status >= 500

/** The error for a server that could not be reached, or that disconnected. */
export function networkError(error: unknown, served: Served): A2AModelError {
  const { text, cause } = innermost(error)
  return new A2AModelError(
    'MODEL_UNAVAILABLE',
    `${called(served)} is not available now: ${redact(text, served.secrets)}.`,
    { transient: true, fix: 'Check that the server is running and that this machine can reach it.', cause },
  )
}

/** The error for a server that took too long. */
export function timeoutError(ms: number, served: Served): A2AModelError {
  return new A2AModelError('MODEL_UNAVAILABLE', `${called(served)} did not answer within ${ms} ms.`, {
    transient: true,
    fix: 'Raise timeoutMs, or use a faster model.',
  })
}

/** A text of the server in quotes: one line of limited length, without secrets. */
export function quoted(text: string, secrets: readonly string[]): string {
  // Redacted before it is shortened, or half of a secret would remain. Servers show refused keys with stars in them.
  const safe = redact(text, secrets).replaceAll(/\S*\*{3,}\S*/g, '<hidden>')
  const line = safe.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')
  return JSON.stringify(line.length > longest ? `${line.slice(0, longest)}…` : line)
}

const longest = 400

/** The innermost cause of a network error: the outer ones all say "fetch failed". */
function innermost(error: unknown): { text: string; cause: unknown } {
  let each: unknown = error
  for (let depth = 0; depth < 8; depth++) {
    const { cause, errors } = (each ?? {}) as { cause?: unknown; errors?: unknown }
    const next: unknown = cause ?? (Array.isArray(errors) ? errors[0] : undefined)
    if (typeof next !== 'object' || next === null) break
    each = next
  }
  const { message, code } = (each ?? {}) as { message?: unknown; code?: unknown }
  const said = typeof message === 'string' && message !== '' ? message : String(each)
  return { text: typeof code === 'string' && !said.includes(code) ? `${said} (${code})` : said, cause: each }
}

/** How long the headers of an answer ask to wait, in ms; undefined if they do not. */
export function retryAfter(
  header: (name: string) => string | null | undefined,
  now: number,
): number | undefined {
  const ms = Number.parseFloat(header('retry-after-ms') ?? '')
  if (ms >= 0) return ms
  const value = header('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

type Json = Record<string, unknown>
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const string = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Reads the body of a refusal; every server has its own form. */
export function readRefusal(status: number, body: string): Refusal {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    // Gateways answer with a web page.
    return { status, message: body.replaceAll(/<(style|script|head)\b[^]*?<\/\1>|<[^>]*>/gi, ' ').trim() }
  }
  // Gemini wraps it in a list.
  const outer: unknown = Array.isArray(json) ? json[0] : json
  if (!isRecord(outer)) return { status, message: string(outer) ?? '' }
  const error = isRecord(outer['error']) ? outer['error'] : outer
  const text =
    string(error['message']) ?? string(outer['error']) ?? string(outer['detail']) ?? string(outer['message'])
  // OpenRouter passes on the error of its provider.
  const inner = isRecord(error['metadata']) ? string(error['metadata']['raw']) : undefined
  const code = string(error['code']) ?? string(error['type'])
  const param = string(error['param'])
  return {
    status,
    message: [text ?? body, inner].filter((each) => each !== undefined).join(': '),
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
  }
}
