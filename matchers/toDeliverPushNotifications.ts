import type { MessageInput } from '../src/client/types.ts'
import { checkPush, type PushOptions } from '../src/checks/push/checkPush.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'
import { countingNumber, duration, filledText, oneOf, record, truth } from '../src/core/validate.ts'
import { askOptions, message } from './askOptions.ts'

/** Passes when what the agent posts of a task is complete, in order and authenticated. Sends one message and receives notifications. */
export const toDeliverPushNotifications: AsyncMatcher<[message: MessageInput, options?: PushOptions]> =
  defineMatcher({
    name: 'toDeliverPushNotifications',
    subject: 'agent',
    args: [{ name: 'message', kind: message }],
    options: {
      ...askOptions,
      token: filledText,
      authentication: record,
      register: oneOf('message', 'create'),
      publicUrl: filledText,
      port: countingNumber,
      host: filledText,
      deliveryMs: duration,
      checkDelete: truth,
      force: truth,
    },
    expected: () => 'push notifications that are complete, in order and from the agent',
    check: checkPush,
  })
