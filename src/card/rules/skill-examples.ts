import { before1, notStrings, skillsOf, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isStringList } from '../values.ts'

export const skillExamples: Rule = {
  id: 'card/skill-examples',
  levels: { ...before1('warning'), '1.0': 'error' },
  summary: 'The `examples` of a skill, if present, are a list of strings.',
  fix: 'Write the examples as plain sentences a user would send.',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.5, §5.5' },
  check(card, report) {
    for (const { skill, path } of skillsOf(card)) {
      const examples = skill['examples']
      if (examples === undefined || isStringList(examples)) continue
      report(`${path}.examples`, `${path}.examples must be a list of strings, ${notStrings(examples)}`)
    }
  },
}
