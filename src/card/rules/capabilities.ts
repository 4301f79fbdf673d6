import { absent, everywhere, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isObject, show } from '../values.ts'

export const capabilities: Rule = {
  id: 'card/capabilities',
  levels: everywhere('error'),
  summary: '`capabilities` is an object; it may be empty.',
  fix: 'Write "capabilities": {"streaming": false}; describe what the agent can do in skills.',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.3, §5.7' },
  check(card, report, context) {
    const value = card['capabilities']
    if (value === undefined) report('capabilities', absent('capabilities', context))
    else if (!isObject(value)) report('capabilities', `capabilities must be an object, not ${show(value)}`)
  },
}
