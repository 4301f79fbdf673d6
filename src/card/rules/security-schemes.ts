import type { Rule } from '../types.ts'
import { at, isObject, show } from '../values.ts'

export const securitySchemes: Rule = {
  id: 'card/security-schemes',
  levels: { '0.2': 'error', '0.3': 'error', '1.0': 'error' },
  summary: '`securitySchemes`, if present, is an object of objects.',
  fix: 'Write the schemes as an object, each under a name of your choice.',
  source: { '0.2': 'A2A 0.2 §5.5.3', '0.3': 'A2A 0.3 §5.5.3', '1.0': 'A2A 1.0 §4.5' },
  check(card, report) {
    const value = card['securitySchemes']
    if (value === undefined) return
    if (!isObject(value)) {
      report('securitySchemes', `securitySchemes must be an object, not ${show(value)}`)
      return
    }
    for (const [name, scheme] of Object.entries(value)) {
      const path = at('securitySchemes', name)
      if (!isObject(scheme)) report(path, `${path} must be an object, not ${show(scheme)}`)
    }
  },
}
