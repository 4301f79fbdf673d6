import { capabilityNames } from '../src/checks/options.ts'
import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { either, oneOf, type Kind } from '../src/core/validate.ts'

const names = oneOf(...capabilityNames)
const extension: Kind = {
  what: 'the URI of an extension',
  accepts: (value) => typeof value === 'string' && value.includes(':'),
}
const capability: Kind = { ...either(names, extension), advice: (value) => names.advice?.(value) }

/** Passes when the card declares the capability, or the extension with this URI. Sends GETs for the card. */
export const toAdvertiseCapability: NamedMatcher<'toAdvertiseCapability'> = defineMatcher({
  name: 'toAdvertiseCapability',
  subject: 'agent-or-card',
  args: [{ name: 'name', kind: capability }],
  expected: () => 'a card that advertises the capability',
  load: async () => (await import('../src/checks/card/checkCapability.ts')).checkCapability,
})
