import { orAborted } from '../../core/abort.ts'
import type { Reply } from '../../client/types.ts'
import type { FindingId } from '../../findings/catalogue.ts'
import { A2AUsageError } from '../../core/errors.ts'
import { failing, type CheckResult } from '../checkResult.ts'
import { describeReply, hasText } from './describeReply.ts'
import { checkExpected, compare, phrase, type Expected, type Mismatch } from './expectedValue.ts'
import { isRecord } from '../phrases.ts'

/** What a reply must be. */
export interface ExpectedReply {
  /** Completes "a reply …". */
  phrase: string
  /** Compares the reply; a difference is reported under this finding id. */
  judge(reply: Reply, signal: AbortSignal, id?: FindingId): Promise<CheckResult>
}

/**
 * Reads what a test expects of a reply; by default any text, data or file. Throws A2AUsageError `BAD_OPTIONS` for a value that
 * cannot be compared, before anything is sent: a message may cost its owner tokens.
 */
export function expectedReply(
  expected: Expected<Reply> | undefined,
  { matcher, exact = false }: { matcher: string; exact?: boolean | undefined },
): ExpectedReply {
  if (expected !== undefined || exact) checkExpected(expected, { matcher, exact })
  if (expected === undefined) {
    return { phrase: 'with some text, data or file', judge: async (reply) => anything(reply) }
  }
  return {
    phrase: phrase(expected, exact),
    async judge(reply, signal, id) {
      // The text of a task that did not complete is its reason.
      const answer = { text: reply.reason ?? reply.text, data: reply.data, about: reply }
      const comparison = compare(expected, answer, { matcher, exact })
      return replyResult(reply, await inTime(comparison, signal, matcher), id)
    },
  }
}

/** Blames the function or schema, not the agent, which has answered, if it does not settle in time. */
export function inTime<T>(given: T | Promise<T>, signal: AbortSignal, matcher: string): Promise<T> {
  return orAborted(
    given,
    signal,
    () =>
      new A2AUsageError(
        'BAD_USE',
        `the agent answered, but the function or schema of ${matcher}() did not settle in time.`,
        { fix: 'Make the function or schema settle, and check what keeps it waiting.' },
      ),
  )
}

/** The result of comparing a whole reply. */
export function replyResult(
  reply: Reply,
  mismatch: Mismatch | undefined,
  id: FindingId = 'reply/differs',
): CheckResult {
  const received = describeReply(reply)
  if (mismatch === undefined) return { outcome: 'passed', received }
  return failing(id, `${received}; ${mismatch.why}`, {
    ...(mismatch.detail !== undefined && { excerpts: [mismatch.detail] }),
    ...(mismatch.comparison !== undefined && { comparison: mismatch.comparison }),
  })
}

function anything(reply: Reply): CheckResult {
  const some = hasText(reply) || reply.data.length > 0 || reply.files.length > 0
  const received = describeReply(reply)
  return some ? { outcome: 'passed', received } : failing('reply/empty', received)
}

const optionNames = ['exact', 'deadlineMs', 'waitMs', 'contextId', 'after', 'metadata', 'configuration']

/**
 * Options passed as the second argument would be compared as data, and the test would fail for a hidden reason.
 * Throws A2AUsageError `BAD_OPTIONS`.
 */
export function refuseMisplaced(expected: unknown, matcher: string, first: string): void {
  if (!isRecord(expected)) return
  const keys = Object.keys(expected)
  const sure = keys.some((key) => ['exact', 'deadlineMs', 'waitMs'].includes(key))
  if (!sure || !keys.every((key) => optionNames.includes(key))) return
  throw new A2AUsageError('BAD_OPTIONS', `the options of ${matcher}() are its third argument.`, {
    fix: `Write ${matcher}(${first}, undefined, { ${keys.join(', ')} }) to accept any reply.`,
  })
}
