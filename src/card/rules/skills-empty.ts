import { everywhere, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'

export const skillsEmpty: Rule = {
  id: 'card/skills-empty',
  levels: everywhere('warning'),
  summary: '`skills` lists at least one skill.',
  fix: 'List what the agent can do, so that other agents know when to call it.',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §5.7, §8.4.1' },
  check(card, report) {
    const value = card['skills']
    if (Array.isArray(value) && value.length === 0) report('skills', 'skills is empty')
  },
}
