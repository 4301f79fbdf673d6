import type { Subject } from '../agent/subject.ts'
import { checkAgentCard } from '../card/checkAgentCard.ts'
import type { CardObject, CardReport, Discovery } from '../card/types.ts'
import type { Facts } from './begin.ts'
import { count } from './show.ts'

/** A subject's card: what the rules say of it, and how it was found; for a card object there was nothing to find. */
export interface SubjectCard {
  report: CardReport
  discovery?: Discovery
}

/** Fetches an agent's card, once a handle, or takes the card that was given. Throws A2AError where nothing can be said. */
export async function cardOf(subject: Subject): Promise<SubjectCard> {
  if (subject.kind === 'card') return { report: checkAgentCard(subject.card) }
  return subject.agent.card()
}

/** The card as read, or the facts of a verdict that says why there is none. */
export function cardOrFacts({ report, discovery }: SubjectCard): { card: CardObject } | { facts: Facts } {
  if (discovery !== undefined && discovery.found === undefined) return { facts: noCard(discovery) }
  if (report.shape.kind === 'not-a2a') return { facts: notACard(report.shape.looksLike, discovery) }
  if (report.card === undefined) {
    return { facts: { outcome: 'failed', received: 'a document that cannot be read as an agent card' } }
  }
  return { card: report.card }
}

/** A server answered, but has no card. */
export function noCard({ attempts, findings }: Discovery): Facts {
  const refused = attempts.find(({ status }) => status === 401 || status === 403)
  const broken = attempts.find(({ status }) => status !== undefined && status >= 500)
  const telling = refused ?? broken
  const tried = `no agent card at ${count(attempts.length, 'address')}`
  return {
    outcome: 'failed',
    // The status that says most leads: a 401 matters more than the 404s beside it.
    received: telling === undefined ? tried : `${telling.outcome} from ${telling.url}; ${tried}`,
    attempts,
    findings,
    mend:
      refused === undefined
        ? 'Serve the card at /.well-known/agent-card.json below the URL or at its origin, or name its address with `cardUrl`.'
        : 'Give `headers` or `credentials`: a2aAgent(url, {headers: {authorization: …}}).',
  }
}

/** Another format at the card's path. */
export function notACard(looksLike: string, discovery: Discovery | undefined): Facts {
  const where = discovery?.found === undefined ? '' : ` at ${discovery.found.url}`
  return {
    outcome: 'failed',
    received: `a JSON document${where} that is not an A2A agent card: it looks like ${looksLike}`,
    ...(discovery === undefined ? {} : { attempts: discovery.attempts, findings: discovery.findings }),
  }
}
