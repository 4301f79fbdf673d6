import { earlierReply, sendConfiguration } from '../client/checkCall.ts'
import {
  alternatives,
  duration,
  filledText,
  oneOf,
  record,
  type Kind,
  type OptionsSpec,
} from '../core/validate.ts'
import { taskStates } from '../protocol/model.ts'

/** What every matcher that sends several messages takes along with each of them. */
export const multiTurnOptions: OptionsSpec = {
  waitMs: duration,
  metadata: record,
  configuration: sendConfiguration,
}

/** What every matcher that sends one message takes along with it. */
export const askOptions: OptionsSpec = { ...multiTurnOptions, contextId: filledText, after: earlierReply }

/** One of these task states; a state of the wire, or one in which no task settles, is explained. */
export function stateOf(states: readonly string[]): Kind {
  const one = oneOf(...states)
  return {
    ...one,
    what: alternatives(states.map((state) => JSON.stringify(state))),
    advice(value) {
      const plain = String(value)
        .replace(/^TASK_STATE_/i, '')
        .toLowerCase()
        .replaceAll('_', '-')
      if (states.includes(plain)) return `Write "${plain}".`
      return (taskStates as readonly string[]).includes(plain)
        ? `A task does not settle in state "${plain}".`
        : one.advice?.(value)
    },
  }
}

/** What `toPassSmokeCheck()` and `checkSmoke()` take. */
export const smokeOptions: OptionsSpec = { message: filledText, ...askOptions }
