import { absent, interfacesOf } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isText, show } from '../values.ts'

export const interfaceVersion: Rule = {
  id: 'card/interface-version',
  levels: { '1.0': 'error' },
  summary:
    'Every interface has a `protocolVersion`, written Major.Minor. Only a warning for another form, or for a version that ' +
    'this client does not know.',
  fix: 'Write "protocolVersion": "1.0".',
  source: 'A2A 1.0 §3.6, §4.4.6',
  check(card, report, context) {
    for (const { item, path: entry } of interfacesOf(card)) {
      const path = `${entry}.protocolVersion`
      const value = item['protocolVersion']
      if (value === undefined) report(path, absent(path, context))
      else if (typeof value !== 'string') report(path, `${path} must be a string, not ${show(value)}`)
      else if (!isText(value)) report(path, `${path} is empty`)
      else if (!/^\d+\.\d+$/.test(value)) {
        const message = `${path} ${show(value)} should be Major.Minor, such as "1.0"`
        report(path, message, { level: 'warning' })
      } else if (!/^[01]\./.test(value)) {
        report(path, `${path} ${show(value)} is a version that this client does not know`, {
          level: 'warning',
          fix: 'Offer 1.0 as well.',
        })
      }
    }
  },
}
