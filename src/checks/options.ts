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
import { taskStates, type TaskState } from '../protocol/model.ts'

/** The send options of the matchers that send several messages. */
export const multiTurnOptions: OptionsSpec = {
  waitMs: duration,
  metadata: record,
  configuration: sendConfiguration,
}

/** The send options of the matchers that send one message. */
export const askOptions: OptionsSpec = { ...multiTurnOptions, contextId: filledText, after: earlierReply }

/** One of these task states. Explains states in their wire form, and states in which no task settles. */
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

/** The options of `toPassSmokeCheck()` and `checkSmoke()`. */
export const smokeOptions: OptionsSpec = { message: filledText, ...askOptions }

/** The capabilities that A2A defines; an extension is named by its URI. */
export const capabilityNames = [
  'streaming',
  'pushNotifications',
  'stateTransitionHistory',
  'extendedAgentCard',
] as const

export type CapabilityName = (typeof capabilityNames)[number]

export const skillKeys: readonly string[] = [
  'id',
  'name',
  'description',
  'tags',
  'examples',
  'inputModes',
  'outputModes',
  'security',
  'securityRequirements',
]

/** A state in which a task can settle. */
export type SettledState = Exclude<TaskState, 'submitted' | 'working' | 'unknown'>

/** The states in which a task can settle. */
export const settledStates: readonly SettledState[] = [
  'completed',
  'input-required',
  'auth-required',
  'failed',
  'canceled',
  'rejected',
]

/** A state in which a task can settle after the authorization was decided. */
export type AuthorizedState = Exclude<SettledState, 'auth-required'>

/** The states in which a task can settle after the authorization was decided. */
export const authorizedStates: readonly AuthorizedState[] = settledStates.filter(
  (state): state is AuthorizedState => state !== 'auth-required',
)
