import { everywhere, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isObject, show } from '../values.ts'

export const skillObject: Rule = {
  id: 'card/skill-object',
  levels: everywhere('error'),
  summary: 'Each skill is an object.',
  fix: 'Write each skill as {"id": "…", "name": "…", "description": "…", "tags": ["…"]}.',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.5' },
  check(card, report) {
    const value = card['skills']
    if (!Array.isArray(value)) return
    value.forEach((skill: unknown, index) => {
      if (!isObject(skill))
        report(`skills[${index}]`, `skills[${index}] must be an object, not ${show(skill)}`)
    })
  },
}
