import type { DeadlineOption } from '../src/checks/checkResult.ts'
import { checkSkill, type PartialSkill } from '../src/checks/card/checkSkill.ts'
import { defineMatcher, type AsyncMatcher } from '../src/runners/defineMatcher.ts'
import { either, filledText, record, regExp } from '../src/core/validate.ts'

/** Passes when the card lists a skill of this id, or one whose id or name matches. Sends only the GETs of discovery. */
export const toAdvertiseSkill: AsyncMatcher<
  [idOrPattern: string | RegExp, partial?: PartialSkill, options?: DeadlineOption]
> = defineMatcher({
  name: 'toAdvertiseSkill',
  subject: 'agent-or-card',
  args: [
    { name: 'idOrPattern', kind: either(filledText, regExp) },
    { name: 'partial', kind: record, required: false },
  ],
  expected: () => 'a card that advertises the skill',
  check: checkSkill,
})
