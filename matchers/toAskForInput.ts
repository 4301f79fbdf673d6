import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { anything, countingNumber, either, flag, fn, required } from '../src/core/validate.ts'
import { message } from '../src/client/checkCall.ts'
import { multiTurnOptions } from '../src/checks/options.ts'

/** Passes when the agent asks for input (`input-required`), and the answer completes the same task. Sends the message and the answers. */
export const toAskForInput: NamedMatcher<'toAskForInput'> = defineMatcher({
  name: 'toAskForInput',
  subject: 'agent',
  args: [{ name: 'message', kind: message }],
  options: {
    answer: required(either(message, fn)),
    expectedQuestion: anything,
    expected: anything,
    exact: flag,
    maxAnswers: countingNumber,
    ...multiTurnOptions,
  },
  expected: () => 'a question (input-required), and after the answer the same task completed',
  load: async () => (await import('../src/checks/multiTurn/checkAskForInput.ts')).checkAskForInput,
})
