import {
  meetCriteria,
  type JudgeTranscriptOptions,
  type MetCriteria,
} from '../../conversation/judgeTranscript.ts'
import type { ConversationRun } from '../../conversation/types.ts'
import { systemDeps } from '../../deps.ts'
import type { A2AErrorCode } from '../../errors.ts'
import type { Finding } from '../../finding.ts'
import type { Criterion } from '../../judge/types.ts'
import type { Budget, TestFacts } from '../../matcher/types.ts'
import type { Verdict } from '../../verdict.ts'
import { criterionFindings, isUndecided, judged, mendOf, noted, rawExcerpt } from './judged.ts'
import { timeToTell } from './timeToTell.ts'

/** Options of `toMeetCriteria()`. */
export type MeetCriteriaOptions = JudgeTranscriptOptions

/** Judges a talk that was held before; the agent is not asked. */
export async function checkCriteria(
  run: ConversationRun,
  [criteria, options = {}]: readonly [criteria: string | readonly Criterion[], options?: MeetCriteriaOptions],
  budget: Budget,
  { test }: { test?: TestFacts },
): Promise<Verdict> {
  const name = options.name ?? test?.name
  const time = timeToTell(budget)
  try {
    const met = await meetCriteria(
      run,
      criteria,
      { ...options, ...(name !== undefined && { name }) },
      {
        deps: systemDeps(),
        signal: time.signal,
        ...(time.deadline !== undefined && { deadline: time.deadline }),
        owner: 'toMeetCriteria',
      },
    )
    return verdictOf(met, options)
  } finally {
    time.close()
  }
}

function verdictOf(met: MetCriteria, { threshold = 1 }: MeetCriteriaOptions): Verdict {
  const { run, judgement, outcome, fault, warnings } = met
  const received = judged(met)
  const mend = mendOf(met)
  const faulty: Finding[] =
    fault?.outcome === 'failed' && fault.finding !== undefined
      ? [{ id: fault.finding, level: 'error', message: received }]
      : []
  const count = judgement?.criteria.length
  const which =
    count === undefined ? 'these criteria' : count === 1 ? 'its criterion' : `its ${count} criteria`
  return {
    outcome,
    agent: run.agent,
    expected: `a talk that meets ${which}${threshold === 1 ? '' : ` with a score of at least ${threshold}`}`,
    received,
    findings: [
      ...faulty,
      ...(judgement === undefined ? [] : criterionFindings(judgement)),
      ...noted(warnings),
    ],
    exchanges: [],
    secrets: run.secrets,
    conversation: { run, ...(judgement !== undefined && { judgement }) },
    excerpts: rawExcerpt(met),
    ...(mend !== undefined && { mend }),
    ...(outcome === 'error' && fault !== undefined && { code: fault.code as A2AErrorCode }),
    unanswered: fault?.unanswered ?? false,
    undecided: isUndecided(met),
    ...(judgement !== undefined && { scores: { conversation: judgement.score } }),
  }
}
