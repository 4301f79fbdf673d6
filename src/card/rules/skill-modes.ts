import { before1, notStrings, skillsOf, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isStringList } from '../values.ts'

export const skillModes: Rule = {
  id: 'card/skill-modes',
  levels: { ...before1('warning'), '1.0': 'error' },
  summary: 'The `inputModes` and `outputModes` of a skill, if present, are lists of strings.',
  fix: 'Write a list of media types, such as ["text/plain"].',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.5, §5.5' },
  check(card, report) {
    for (const { skill, path } of skillsOf(card)) {
      for (const field of ['inputModes', 'outputModes']) {
        const modes = skill[field]
        if (modes === undefined || isStringList(modes)) continue
        report(`${path}.${field}`, `${path}.${field} must be a list of strings, ${notStrings(modes)}`)
      }
    }
  },
}
