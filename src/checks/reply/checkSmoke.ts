import { finding } from '../../findings/finding.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { Reply } from '../../client/types.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../types.ts'
import type { Verdict } from '../verdict.ts'
import { ask, type AskOptions } from './sendAndCheck.ts'
import { failing, type CheckResult } from '../checkResult.ts'
import { describeReply, hasText } from './describeReply.ts'
import { noAnswer } from './replyFailures.ts'

/** The default message of the smoke check. */
export const smokeMessage = 'Hello! In one or two sentences, what can you help me with?'

/** Options of `toPassSmokeCheck()`. */
export type SmokeOptions = AskOptions & {
  /** What to send. Default: a greeting that asks what the agent can do. */
  message?: string
}

/** Sends one message and expects a Message, or a Task that neither fails nor stalls, with some text. */
export async function checkSmoke(
  agent: A2AAgent,
  [options = {}]: readonly [options?: SmokeOptions],
  budget: Budget,
): Promise<Verdict> {
  const { message = smokeMessage } = options
  return ask(agent, message, options, budget, 'a working reply: a Message or a Task with some text', judge)
}

function judge(reply: Reply): CheckResult {
  const none = noAnswer(reply)
  if (none !== undefined) return none
  const received = describeReply(reply)
  const findings = reply.state === 'auth-required' ? [asksForAuthentication(reply)] : []
  if (hasText(reply)) return { outcome: 'passed', received, findings }
  return failing('reply/no-text', received, {
    findings,
    fix: 'Put the answer into a text part of the message, of an artifact, or of the status message.',
  })
}

function asksForAuthentication({ text }: Reply): Finding {
  return finding(
    'reply/auth-required',
    `the agent asks for authentication (auth-required): ${text.trim() === '' ? '(without a text)' : text}`,
  )
}
