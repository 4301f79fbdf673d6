import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply } from '../../client/types.ts'
import type { Budget } from '../types.ts'
import type { Verdict } from '../verdict.ts'
import { ask, type AskOptions } from './sendAndCheck.ts'
import type { Expected } from './expectedValue.ts'
import { noAnswer } from './replyFailures.ts'
import { refuseMisplaced, expectedReply } from './expectedReply.ts'

/** Options of `toReply()`. */
export type ReplyOptions = AskOptions & {
  /** A string must be the whole text of the reply, not only contained in it. Default false. */
  exact?: boolean
}

/** Sends one message and compares the reply; without `expected`, any answer that is not a failure passes. */
export async function checkReply(
  agent: A2AAgent,
  [message, expected, options = {}]: readonly [
    message: MessageInput,
    expected?: Expected<Reply>,
    options?: ReplyOptions,
  ],
  budget: Budget,
): Promise<Verdict> {
  refuseMisplaced(expected, 'toReply', 'message')
  const expectation = expectedReply(expected, { matcher: 'toReply', exact: options.exact })
  return ask(
    agent,
    message,
    options,
    budget,
    `a reply ${expectation.phrase}`,
    async (reply) => noAnswer(reply) ?? (await expectation.judge(reply, budget.signal)),
  )
}
