import { absent, everywhere, isModern, notStrings, skillsOf, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isStringList } from '../values.ts'

export const skillTags: Rule = {
  id: 'card/skill-tags',
  levels: everywhere('error'),
  summary:
    'The `tags` of each skill are a list of strings. Only a warning if the list is empty, or missing before 1.0.',
  fix: 'Add a few words by which other agents find the skill: "tags": ["billing"].',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.5, §5.7' },
  check(card, report, context) {
    for (const { skill, path: entry } of skillsOf(card)) {
      const path = `${entry}.tags`
      const tags = skill['tags']
      if (tags === undefined) {
        const level = isModern(context.version) ? 'error' : 'warning'
        report(path, absent(path, context), { level })
      } else if (!isStringList(tags)) {
        report(path, `${path} must be a list of strings, ${notStrings(tags)}`)
      } else if (tags.length === 0) report(path, `${path} is empty`, { level: 'warning' })
    }
  },
}
