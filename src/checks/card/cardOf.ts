import type { Subject } from '../../agent/subject.ts'
import type { CardJudgement } from '../../client/types.ts'
import { noCardLead } from '../../card/discover.ts'
import type { CardObject, CardReport, Discovery } from '../../card/types.ts'
import type { Facts } from '../checkResult.ts'
import { count } from '../phrases.ts'

/** A subject's card: what the rules say of it, and how it was found; for a card object there was nothing to find. */
export interface SubjectCard {
  report: CardReport
  discovery?: Discovery
}

/** Fetches an agent's card, once a handle, or takes the card that was given. Throws A2AError where nothing can be said. */
export async function cardOf(subject: Subject, judgedBy: CardJudgement = {}): Promise<SubjectCard> {
  if (subject.kind === 'agent') return subject.agent.card(judgedBy)
  // The rules load with the first card, so that a spec without one does not pay for them.
  const { checkAgentCard } = await import('../../card/checkAgentCard.ts')
  return { report: checkAgentCard(subject.card, judgedBy) }
}

/** The card as read, or the facts of a verdict that says why there is none. */
export function cardOrFacts({ report, discovery }: SubjectCard): { card: CardObject } | { facts: Facts } {
  if (report.card !== undefined) return { card: report.card }
  const { findings } = report
  if (discovery !== undefined && discovery.found === undefined) {
    return { facts: { ...noCard(discovery), findings } }
  }
  const where = discovery?.found === undefined ? '' : ` at ${discovery.found.url}`
  return {
    facts: {
      outcome: 'failed',
      received: `a document${where} that is no agent card`,
      ...tried(discovery),
      findings,
    },
  }
}

/** The locations that were tried, where any was: for a card that was given there is nothing to list. */
export function tried(discovery: Discovery | undefined): Pick<Facts, 'attempts'> {
  return discovery === undefined || discovery.attempts.length === 0 ? {} : { attempts: discovery.attempts }
}

/** A server answered, but has no card. */
function noCard(discovery: Discovery): Facts {
  const { attempts } = discovery
  const { telling, fix } = noCardLead(attempts)
  const received = `no agent card at ${count(attempts.length, 'location')}`
  if (telling === undefined) return { outcome: 'failed', received, ...tried(discovery) }
  return {
    outcome: 'failed',
    // The status that says most leads: a 401 matters more than the 404s beside it.
    received: `${telling.outcome} from ${telling.url}; ${received}`,
    ...tried(discovery),
    fix,
  }
}
