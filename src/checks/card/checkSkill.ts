import type { Subject } from '../../agent/subject.ts'
import type { Verdict } from '../verdict.ts'
import { failing, verdictOn, type Facts } from '../checkResult.ts'
import { cardOf, cardOrFacts } from './cardOf.ts'
import { difference, test } from '../reply/deepDifference.ts'
import { count, didYouMean, isRecord, quote, show } from '../phrases.ts'

/** What else the skill must have: its lists contain at least these items, its texts are equal or match. */
export type PartialSkill = Readonly<Record<string, unknown>>

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
const skillsShown = 10

/** Looks for a skill in the card by its id, or by a RegExp that matches its id or name. */
export async function checkSkill(
  subject: Subject,
  [wanted, partial]: readonly [idOrPattern: string | RegExp, partial?: PartialSkill],
): Promise<Verdict> {
  const what =
    typeof wanted === 'string'
      ? `the skill ${quote(wanted)}`
      : `a skill whose id or name matches ${show(wanted)}`
  const more = partial === undefined ? '' : ` with ${show(partial)}`
  return verdictOn(subject, `a card that advertises ${what}${more}`, async () => {
    const read = cardOrFacts(await cardOf(subject))
    if ('facts' in read) return read.facts
    const skills = Array.isArray(read.card.skills) ? read.card.skills.filter(isRecord) : []
    return judge(skills, wanted, partial)
  })
}

function judge(
  skills: readonly Record<string, unknown>[],
  wanted: string | RegExp,
  partial: PartialSkill | undefined,
): Facts {
  const named = skills.filter((skill) => answersTo(skill, wanted))
  if (named.length === 0) {
    const ids = skills.map(({ id }) => String(id))
    const listed = ids.slice(0, skillsShown).map((id) => quote(id))
    const rest = ids.length > skillsShown ? ` and ${ids.length - skillsShown} more` : ''
    const near = typeof wanted === 'string' ? didYouMean(wanted, ids) : ''
    return failing(
      'card/no-skill',
      ids.length === 0
        ? 'a card without skills'
        : `a card with ${count(ids.length, 'skill')}: ${listed.join(', ')}${rest}.${near}`,
    )
  }
  const differences = named.map((skill) => {
    const found = partial === undefined ? undefined : difference(partial, skill, 'part', '')
    return found === undefined ? undefined : `the skill ${quote(String(skill.id))}, whose ${found}`
  })
  const fitting = named[differences.indexOf(undefined)]
  return fitting === undefined
    ? failing('card/skill-differs', differences.join('; '))
    : {
        outcome: 'passed',
        received: `the skill ${quote(String(fitting.id))}, ${quote(String(fitting.name))}`,
      }
}

function answersTo({ id, name }: Record<string, unknown>, wanted: string | RegExp): boolean {
  if (typeof wanted === 'string') return id === wanted
  return [id, name].some((text) => typeof text === 'string' && test(wanted, text))
}
