import { absent, before1, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { show } from '../values.ts'

export const protocolVersion: Rule = {
  id: 'card/protocol-version',
  levels: before1('error'),
  summary: '`protocolVersion` is a string such as "0.3.0". Only a warning when it is missing.',
  fix: 'Add the version of A2A that the agent speaks, such as "protocolVersion": "0.3.0".',
  source: table,
  check(card, report, context) {
    const value = card['protocolVersion']
    if (value === undefined) {
      const message = `${absent('protocolVersion', context)}; the card is treated as ${context.version}`
      report('protocolVersion', message, { level: 'warning' })
    } else if (typeof value !== 'string' || !/^\d+\.\d+(?:\.\d+)?(?:[-+].*)?$/.test(value)) {
      report('protocolVersion', `protocolVersion must be a string such as "0.3.0", not ${show(value)}`)
    }
  },
}
