import { absent, before1, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isObject, isText, show } from '../values.ts'

export const additionalInterfaces: Rule = {
  id: 'card/additional-interfaces',
  levels: before1('error'),
  summary: '`additionalInterfaces` is a list. Only a warning if an entry lacks its `url` or `transport`.',
  fix: 'Write a list of {"url": "https://…", "transport": "JSONRPC"}.',
  source: `${table}; A2A 0.3 §5.5.5`,
  check(card, report, context) {
    const value = card['additionalInterfaces']
    if (value === undefined) return
    if (!Array.isArray(value)) {
      report('additionalInterfaces', `additionalInterfaces must be a list, not ${show(value)}`)
      return
    }
    value.forEach((entry: unknown, index) => {
      const path = `additionalInterfaces[${index}]`
      if (!isObject(entry)) {
        report(path, `${path} must be an object, not ${show(entry)}`, { level: 'warning' })
        return
      }
      for (const field of ['url', 'transport']) {
        const there = isText(entry[field])
        if (!there) report(`${path}.${field}`, absent(`${path}.${field}`, context), { level: 'warning' })
      }
    })
  },
}
