import { before1, skillsOf, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isText, show } from '../values.ts'

export const skillIdUnique: Rule = {
  id: 'card/skill-id-unique',
  levels: { ...before1('error'), '1.0': 'warning' },
  summary: 'No two skills have the same `id`.',
  fix: 'Give each skill a unique id.',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.5' },
  check(card, report) {
    const first = new Map<string, string>()
    for (const { skill, path } of skillsOf(card)) {
      const id = skill['id']
      if (!isText(id)) continue
      const before = first.get(id)
      if (before === undefined) first.set(id, path)
      else report(`${path}.id`, `${path}.id ${show(id)} is also the id of ${before}`)
    }
  },
}
