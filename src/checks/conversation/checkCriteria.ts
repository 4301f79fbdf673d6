import {
  judgeByCriteria,
  type JudgeTranscriptOptions,
  type CriteriaResult,
} from '../../judge/judgeTranscript.ts'
import type { ConversationRun } from '../../transcript/types.ts'
import { systemDeps } from '../../core/deps.ts'
import type { Criterion } from '../../judge/types.ts'
import type { Budget, TestFacts } from '../types.ts'
import type { Verdict } from '../verdict.ts'
import { criteriaPhrase, resultText } from './resultText.ts'
import { timeToTell } from './handOver.ts'
import { verdictParts } from './conversationVerdict.ts'

/** Options of `toMeetCriteria()`. */
export type MeetCriteriaOptions = JudgeTranscriptOptions

/** Judges a recorded conversation; the agent is not called. */
export async function checkCriteria(
  run: ConversationRun,
  [criteria, options = {}]: readonly [criteria: string | readonly Criterion[], options?: MeetCriteriaOptions],
  budget: Budget,
  { test }: { test?: TestFacts },
): Promise<Verdict> {
  const name = options.name ?? test?.name
  const time = timeToTell(budget)
  try {
    const met = await judgeByCriteria(
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

function verdictOf(met: CriteriaResult, { threshold = 1 }: MeetCriteriaOptions): Verdict {
  const { run, judgement, outcome, warnings } = met
  return {
    ...verdictParts(met, resultText(met), { outcome, notes: warnings }),
    agent: run.agent,
    expected: criteriaPhrase(judgement?.criteria.length, threshold),
    exchanges: [],
    conversation: { run, ...(judgement !== undefined && { judgement }) },
  }
}
