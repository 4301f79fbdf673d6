import type { DeadlineOption } from '../src/checks/checkResult.ts'
import { checkSkill, skillKeys, type PartialSkill } from '../src/checks/card/checkSkill.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'
import { anything, either, filledText, optionsOf, regExp } from '../src/core/validate.ts'

const skill = optionsOf(Object.fromEntries(skillKeys.map((key) => [key, anything])))

/** Passes when the card lists a skill with this id, or one whose id or name matches. Sends GETs for the card. */
export const toAdvertiseSkill: AsyncMatcher<
  [idOrPattern: string | RegExp, partial?: PartialSkill, options?: DeadlineOption]
> = defineMatcher({
  name: 'toAdvertiseSkill',
  subject: 'agent-or-card',
  args: [
    { name: 'idOrPattern', kind: either(filledText, regExp) },
    { name: 'partial', kind: skill, required: false },
  ],
  expected: () => 'a card that advertises the skill',
  check: checkSkill,
})
