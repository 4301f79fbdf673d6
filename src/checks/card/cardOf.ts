import type { Subject } from '../../agent/subject.ts'
import type { CardJudgement } from '../../client/types.ts'
import { noCardLead } from '../../card/discover.ts'
import type { CardObject, CardReport, Discovery } from '../../card/types.ts'
import type { CheckResult } from '../checkResult.ts'
import { count } from '../phrases.ts'

/** A subject's card, with the report of the rules and, unless it was passed as an object, how it was found. */
export interface SubjectCard {
  report: CardReport
  discovery?: Discovery
}

/** Fetches an agent's card, once per handle, or takes the card that was passed. Throws A2AError if the check cannot be made. */
export async function cardOf(subject: Subject, judgedBy: CardJudgement = {}): Promise<SubjectCard> {
  if (subject.kind === 'agent') return subject.agent.card(judgedBy)
  // Loaded with the first card, so that tests without one do not pay for the rules.
  const { checkAgentCard } = await import('../../card/checkAgentCard.ts')
  return { report: checkAgentCard(subject.card, judgedBy) }
}

/** The card, or the result that explains why there is no card. */
export function cardOrResult({
  report,
  discovery,
}: SubjectCard): { card: CardObject } | { result: CheckResult } {
  if (report.card !== undefined) return { card: report.card }
  const { findings } = report
  if (discovery !== undefined && discovery.found === undefined) {
    return { result: { ...noCard(discovery), findings } }
  }
  const where = discovery?.found === undefined ? '' : ` at ${discovery.found.url}`
  return {
    result: {
      outcome: 'failed',
      received: `a document${where} that is not an agent card`,
      ...tried(discovery),
      findings,
    },
  }
}

/** The locations that were tried; none for a card that was passed as an object. */
export function tried(discovery: Discovery | undefined): Pick<CheckResult, 'attempts'> {
  return discovery === undefined || discovery.attempts.length === 0 ? {} : { attempts: discovery.attempts }
}

/** A server answered, but has no card. */
function noCard(discovery: Discovery): CheckResult {
  const { attempts } = discovery
  const { telling, fix } = noCardLead(attempts)
  const received = `no agent card at ${count(attempts.length, 'location')}`
  if (telling === undefined) return { outcome: 'failed', received, ...tried(discovery) }
  return {
    outcome: 'failed',
    // The most telling status leads: a 401 matters more than the 404s next to it.
    received: `${telling.outcome} from ${telling.url}; ${received}`,
    ...tried(discovery),
    fix,
  }
}
