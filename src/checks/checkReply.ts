import type { A2AAgent, MessageInput } from '../agent/types.ts'
import type { Reply } from '../client/types.ts'
import { A2AUsageError } from '../errors.ts'
import type { Budget } from '../matcher/types.ts'
import type { Verdict } from '../verdict.ts'
import { ask, type AskOptions } from './ask.ts'
import { failing, type Facts } from './begin.ts'
import { describeReply, hasText } from './describeReply.ts'
import { checkExpected, compare, phrase, type Expected, type Mismatch } from './expectation.ts'
import { noAnswer } from './failures.ts'
import { isRecord } from './show.ts'

/** Options of `toReply()`. */
export type ReplyOptions = AskOptions & {
  /** A string must be the whole text of the reply. Default false: contained in it. */
  exact?: boolean
}

/** Sends one message and compares the reply with what is expected; without that, any answer that is not a failure will do. */
export async function checkReply(
  agent: A2AAgent,
  [message, expected, options = {}]: readonly [
    message: MessageInput,
    expected?: Expected<Reply>,
    options?: ReplyOptions,
  ],
  budget: Budget,
): Promise<Verdict> {
  const { exact = false } = options
  refuseMisplaced(expected)
  // Before anything is sent: a message may cost its owner tokens.
  if (expected !== undefined || exact) checkExpected(expected, { matcher: 'toReply', exact })
  const what = expected === undefined ? 'with some text, data or file' : phrase(expected, exact)
  return ask(agent, message, options, budget, `a reply ${what}`, async (reply) => {
    const none = noAnswer(reply)
    if (none !== undefined) return none
    if (expected === undefined) return anything(reply)
    const answer = { text: reply.text, data: reply.data, about: reply }
    const mismatch = await inTime(compare(expected, answer, { matcher: 'toReply', exact }), budget.signal)
    return replyFacts(reply, mismatch)
  })
}

/** Blames what was given instead of the agent, which has answered, when that does not come to an end. */
async function inTime<T>(comparison: T | Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => {}
  const late = new Promise<never>((_, reject) => {
    onAbort = () =>
      reject(
        new A2AUsageError(
          'BAD_USE',
          'the agent answered, but what toReply() was given did not decide in time.',
          {
            mend: 'Let the function or schema settle, and catch what keeps it waiting.',
          },
        ),
      )
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([comparison, late])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const optionNames = ['exact', 'deadlineMs', 'waitMs', 'contextId', 'after', 'metadata', 'configuration']

/** Options in the second place would be taken for data, and the test would fail for a reason that nobody sees. */
function refuseMisplaced(expected: unknown): void {
  if (!isRecord(expected)) return
  const keys = Object.keys(expected)
  const sure = keys.some((key) => ['exact', 'deadlineMs', 'waitMs'].includes(key))
  if (!sure || !keys.every((key) => optionNames.includes(key))) return
  throw new A2AUsageError('BAD_OPTIONS', 'the options of toReply() are its third argument.', {
    mend: `Write toReply(message, undefined, { ${keys.join(', ')} }) to accept any reply.`,
  })
}

/** The facts of a comparison with a whole reply. */
export function replyFacts(reply: Reply, mismatch: Mismatch | undefined): Facts {
  const received = describeReply(reply)
  if (mismatch === undefined) return { outcome: 'passed', received }
  return failing('reply/differs', `${received}; ${mismatch.why}`, {
    ...(mismatch.detail === undefined ? {} : { excerpts: [mismatch.detail] }),
  })
}

function anything(reply: Reply): Facts {
  const some = hasText(reply) || reply.data.length > 0 || reply.files.length > 0
  const received = describeReply(reply)
  return some ? { outcome: 'passed', received } : failing('reply/empty', received)
}
