import { skillKeys } from '../src/checks/options.ts'
import { defineMatcher } from '../src/runners/defineMatcher.ts'
import type { NamedMatcher } from '../src/runners/matcherTypes.ts'
import { anything, either, filledText, optionsOf, regExp } from '../src/core/validate.ts'

const skill = optionsOf(Object.fromEntries(skillKeys.map((key) => [key, anything])))

/** Passes when the card lists a skill with this id, or one whose id or name matches. Sends GETs for the card. */
export const toAdvertiseSkill: NamedMatcher<'toAdvertiseSkill'> = defineMatcher({
  name: 'toAdvertiseSkill',
  subject: 'agent-or-card',
  args: [
    { name: 'idOrPattern', kind: either(filledText, regExp) },
    { name: 'partial', kind: skill, required: false },
  ],
  expected: () => 'a card that advertises the skill',
  load: async () => (await import('../src/checks/card/checkSkill.ts')).checkSkill,
})
