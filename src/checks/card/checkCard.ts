import type { Subject } from '../../agent/subject.ts'
import type { CardOptions, CardReport, Discovery } from '../../card/types.ts'
import type { Finding } from '../../findings/types.ts'
import type { Verdict } from '../verdict.ts'
import { verdictOn, type CheckResult } from '../checkResult.ts'
import { cardOf, cardOrResult, tried } from './cardOf.ts'
import { count, listed } from '../phrases.ts'

/** Judges the agent's card by the rules of its version; scores `card` 1 without errors, else 0. */
export async function checkCard(
  subject: Subject,
  [options = {}]: readonly [options?: CardOptions],
): Promise<Verdict> {
  const { failOn = 'error', ...judgedBy } = options
  if (options.rules !== undefined) {
    const { checkRuleIds } = await import('../../card/ruleIds.ts')
    checkRuleIds('toHaveValidAgentCard', options.rules)
  }
  const expected = {
    error: 'an agent card without errors',
    warning: 'an agent card without errors and warnings',
    never: 'an agent card, with or without findings',
  }[failOn]
  return verdictOn(subject, expected, async () => {
    const card = await cardOf(subject, judgedBy)
    const read = cardOrResult(card)
    const { report, discovery } = card
    return 'result' in read ? { ...read.result, scores: report.scores } : judge(report, failOn, discovery)
  })
}

function judge(
  report: CardReport,
  failOn: NonNullable<CardOptions['failOn']>,
  discovery: Discovery | undefined,
): CheckResult {
  const { shape } = report
  if (shape.kind !== 'card') {
    const received = "a card that mixes versions, so no version's rules apply"
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
