import { isServed } from '../agent/lifetime.ts'
import type { Subject } from '../agent/subject.ts'
import type { A2AAgent } from '../agent/types.ts'
import type { CardContext, CardOptions, CardReport, Discovery } from '../card/types.ts'
import type { Finding } from '../finding.ts'
import type { Verdict } from '../verdict.ts'
import { verdictOn, type Facts } from './begin.ts'
import { cardOf, cardOrFacts, tried } from './cardOf.ts'
import { count, listed } from './show.ts'

/** Judges the agent's card by the rules of its version; scores `card` 1 without errors, else 0. */
export async function checkCard(
  subject: Subject,
  [options = {}]: readonly [options?: CardOptions],
): Promise<Verdict> {
  const { failOn = 'error' } = options
  const expected = {
    error: 'an agent card without errors',
    warning: 'an agent card without errors and warnings',
    never: 'an agent card, whatever the rules say of it',
  }[failOn]
  return verdictOn(subject, expected, async () => {
    const { report, discovery } = await cardOf(subject)
    const judged = await judgedBy(subject, options, report, discovery)
    const read = cardOrFacts({ report: judged, ...(discovery && { discovery }) })
    return 'facts' in read ? { ...read.facts, scores: judged.scores } : judge(judged, failOn, discovery)
  })
}

/** The report by the matcher's own options, which stand above those of the handle. */
async function judgedBy(
  subject: Subject,
  { rules, version, bindings }: CardOptions,
  report: CardReport,
  discovery: Discovery | undefined,
): Promise<CardReport> {
  if (rules === undefined && version === undefined && bindings === undefined) return report
  const handle = subject.kind === 'agent' ? subject.agent.options : {}
  const theVersion = version ?? handle.version
  const theBindings = bindings ?? handle.bindings
  const options: CardOptions = {
    ...(rules && { rules }),
    ...(theVersion && { version: theVersion }),
    ...(theBindings && { bindings: theBindings }),
  }
  const { checkAgentCard } = await import('../card/checkAgentCard.ts')
  if (subject.kind === 'card') return checkAgentCard(subject.card, options)
  const found = discovery?.found
  if (found === undefined) return report
  return checkAgentCard(found.json, { ...options, ...contextOf(subject.agent, found) })
}

function contextOf(agent: A2AAgent, found: NonNullable<Discovery['found']>): CardContext {
  const context: CardContext = { typedUrl: agent.url, served: isServed(agent) }
  const { trustedOrigins, card } = agent.options
  if (trustedOrigins !== undefined) context.trustedOrigins = trustedOrigins
  // A card that was given to the handle was fetched from nowhere.
  if (card !== undefined) return context
  const { url, mediaType, headers } = found
  return { ...context, cardUrl: url, response: { mediaType, headers } }
}

function judge(
  report: CardReport,
  failOn: NonNullable<CardOptions['failOn']>,
  discovery: Discovery | undefined,
): Facts {
  const { shape } = report
  if (shape.kind !== 'card') {
    const received = "a card that no single version's rules can judge"
    return { outcome: 'inconclusive', received, ...tried(discovery), findings: report.findings }
  }
  const noticed = discovery?.findings ?? []
  const findings = [...report.findings, ...noticed.filter((finding) => !known(report.findings, finding))]
  const errors = findings.filter(({ level }) => level === 'error').length
  const warnings = findings.filter(({ level }) => level === 'warning').length
  const breaks = { error: errors, warning: errors + warnings, never: 0 }[failOn]
  return {
    ...tried(discovery),
    outcome: breaks === 0 ? 'passed' : 'failed',
    received: `a card with ${tally(errors, warnings)} by the ${count(report.rulesApplied, 'rule')} of A2A ${shape.version} (${shape.why})`,
    findings,
    scores: { card: errors === 0 ? 1 : 0 },
  }
}

function known(findings: readonly Finding[], { id, path }: Finding): boolean {
  return findings.some((finding) => finding.id === id && finding.path === path)
}

function tally(errors: number, warnings: number): string {
  if (errors + warnings === 0) return 'no error'
  const counts = [
    ...(errors > 0 ? [count(errors, 'error')] : []),
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
  ]
  return listed(counts)
}
