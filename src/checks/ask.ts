import type { A2AAgent, MessageInput } from '../agent/types.ts'
import type { Reply, SendOptions } from '../client/types.ts'
import { isReplyError } from '../errors.ts'
import type { Budget } from '../matcher/types.ts'
import type { Verdict } from '../verdict.ts'
import { asSubject, verdictOn, within, type Facts } from './begin.ts'
import { textExcerpt } from './describeReply.ts'

/** Options that go along with the message of a check. */
export type AskOptions = Pick<SendOptions, 'after' | 'contextId' | 'metadata' | 'configuration' | 'waitMs'>

/** Sends one message and judges the reply. Findings of the reply come before those of `judge`. */
export async function ask(
  agent: A2AAgent,
  message: MessageInput,
  options: AskOptions,
  budget: Budget,
  expected: string,
  judge: (reply: Reply) => Facts | Promise<Facts>,
): Promise<Verdict> {
  return verdictOn(asSubject(agent), expected, async () => {
    const send: SendOptions = { ...pick(options), signal: budget.signal }
    if (budget.deadline !== undefined) send.deadline = budget.deadline
    let reply: Reply
    try {
      reply = await within(budget, agent.send(message, send))
    } catch (error) {
      const mend = isReplyError(error) && error.status === 404 ? doubledPath(agent) : undefined
      if (mend === undefined) throw error
      return { outcome: 'failed', received: (error as Error).message, mend }
    }
    const facts = await within(budget, Promise.resolve(judge(reply)))
    return {
      ...facts,
      findings: [...reply.findings, ...(facts.findings ?? [])],
      excerpts: [...(facts.outcome === 'passed' ? [] : textExcerpt(reply)), ...(facts.excerpts ?? [])],
    }
  })
}

function pick({ after, contextId, metadata, configuration, waitMs }: AskOptions): SendOptions {
  return Object.fromEntries(
    Object.entries({ after, contextId, metadata, configuration, waitMs }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

/** A gateway that glues its prefix in front of the card's addresses makes `/a2a/desk/a2a/desk-7/` of `/a2a/desk`. */
function doubledPath(agent: A2AAgent): string | undefined {
  const called = agent.exchanges.at(-1)?.url
  if (called === undefined || !URL.canParse(agent.url)) return undefined
  const prefix = new URL(agent.url).pathname.replace(/\/$/, '')
  const path = new URL(called).pathname
  const [, first] = prefix.split('/')
  if (first === undefined || first === '' || !path.startsWith(`${prefix}/${first}/`)) return undefined
  return `The path looks doubled by a proxy: ${path} repeats /${first}. Let the gateway replace the path of the card's addresses, not prefix it.`
}
