import type { DeadlineOption } from '../src/checks/checkResult.ts'
import { capabilityNames, checkCapability, type CapabilityName } from '../src/checks/card/checkCapability.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'
import { either, oneOf, type Kind } from '../src/core/validate.ts'

const names = oneOf(...capabilityNames)
const extension: Kind = {
  what: 'the URI of an extension',
  accepts: (value) => typeof value === 'string' && value.includes(':'),
}
const capability: Kind = { ...either(names, extension), advice: (value) => names.advice?.(value) }

/** Passes when the card declares the capability, or the extension with this URI. Sends GETs for the card. */
export const toAdvertiseCapability: AsyncMatcher<
  [name: CapabilityName | `${string}:${string}`, options?: DeadlineOption]
> = defineMatcher({
  name: 'toAdvertiseCapability',
  subject: 'agent-or-card',
  args: [{ name: 'name', kind: capability }],
  expected: () => 'a card that advertises the capability',
  check: checkCapability,
})
