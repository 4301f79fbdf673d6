import { absent } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isObject, show } from '../values.ts'

export const supportedInterfaces: Rule = {
  id: 'card/supported-interfaces',
  levels: { '1.0': 'error' },
  summary: '`supportedInterfaces` is a list of at least one object.',
  fix: 'List each address as {"url": "https://…", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}.',
  source: 'A2A 1.0 §4.4.6, §5.7',
  check(card, report, context) {
    const path = 'supportedInterfaces'
    const value = card[path]
    if (value === undefined) {
      const neither =
        card['url'] === undefined ? ': neither url nor supportedInterfaces has the address of the agent' : ''
      report(path, absent(path, context) + neither)
    } else if (!Array.isArray(value)) report(path, `${path} must be a list, not ${show(value)}`)
    else if (value.length === 0) report(path, `${path} is empty`)
    else {
      value.forEach((entry: unknown, index) => {
        if (!isObject(entry)) {
          report(`${path}[${index}]`, `${path}[${index}] must be an object, not ${show(entry)}`)
        }
      })
    }
  },
}
