import { everywhere, requireText, skillsOf, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'

export const skillDescription: Rule = {
  id: 'card/skill-description',
  levels: everywhere('error'),
  summary: 'Each skill has a non-empty `description`.',
  fix: 'Describe in one sentence what the skill does.',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.5, §5.7' },
  check(card, report, context) {
    for (const { skill, path } of skillsOf(card)) {
      requireText(skill, 'description', `${path}.description`, report, context)
    }
  },
}
