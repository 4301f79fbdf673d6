import type { A2AAgent } from '../../agent/types.ts'
import { isAgentCard } from '../../card/isAgentCard.ts'
import type { CardObject } from '../../card/types.ts'
import type { Budget } from '../types.ts'
import type { Verdict } from '../verdict.ts'
import { failing, verdictOn, type DeadlineOption, type CheckResult } from '../checkResult.ts'
import { cardOf, cardOrResult } from '../card/cardOf.ts'
import { isRecord, listed } from '../phrases.ts'
import { findBinding } from '../../protocol/bindingNames.ts'

/** Options of `toAnswerCardAtEndpoint()`. */
export type EndpointCardOptions = DeadlineOption

const fix = 'Return the card for GET at the endpoint that answers POST.'

/** Checks that GET at the endpoint, where calls are posted, returns the published card. */
export async function checkEndpointCard(
  agent: A2AAgent,
  _args: readonly [options?: EndpointCardOptions],
  budget: Budget,
): Promise<Verdict> {
  const subject = { kind: 'agent', agent } as const
  return verdictOn(subject, 'the agent card as the answer to GET at the endpoint', async () => {
    const read = cardOrResult(await cardOf(subject))
    if ('result' in read) return read.result
    const all = await agent.interfaces(budget.signal)
    const to = all.find(({ binding }) => findBinding(binding) === 'JSONRPC') ?? all[0]
    const answer =
      to &&
      (await agent.probe({
        to,
        operation: 'send',
        method: 'GET',
        url: to.url,
        // With the headers of the request for the card, because some agents choose the card by version.
        headers: { 'a2a-version': '1.0' },
        signal: budget.signal,
      }))
    if (answer === undefined) return failing('card/not-at-endpoint', 'a card without an endpoint')
    const { status, mediaType, text } = answer
    const where = `GET ${to?.url ?? ''}`
    const json = parse(text)
    const said = `${where} was answered with HTTP ${status}${mediaType === '' ? '' : ` ${mediaType}`}`
    // The card was found, so the agent exists; refusing GET is an answer as well.
    const unanswered = status >= 500
    if (status !== 200) return failing('card/not-at-endpoint', said, { fix, unanswered })
    if (!isRecord(json) || !isAgentCard(json)) {
      return failing('card/not-at-endpoint', `${said}, which is not an agent card`, { fix, unanswered })
    }
    return compare(read.card, json, where)
  })
}

function compare(published: CardObject, found: CardObject, where: string): CheckResult {
  const keys = [...new Set([...Object.keys(published), ...Object.keys(found)])]
  const other = keys.filter((key) => canonical(published[key]) !== canonical(found[key]))
  if (other.length === 0) return { outcome: 'passed', received: `the published card from ${where}` }
  return failing(
    'card/endpoint-differs',
    `${where} returns a card that differs from the published one: ${listed(other)} ${other.length === 1 ? 'differs' : 'differ'}`,
    { fix: 'Serve both from one source.' },
  )
}

/** JSON with sorted members, so that their order does not matter. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      isRecord(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'undefined'
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown
  } catch {
    return undefined
  }
}
