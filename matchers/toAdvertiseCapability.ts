import type { DeadlineOption } from '../src/checks/checkResult.ts'
import { checkCapability, type CapabilityName } from '../src/checks/card/checkCapability.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'
import { filledText } from '../src/core/validate.ts'

/** Passes when the card declares the capability, or the extension of this URI. Sends only the GETs of discovery. */
export const toAdvertiseCapability: AsyncMatcher<
  [name: CapabilityName | `${string}:${string}`, options?: DeadlineOption]
> = defineMatcher({
  name: 'toAdvertiseCapability',
  subject: 'agent-or-card',
  args: [{ name: 'name', kind: filledText }],
  expected: () => 'a card that advertises the capability',
  check: checkCapability,
})
