import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { duration, flag, wholeNumber } from '../src/core/validate.ts'
import { message } from '../src/client/checkCall.ts'
import { askOptions } from '../src/checks/options.ts'

const { waitMs: _, ...along } = askOptions

/**
 * Passes when the task that a message starts can be canceled while it is running, and stays canceled.
 * Sends one message and one cancel request, and polls the task.
 */
export const toCancelTask: NamedMatcher<'toCancelTask'> = defineMatcher({
  name: 'toCancelTask',
  subject: 'agent',
  args: [{ name: 'message', kind: message }],
  options: { ...along, cancelMs: duration, stayMs: wholeNumber, allowRefusal: flag },
  expected: () => 'a running task that can be canceled and stays canceled',
  load: async () => (await import('../src/checks/tasks/checkCancel.ts')).checkCancel,
})
