import type { A2AAgent, MessageInput } from '../agent/types.ts'
import type { Reply, SendOptions } from '../client/types.ts'
import { A2AReplyError, isReplyError } from '../errors.ts'
import type { Budget } from '../matcher/types.ts'
import type { Verdict } from '../verdict.ts'
import { verdictOn, type DeadlineOption, type Facts } from './begin.ts'
import { textExcerpt } from './describeReply.ts'

/** Options that go along with the message of a check. */
export type AskOptions = DeadlineOption &
  Pick<SendOptions, 'after' | 'contextId' | 'metadata' | 'configuration' | 'waitMs'>

/** Sends one message and judges the reply. Findings of the reply come before those of `judge`. */
export async function ask(
  agent: A2AAgent,
  message: MessageInput,
  options: AskOptions,
  budget: Budget,
  expected: string,
  judge: (reply: Reply) => Facts | Promise<Facts>,
): Promise<Verdict> {
  return verdictOn({ kind: 'agent', agent }, expected, async () => {
    const send: SendOptions = { ...pick(options), signal: budget.signal }
    if (budget.deadline !== undefined) send.deadline = budget.deadline
    let reply: Reply
    try {
      reply = await agent.send(message, send)
    } catch (error) {
      throw explained(error, agent)
    }
    const facts = await judge(reply)
    const excerpts = [...(facts.outcome === 'passed' ? [] : textExcerpt(reply)), ...(facts.excerpts ?? [])]
    return {
      ...facts,
      findings: [...reply.findings, ...(facts.findings ?? [])],
      ...(excerpts.length === 0 ? {} : { excerpts }),
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

/** Adds what only the typed address and the called one together tell. */
function explained(error: unknown, agent: A2AAgent): unknown {
  if (!isReplyError(error) || error.status !== 404) return error
  const mend = doubledPath(agent)
  if (mend === undefined) return error
  const { code, message, status } = error
  return new A2AReplyError(code, message, { status, mend, cause: error })
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
