import { notStrings } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isObject, isStringList, show } from '../values.ts'

export const authentication: Rule = {
  id: 'card/authentication',
  levels: { '0.1': 'warning' },
  summary: '`authentication` (0.1), if present and not empty, has `schemes`, a list of strings.',
  fix: 'Write "authentication": {"schemes": ["bearer"]}, or omit it for a public agent.',
  source: 'A2A 0.1 §5.5.3',
  check(card, report) {
    const value = card['authentication']
    if (value === undefined) return
    if (!isObject(value)) {
      report('authentication', `authentication must be an object, not ${show(value)}`)
      return
    }
    // An empty object is the documented way to say "public".
    if (Object.keys(value).length === 0) return
    const path = 'authentication.schemes'
    const schemes = value['schemes']
    if (schemes === undefined) report(path, `${path} is missing`)
    else if (!isStringList(schemes)) report(path, `${path} must be a list of strings, ${notStrings(schemes)}`)
  },
}
