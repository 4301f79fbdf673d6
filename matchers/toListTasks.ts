import { taskStates } from '../src/protocol/model.ts'
import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { countingNumber, duration, filledText, flag, numberFrom, wholeNumber } from '../src/core/validate.ts'
import { message } from '../src/client/checkCall.ts'
import { stateOf } from '../src/checks/options.ts'

/**
 * Passes when the agent lists its tasks as A2A 1.0 requires: newest first, complete across pages, filtered as requested.
 * Sends list requests; with `message`, sends that message a few times first.
 */
export const toListTasks: NamedMatcher<'toListTasks'> = defineMatcher({
  name: 'toListTasks',
  subject: 'agent',
  options: {
    message,
    tasks: countingNumber,
    waitMs: duration,
    contextId: filledText,
    status: stateOf(taskStates),
    pageSize: numberFrom(1, 100),
    historyLength: wholeNumber,
    statusTimestampAfter: filledText,
    includeArtifacts: flag,
    maxPages: countingNumber,
  },
  expected: () => 'lists of tasks that are ordered, complete and filtered as requested',
  load: async () => (await import('../src/checks/list/checkList.ts')).checkList,
})
