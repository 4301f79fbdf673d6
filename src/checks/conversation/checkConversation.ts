import type { A2AAgent } from '../../agent/types.ts'
import { passConversation } from '../../conversation/passConversation.ts'
import type { ConversationResult, PassConversationOptions } from '../../conversation/types.ts'
import { systemDeps } from '../../deps.ts'
import { A2AUsageError, type A2AErrorCode } from '../../errors.ts'
import type { Finding } from '../../finding.ts'
import type { Budget, TestFacts } from '../../matcher/types.ts'
import type { Verdict } from '../../verdict.ts'
import { criterionFindings, isUndecided, judged, mendOf, noted, rawExcerpt } from './judged.ts'
import { timeToTell } from './timeToTell.ts'

/** Holds a talk, or several, judges it, and makes a verdict of the result. */
export async function checkConversation(
  agent: A2AAgent,
  [options]: readonly [options?: PassConversationOptions],
  budget: Budget,
  { test }: { test?: TestFacts },
): Promise<Verdict> {
  if (options === undefined) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      'toPassConversation needs options: what is said, and what the agent must do.',
      { mend: 'Write toPassConversation({ script: ["…"], successCriteria: ["The agent …"] }).' },
    )
  }
  const time = timeToTell(budget)
  try {
    const result = await passConversation(agent, options, {
      deps: systemDeps(),
      signal: time.signal,
      ...(time.deadline !== undefined && { deadline: time.deadline }),
      ...(test !== undefined && { retries: test.retries, test }),
      owner: 'toPassConversation',
    })
    return verdictOf(agent, result, options)
  } finally {
    time.close()
  }
}

function verdictOf(agent: A2AAgent, result: ConversationResult, options: PassConversationOptions): Verdict {
  const { outcome, shown, statistics, warnings } = result
  const { run, judgement } = shown
  const fault = shown.fault ?? run.fault
  const told = judged(shown)
  const trial = statistics === undefined ? '' : trialsText(result)
  const received = trial === '' ? told : `${trial}: ${told}`
  const mend = mendOf(shown)
  const faulty: Finding[] =
    fault?.outcome === 'failed' && fault.finding !== undefined
      ? [{ id: fault.finding, level: 'error', message: received }]
      : []
  return {
    outcome,
    agent: agent.label(),
    expected: expectedOf(judgement?.criteria.length, options),
    received,
    findings: [
      ...faulty,
      ...(judgement === undefined ? [] : criterionFindings(judgement)),
      ...run.findings,
      ...noted(warnings),
    ],
    // A talk is told by its words; requests only where they may say why there are none.
    exchanges: isSilent(shown) ? run.exchanges : [],
    secrets: run.secrets,
    conversation: result,
    excerpts: rawExcerpt(shown),
    ...(mend !== undefined && { mend }),
    ...(outcome === 'error' && fault !== undefined && { code: fault.code as A2AErrorCode }),
    unanswered: fault?.unanswered ?? false,
    undecided: outcome === 'failed' && isUndecided(shown),
    ...(judgement !== undefined && { scores: { conversation: judgement.score } }),
  }
}

/** Whether an answer of the agent is missing or wrong: a model that failed is nothing that requests could explain. */
function isSilent({ run, fault = run.fault }: ConversationResult['shown']): boolean {
  return fault !== undefined && (run.endReason === 'agent_error' || run.endReason === 'deadline')
}

function expectedOf(
  criteria: number | undefined,
  { threshold = 1, trials = 1, passRate = 1 }: PassConversationOptions,
): string {
  const which =
    criteria === undefined ? 'its criteria' : criteria === 1 ? 'its criterion' : `its ${criteria} criteria`
  const score = threshold === 1 ? '' : ` with a score of at least ${threshold}`
  const rate = trials === 1 ? '' : `, in ${Math.ceil(passRate * trials - 1e-9)} of ${trials} trials`
  return `a talk that meets ${which}${score}${rate}`
}

function trialsText({ statistics, trials, shown }: ConversationResult): string {
  if (statistics === undefined) return ''
  const { passed, n, needed, planned } = statistics
  const at = trials.indexOf(shown) + 1
  return `${passed} of ${n} trials passed, ${needed} of ${planned} needed; trial ${at}`
}
