import { throwIfAborted } from '../core/abort.ts'
import type { Clock } from '../core/clock.ts'
import { A2AModelError, isA2AError, type A2AErrorCode } from '../core/errors.ts'
import { longestWaitMs } from './pace.ts'
import type { ModelRole } from './types.ts'

/** What a call is repeated with. */
export interface RetryOptions {
  role: ModelRole
  /** Id of the model, for messages. */
  model: string
  /** Tries after the first. */
  retries: number
  clock: Clock
  /** From 0 to 1. */
  random: () => number
  signal: AbortSignal
  /** Runs each try: may delay it, or reject without calling. */
  run: <T>(call: () => Promise<T>) => Promise<T>
  /** Receives each failure after which the call is repeated. */
  onRetry?: (why: string) => void
}

const firstBackoffMs = 500
const longestBackoffMs = 20_000

/** What messages call a role. */
export const roleNames: Readonly<Record<ModelRole, string>> = {
  simulator: 'simulator',
  judge: 'judge',
  check: 'simulator check',
}

/**
 * Calls a model, and again if it may succeed later: after a pause that doubles, with jitter, or after the one that the model asked for.
 * Throws A2AModelError that names role, model, status and tries: `MODEL_UNAVAILABLE`, or the code of the model's own error;
 * the reason of an aborted signal; other errors of ours as they are.
 */
export async function withRetries<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { retries, clock, signal } = options
  let tries = 0
  for (;;) {
    try {
      return await options.run(() => {
        tries++
        return call()
      })
    } catch (error) {
      throwIfAborted(signal)
      if (isA2AError(error) && error.name !== 'A2AModelError') throw error
      const fault = (isA2AError(error) ? error : {}) as Partial<A2AModelError>
      const wait = pause(tries, fault.retryAfterMs, options.random)
      if (fault.transient !== true || tries > retries || wait === undefined) {
        throw unavailable(error, fault, tries, options)
      }
      options.onRetry?.(said(error, fault.status, options.model))
      await clock.sleep(wait, signal)
    }
  }
}

/** Undefined if the model asks for a longer pause than a test can wait. */
function pause(tries: number, retryAfterMs: number | undefined, random: () => number): number | undefined {
  const backoff = Math.min(firstBackoffMs * 2 ** (tries - 1), longestBackoffMs)
  if (retryAfterMs === undefined) return backoff / 2 + (backoff / 2) * random()
  // Never before the time that was asked for, and not all workers at once.
  return retryAfterMs > longestWaitMs ? undefined : retryAfterMs + (firstBackoffMs / 2) * random()
}

function unavailable(
  error: unknown,
  fault: Partial<A2AModelError>,
  tries: number,
  { role, model, clock }: RetryOptions,
): A2AModelError {
  const code: A2AErrorCode = fault.code ?? 'MODEL_UNAVAILABLE'
  const what = code === 'MODEL_ANSWER' ? 'gave no usable answer' : 'unavailable'
  const count = tries === 0 ? '' : ` after ${tries === 1 ? '1 try' : `${tries} tries`}`
  const fix =
    fault.fix ??
    (fault.transient
      ? 'Run the tests again later, or lower `concurrency` or raise `retries` with configureA2A().'
      : undefined)
  return new A2AModelError(
    code,
    `${roleNames[role]} ${what}${count}: ${said(error, fault.status, model)}${longPause(fault, clock)}`,
    {
      cause: error,
      transient: fault.transient ?? false,
      ...(fix !== undefined && { fix }),
      ...(fault.status !== undefined && { status: fault.status }),
      ...(fault.retryAfterMs !== undefined && { retryAfterMs: fault.retryAfterMs }),
      ...(fault.raw !== undefined && { raw: fault.raw }),
    },
  )
}

function longPause({ transient, retryAfterMs = 0 }: Partial<A2AModelError>, clock: Clock): string {
  if (!transient || retryAfterMs <= longestWaitMs) return ''
  const at = new Date(clock.now() + retryAfterMs).toISOString().replace(/\.\d+/, '')
  return ` It may be called again in ${Math.ceil(retryAfterMs / 1000)} s (at ${at}), which is too long for a test.`
}

/** What went wrong: one sentence that names the model and the status, even if the error does not. */
function said(error: unknown, status: number | undefined, model: string): string {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error)
  const text = message.trim() === '' ? 'no reason was given' : message.trim()
  const failed = `the model ${model} failed${status === undefined || text.includes(String(status)) ? '' : ` with status ${status}`}`
  const escaped = model.replaceAll(/[^\w]/g, String.raw`\$&`)
  const named = new RegExp(String.raw`(^|[^\w-])${escaped}($|[^\w-])`).test(text)
  const whole = named ? text : `${failed}: ${text}`
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`
}
