import { everywhere, requireText, skillsOf, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'

export const skillName: Rule = {
  id: 'card/skill-name',
  levels: everywhere('error'),
  summary: 'Each skill has a non-empty `name`.',
  fix: 'Give the skill a name.',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.5, §5.7' },
  check(card, report, context) {
    for (const { skill, path } of skillsOf(card)) {
      requireText(skill, 'name', `${path}.name`, report, context)
    }
  },
}
