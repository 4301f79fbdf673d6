import { before1 } from '../ruleKit.ts'
import type { Rule } from '../types.ts'

export const camelCase: Rule = {
  id: 'card/camel-case',
  levels: { ...before1('warning'), '1.0': 'error' },
  summary: 'Names are written in camelCase. The card is still read, using the renamed members.',
  fix: 'Serialize the card with its JSON names, not with those of the proto file or the Python class.',
  source: { '0.1': 'A2A 0.1 §5.5', '0.2': 'A2A 0.2 §5.5', '0.3': 'A2A 0.3 §5.5', '1.0': 'A2A 1.0 §5.5' },
  check(_card, report, { reading }) {
    if (reading.renames.length === 0) return
    const pairs = reading.renames.map(({ path, to }) => `${path} → ${to}`)
    report(undefined, `field names must be camelCase (the spec uses camelCase): ${pairs.join(', ')}`)
  },
}
