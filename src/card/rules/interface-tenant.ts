import { interfacesOf } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { show } from '../values.ts'

export const interfaceTenant: Rule = {
  id: 'card/interface-tenant',
  levels: { '1.0': 'error' },
  summary: 'The `tenant` of an interface, if present, is a string.',
  fix: 'Write the tenant as a string, or omit it.',
  source: 'A2A 1.0 §4.4.6, §8.3.2',
  check(card, report) {
    for (const { item, path } of interfacesOf(card)) {
      const tenant = item['tenant']
      if (tenant === undefined || typeof tenant === 'string') continue
      report(`${path}.tenant`, `${path}.tenant must be a string, not ${show(tenant)}`)
    }
  },
}
