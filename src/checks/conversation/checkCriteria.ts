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
import { conversationTime } from './conversationTime.ts'
import { verdictParts } from './conversationVerdict.ts'

/** Options of `toMeetCriteria()`. */
export type MeetCriteriaOptions = JudgeTranscriptOptions

/** Judges a recorded conversation; the agent is not called. */
export async function checkCriteria(
  run: ConversationRun,
  [criteria, options = {}]: readonly [
    criteria: string | readonly Criterion[],
    options?: MeetCriteriaOptions | undefined,
  ],
  budget: Budget,
  { test }: { test?: TestFacts },
): Promise<Verdict> {
  const name = options.name ?? test?.name
  const time = conversationTime(budget)
  try {
    const result = await judgeByCriteria(run, criteria, name === undefined ? options : { ...options, name }, {
      deps: systemDeps(),
      signal: time.signal,
      deadline: time.deadline,
      owner: 'toMeetCriteria',
    })
    return verdictOf(result, options)
  } finally {
    time.close()
  }
}

function verdictOf(result: CriteriaResult, { threshold = 1 }: MeetCriteriaOptions): Verdict {
  const { run, judgement, outcome, warnings } = result
  return {
    ...verdictParts(result, resultText(result), { outcome, notes: warnings }),
    agent: run.agent,
    expected: criteriaPhrase(judgement?.criteria.length, threshold),
    exchanges: [],
    conversation: { run, ...(judgement !== undefined && { judgement }) },
  }
}
