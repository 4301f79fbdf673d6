import type { MeetCriteriaOptions } from '../src/checks/conversation/checkCriteria.ts'
import { judgeTranscriptOptions } from '../src/judge/options.ts'
import type { Criterion } from '../src/judge/types.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'
import { either, listOf, anything, filledText } from '../src/core/validate.ts'

/** Passes when a run, from `converse()`, meets these criteria. Sends nothing to the agent; calls the judge only for criteria in words. */
export const toMeetCriteria: AsyncMatcher<
  [criteria: string | readonly Criterion[], options?: MeetCriteriaOptions]
> = defineMatcher({
  name: 'toMeetCriteria',
  subject: 'conversation',
  args: [{ name: 'criteria', kind: either(filledText, listOf(anything)) }],
  options: judgeTranscriptOptions,
  costly: true,
  expected: () => 'a conversation that meets these criteria',
  check: async (...given) =>
    (await import('../src/checks/conversation/checkCriteria.ts')).checkCriteria(...given),
})
