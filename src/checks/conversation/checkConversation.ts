import type { A2AAgent } from '../../agent/types.ts'
import { systemClock } from '../../clock.ts'
import { passConversation } from '../../conversation/passConversation.ts'
import type { ConversationResult, PassConversationOptions } from '../../conversation/types.ts'
import { systemDeps } from '../../deps.ts'
import { A2AConnectionError, type A2AErrorCode } from '../../errors.ts'
import type { Finding } from '../../finding.ts'
import type { Budget, TestFacts } from '../../matcher/types.ts'
import type { Verdict } from '../../verdict.ts'
import { criterionFindings, judged, mendOf, noted } from './judged.ts'

/** Holds a talk, or several, judges it, and makes a verdict of the result. */
export async function checkConversation(
  agent: A2AAgent,
  [options]: readonly [options: PassConversationOptions],
  budget: Budget,
  { test }: { test?: TestFacts },
): Promise<Verdict> {
  const name = options.name ?? test?.name
  const time = within(budget)
  try {
    const result = await passConversation(
      agent,
      { ...options, ...(name !== undefined && { name }) },
      {
        deps: systemDeps(),
        signal: time.signal,
        ...(time.deadline !== undefined && { deadline: time.deadline }),
        ...(test?.retries !== undefined && { retries: test.retries }),
        owner: 'toPassConversation',
      },
    )
    return verdictOf(agent, result, options)
  } finally {
    time.close()
  }
}

/** How long a talk may take to hand over what it has when time is up; less than that is kept free before the matcher's own end. */
const handOverMs = 150

/** The time of the matcher, less what it takes to tell of it: what was said until then must not be lost. */
function within(budget: Budget): { signal: AbortSignal; deadline?: number; close(): void } {
  const controller = new AbortController()
  const onAbort = (): void => controller.abort(budget.signal.reason)
  budget.signal.addEventListener('abort', onAbort, { once: true })
  const now = systemClock.now()
  const leftMs = budget.deadline === undefined ? undefined : budget.deadline - now
  const forTalkMs =
    leftMs === undefined ? undefined : Math.max(0, leftMs - Math.min(handOverMs, leftMs * 0.2))
  const stop =
    forTalkMs === undefined
      ? () => {}
      : systemClock.after(Math.min(forTalkMs, 2 ** 31 - 1), () =>
          controller.abort(new A2AConnectionError('DEADLINE', 'time was up')),
        )
  return {
    signal: controller.signal,
    ...(forTalkMs !== undefined && { deadline: now + forTalkMs }),
    close() {
      stop()
      budget.signal.removeEventListener('abort', onAbort)
    },
  }
}

function verdictOf(agent: A2AAgent, result: ConversationResult, options: PassConversationOptions): Verdict {
  const { outcome, shown, statistics, warnings } = result
  const { run, judgement } = shown
  const fault = shown.fault ?? run.fault
  const told = judged(shown)
  const trial = statistics === undefined ? '' : trialsText(result)
  const received = trial === '' ? told : `${trial}; ${told}`
  const mend = mendOf(shown)
  const faulty: Finding[] =
    fault?.outcome === 'failed'
      ? [{ id: fault.finding ?? 'conversation/agent-failed', level: 'error', message: received }]
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
    exchanges: fault === undefined ? [] : run.exchanges,
    secrets: run.secrets,
    conversation: result,
    ...(mend !== undefined && { mend }),
    ...(outcome === 'error' && fault !== undefined && { code: fault.code as A2AErrorCode }),
    unanswered: fault?.unanswered ?? false,
    ...(judgement !== undefined && { scores: { conversation: judgement.score } }),
  }
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
