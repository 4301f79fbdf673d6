import { plainText } from '../../core/guards.ts'
import type { Subject } from '../../agent/subject.ts'
import type { Verdict } from '../verdict.ts'
import { failing, verdictOn, type CheckResult } from '../checkResult.ts'
import { cardOf, cardOrResult } from './cardOf.ts'
import { difference, test } from '../reply/deepDifference.ts'
import { count, didYouMean, isRecord, quote, show } from '../phrases.ts'

/** What else the skill must have: its lists contain at least these items, its texts are equal or match. */
export type PartialSkill = Readonly<Record<string, unknown>>

const skillsShown = 10

/** Looks for a skill in the card by its id, or by a RegExp that matches its id or name. */
export async function checkSkill(
  subject: Subject,
  [idOrPattern, partial]: readonly [idOrPattern: string | RegExp, partial?: PartialSkill],
): Promise<Verdict> {
  const what =
    typeof idOrPattern === 'string'
      ? `the skill ${quote(idOrPattern)}`
      : `a skill whose id or name matches ${show(idOrPattern)}`
  const more = partial === undefined ? '' : ` with ${show(partial)}`
  return verdictOn(subject, `a card that advertises ${what}${more}`, async () => {
    const read = cardOrResult(await cardOf(subject))
    if ('result' in read) return read.result
    const skills = Array.isArray(read.card.skills) ? read.card.skills.filter(isRecord) : []
    return judge(skills, idOrPattern, partial)
  })
}

function judge(
  skills: readonly Record<string, unknown>[],
  idOrPattern: string | RegExp,
  partial: PartialSkill | undefined,
): CheckResult {
  const named = skills.filter((skill) => answersTo(skill, idOrPattern))
  if (named.length === 0) {
    const ids = skills.map(({ id }) => plainText(id))
    const listed = ids.slice(0, skillsShown).map((id) => quote(id))
    const rest = ids.length > skillsShown ? ` and ${ids.length - skillsShown} more` : ''
    const near = typeof idOrPattern === 'string' ? didYouMean(idOrPattern, ids) : ''
    return failing(
      'card/no-skill',
      ids.length === 0
        ? 'a card without skills'
        : `a card with ${count(ids.length, 'skill')}: ${listed.join(', ')}${rest}.${near}`,
    )
  }
  const differences = named.map((skill) => {
    const found = partial === undefined ? undefined : difference(partial, skill, 'part', '')
    return found === undefined ? undefined : `the skill ${quote(plainText(skill.id))}, whose ${found}`
  })
  const fitting = named[differences.indexOf(undefined)]
  return fitting === undefined
    ? failing('card/skill-differs', differences.join('; '))
    : {
        outcome: 'passed',
        received: `the skill ${quote(plainText(fitting.id))}, ${quote(plainText(fitting.name))}`,
      }
}

function answersTo({ id, name }: Record<string, unknown>, idOrPattern: string | RegExp): boolean {
  if (typeof idOrPattern === 'string') return id === idOrPattern
  return [id, name].some((text) => typeof text === 'string' && test(idOrPattern, text))
}
