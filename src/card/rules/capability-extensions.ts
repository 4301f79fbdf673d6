import { absent } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isObject, isText, show } from '../values.ts'

export const capabilityExtensions: Rule = {
  id: 'card/capability-extensions',
  levels: { '0.2': 'warning', '0.3': 'warning', '1.0': 'warning' },
  summary: '`capabilities.extensions`, if present, is a list of objects, each with a `uri`.',
  fix: 'Write a list of {"uri": "https://…"}.',
  source: { '0.2': 'A2A 0.2 §5.5.2.1', '0.3': 'A2A 0.3 §5.5.2.1', '1.0': 'A2A 1.0 §4.4.4' },
  check(card, report, context) {
    const capabilities = card['capabilities']
    const value = isObject(capabilities) ? capabilities['extensions'] : undefined
    const path = 'capabilities.extensions'
    if (value === undefined) return
    if (!Array.isArray(value)) {
      report(path, `${path} must be a list, not ${show(value)}`)
      return
    }
    value.forEach((entry: unknown, index) => {
      const here = `${path}[${index}]`
      if (!isObject(entry)) report(here, `${here} must be an object, not ${show(entry)}`)
      else if (entry['uri'] === undefined) report(`${here}.uri`, absent(`${here}.uri`, context))
      else if (!isText(entry['uri'])) {
        report(`${here}.uri`, `${here}.uri must be a URI, not ${show(entry['uri'])}`)
      }
    })
  },
}
