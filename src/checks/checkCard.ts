import type { Subject } from '../agent/subject.ts'
import { checkAgentCard } from '../card/checkAgentCard.ts'
import type { CardOptions, CardReport, Discovery } from '../card/types.ts'
import type { Finding } from '../finding.ts'
import type { Verdict } from '../verdict.ts'
import { verdictOn, type Facts } from './begin.ts'
import { cardOf, noCard, notACard } from './cardOf.ts'
import { count, listed } from './show.ts'

/** Judges the agent's card by the rules of its version; scores `card` 1 without errors, else 0 (the product's card table). */
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
    if (discovery !== undefined && discovery.found === undefined) return noCard(discovery)
    return judge(judgedBy(subject, options, report, discovery), failOn, discovery)
  })
}

/** The report by the matcher's own options, which stand above those of the handle. */
function judgedBy(
  subject: Subject,
  { rules, version, bindings }: CardOptions,
  report: CardReport,
  discovery: Discovery | undefined,
): CardReport {
  if (rules === undefined && version === undefined && bindings === undefined) return report
  const given: CardOptions = {}
  const handle = subject.kind === 'agent' ? subject.agent.options : {}
  const theVersion = version ?? handle.version
  const theBindings = bindings ?? handle.bindings
  if (rules !== undefined) given.rules = rules
  if (theVersion !== undefined) given.version = theVersion
  if (theBindings !== undefined) given.bindings = theBindings
  if (subject.kind === 'card') return checkAgentCard(subject.card, given)
  const found = discovery?.found
  if (found === undefined) return report
  return checkAgentCard(found.json, {
    ...given,
    cardUrl: found.url,
    typedUrl: subject.agent.url,
    response: { mediaType: found.mediaType, headers: found.headers },
  })
}

function judge(
  report: CardReport,
  failOn: NonNullable<CardOptions['failOn']>,
  discovery: Discovery | undefined,
): Facts {
  const { shape } = report
  if (shape.kind === 'not-a2a') return notACard(shape.looksLike, discovery)
  const where = discovery === undefined ? {} : { attempts: discovery.attempts }
  if (shape.kind === 'ambiguous') {
    return {
      ...where,
      outcome: 'inconclusive',
      received: `a card that no single version's rules can judge: ${shape.why}`,
      findings: report.findings,
      mend: "Say which rules apply: `version: '0.3'` or `version: '1.0'`.",
    }
  }
  const noticed = discovery?.findings ?? []
  const findings = [...report.findings, ...noticed.filter((finding) => !known(report.findings, finding))]
  const errors = findings.filter(({ level }) => level === 'error').length
  const warnings = findings.filter(({ level }) => level === 'warning').length
  const breaks = { error: errors, warning: errors + warnings, never: 0 }[failOn]
  return {
    ...where,
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
