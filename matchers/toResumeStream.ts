import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { countingNumber, either, oneOf, flag } from '../src/core/validate.ts'
import { message } from '../src/client/checkCall.ts'
import { askOptions } from '../src/checks/options.ts'

/** Passes if the stream of one message can be interrupted and resumed without losing events. Sends one message, subscribes and polls the task. */
export const toResumeStream: NamedMatcher<'toResumeStream'> = defineMatcher({
  name: 'toResumeStream',
  subject: 'agent',
  args: [{ name: 'message', kind: message }],
  options: { ...askOptions, after: either(oneOf('first-event'), countingNumber), force: flag },
  expected: () => 'a stream that can be interrupted and resumed without losing events',
  load: async () => {
    const { checkResume } = await import('../src/checks/stream/checkResume.ts')
    return (agent, args, budget) => checkResume(agent, args, budget)
  },
})
