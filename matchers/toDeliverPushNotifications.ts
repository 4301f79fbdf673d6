import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import {
  duration,
  filledText,
  flag,
  httpUrl,
  numberFrom,
  oneOf,
  optionsOf,
  required,
  secret,
  type Kind,
} from '../src/core/validate.ts'
import { message } from '../src/client/checkCall.ts'
import { askOptions } from '../src/checks/options.ts'

const scheme: Kind = {
  what: 'an HTTP authentication scheme such as "Bearer"',
  accepts: (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
}

/** Passes if the push notifications of a task are complete, in order and authenticated. Sends one message and receives notifications. */
export const toDeliverPushNotifications: NamedMatcher<'toDeliverPushNotifications'> = defineMatcher({
  name: 'toDeliverPushNotifications',
  subject: 'agent',
  args: [{ name: 'message', kind: message }],
  options: {
    ...askOptions,
    token: secret(filledText),
    authentication: optionsOf({ scheme: required(scheme), credentials: secret(filledText) }),
    register: oneOf('message', 'create'),
    publicUrl: httpUrl,
    port: numberFrom(1, 65_535),
    host: filledText,
    deliveryMs: duration,
    checkDelete: flag,
    force: flag,
  },
  expected: () => 'push notifications that are complete, in order and authenticated',
  load: async () => (await import('../src/checks/push/checkPush.ts')).checkPush,
})
