import { absent, everywhere, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { show } from '../values.ts'

export const skills: Rule = {
  id: 'card/skills',
  levels: everywhere('error'),
  summary: '`skills` is a list.',
  fix: 'List what the agent can do: {"id", "name", "description", "tags"} for each skill.',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.1, §5.7' },
  check(card, report, context) {
    const value = card['skills']
    if (value === undefined) report('skills', absent('skills', context))
    else if (!Array.isArray(value)) report('skills', `skills must be a list, not ${show(value)}`)
  },
}
