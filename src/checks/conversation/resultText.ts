import { finding } from '../../findings/finding.ts'
import { isLastUnanswered } from '../../judge/judgeRun.ts'
import type { TrialResult } from '../../conversation/types.ts'
import type { Finding } from '../../findings/types.ts'
import type { CriterionResult, Judgement } from '../../judge/types.ts'
import { score } from '../../judge/score.ts'
import { count, listed, quote } from '../phrases.ts'

/** Whether a conversation failed only because undecided criteria count as unmet. */
export function isUndecided({ run, judgement, fault = run.fault, outcome }: JudgedResult): boolean {
  if (outcome !== 'failed' || fault !== undefined || judgement === undefined) return false
  return score(judgement.criteria, judgement.threshold).outcome === 'inconclusive'
}

/** A conversation and how it was judged. */
export type JudgedResult = Pick<TrialResult, 'run' | 'judgement' | 'fault' | 'outcome' | 'check'>

/** The result of a conversation in one phrase: `score 0.5, 1 required; not met: c2 "…"`. */
export function resultText({ run, judgement, fault = run.fault, outcome, check }: JudgedResult): string {
  const turns = count(run.turns, 'turn')
  if (fault !== undefined) {
    const about = judgement === undefined ? '' : `; until then ${scoreText(judgement)}`
    return about === '' ? fault.message : `${fault.message.replace(/\.$/, '')}${about}`
  }
  if (outcome === 'invalid' && check !== undefined) {
    return `a simulated user that ${check.severity} the agent: ${check.why}`
  }
  if (judgement === undefined) return `a conversation of ${turns} that was not judged`
  const open =
    outcome === 'inconclusive' && isLastUnanswered(run) ? '; the last one was not answered in time' : ''
  return `${scoreText(judgement)}, after ${turns}${open}`
}

/** The result of the criteria alone. */
export function scoreText(judgement: Judgement): string {
  const { score, threshold, criteria } = judgement
  const broken = criteria.filter(({ kind, verdict }) => kind === 'mustNot' && verdict === 'not_met')
  const unmet = criteria.filter(({ kind, verdict }) => kind !== 'mustNot' && verdict === 'not_met')
  const unknown = criteria.filter(({ verdict }) => verdict === 'unknown')
  return [
    `score ${rounded(score)}${score + 1e-9 < threshold ? `, ${rounded(threshold)} required` : ''}`,
    ...named('broken', broken),
    ...named('not met', unmet),
    ...named('undecided', unknown),
  ].join('; ')
}

const mostNamed = 3

function named(what: string, criteria: readonly CriterionResult[]): string[] {
  if (criteria.length === 0) return []
  const shown = criteria.slice(0, mostNamed).map(({ id, text }) => `${id} ${quote(text, 80)}`)
  const more = criteria.length - shown.length
  return [`${what}: ${listed([...shown, ...(more > 0 ? [`${more} more`] : [])])}`]
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** The criteria that were not met, as findings. */
export function criterionFindings({ criteria }: Judgement): Finding[] {
  return criteria.flatMap(({ id, kind, verdict, text, reason }): Finding[] => {
    if (verdict === 'met') return []
    const message = `${id} ${quote(text, 80)}${reason === '' ? '' : `: ${reason}`}`
    if (verdict === 'unknown') return [finding('criterion/undecided', message, { fix: undefined })]
    return [{ id: kind === 'mustNot' ? 'criterion/broken' : 'criterion/not-met', level: 'error', message }]
  })
}

/** What a model wrote, if that is why there is no verdict. */
export function rawExcerpt({ run, fault = run.fault }: JudgedResult): { label: string; text: string }[] {
  return fault?.raw === undefined ? [] : [{ label: 'The model wrote', text: fault.raw }]
}

/** Warnings next to the result. */
export function noted(warnings: readonly string[]): Finding[] {
  return warnings.map((message) => finding('conversation/note', message, { fix: undefined }))
}

/** What to do about a conversation that did not pass. */
export function fixOf({ run, judgement, fault = run.fault, outcome }: JudgedResult): string | undefined {
  if (fault?.fix !== undefined) return fault.fix
  if (outcome !== 'passed' && run.endReason === 'deadline') {
    return 'Raise the test timeout, e.g. it(name, fn, 120_000), or lower maxTurns: the deadline passed during the conversation.'
  }
  if (outcome !== 'passed' && run.endReason === 'budget') {
    return 'Raise the budget, or lower maxTurns: it was used up during the conversation.'
  }
  if (outcome === 'inconclusive') return undecidedFix(judgement)
  if (outcome === 'invalid') {
    return 'This says nothing about the agent. Run it again; simpler facts, a shorter persona or a stronger simulator model make it less likely.'
  }
  return undefined
}

function undecidedFix(judgement: Judgement | undefined): string {
  const steered = judgement?.injection?.steered === true
  return steered
    ? 'The transcript steers this judge, so its verdicts mean nothing. Choose another judge model, or decide by code: { check, description }.'
    : "Word the criterion as something that the agent's own messages can show, decide it by code ({ check, description }), or set unknownAs: 'not_met'."
}

/** Completes "Expected: …": `a conversation that meets its 2 criteria with a score of at least 0.8`. */
export function criteriaPhrase(count: number | undefined, threshold: number): string {
  const which = count === undefined ? 'its criteria' : count === 1 ? 'its criterion' : `its ${count} criteria`
  return `a conversation that meets ${which}${threshold === 1 ? '' : ` with a score of at least ${threshold}`}`
}
