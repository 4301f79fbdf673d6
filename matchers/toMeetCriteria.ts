import { judgeTranscriptOptions } from '../src/judge/options.ts'
import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { either, listOf, anything, filledText } from '../src/core/validate.ts'

/** Passes when a run, from `converse()`, meets these criteria. Sends nothing to the agent; calls the judge only for criteria in words. */
export const toMeetCriteria: NamedMatcher<'toMeetCriteria'> = defineMatcher({
  name: 'toMeetCriteria',
  subject: 'conversation',
  args: [{ name: 'criteria', kind: either(filledText, listOf(anything)) }],
  options: judgeTranscriptOptions,
  costly: true,
  expected: () => 'a conversation that meets these criteria',
  load: async () => (await import('../src/checks/conversation/checkCriteria.ts')).checkCriteria,
})
