import type { MessageInput } from '../src/client/types.ts'
import { checkAskForInput, type AskForInputOptions } from '../src/checks/multiTurn/checkAskForInput.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'
import { anything, countingNumber, either, fn, truth } from '../src/core/validate.ts'
import { message } from './askOptions.ts'
import { multiTurnOptions } from './messageOptions.ts'

/** Passes when the agent asks back (input-required), and the answer completes the same task. Sends the message and the answers. */
export const toAskForInput: AsyncMatcher<[message: MessageInput, options: AskForInputOptions]> =
  defineMatcher({
    name: 'toAskForInput',
    subject: 'agent',
    args: [{ name: 'message', kind: message }],
    options: {
      answer: either(message, fn),
      expectedQuestion: anything,
      expected: anything,
      exact: truth,
      maxAnswers: countingNumber,
      ...multiTurnOptions,
    },
    expected: () => 'a question (input-required), and after the answer the same task completed',
    check: checkAskForInput,
  })
