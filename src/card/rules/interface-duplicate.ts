import { everywhere } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { bindingKey, objectsOf } from '../values.ts'

export const interfaceDuplicate: Rule = {
  id: 'card/interface-duplicate',
  levels: everywhere('warning'),
  summary: 'No interface is listed twice with the same URL, binding, version and tenant.',
  fix: 'Remove the second entry.',
  source: 'A2A 0.3 §5.6.2; A2A 1.0 §8.3.1',
  check(card, report, { version }) {
    const list = version === '1.0' ? 'supportedInterfaces' : 'additionalInterfaces'
    const seen = new Map<string, number>()
    for (const { item, index } of objectsOf(card[list])) {
      if (typeof item['url'] !== 'string') continue
      const binding = bindingKey(item['protocolBinding'] ?? item['transport'])
      const key = JSON.stringify([item['url'], binding, text(item['protocolVersion']), text(item['tenant'])])
      const first = seen.get(key)
      if (first === undefined) seen.set(key, index)
      else report(`${list}[${index}]`, `${list}[${index}] repeats ${list}[${first}]`)
    }
  },
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
