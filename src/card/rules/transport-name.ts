import type { Rule } from '../types.ts'
import { bindingKey, isText, objectsOf, show } from '../values.ts'

const core = ['JSONRPC', 'GRPC', 'HTTP+JSON']

export const transportName: Rule = {
  id: 'card/transport-name',
  levels: { '0.2': 'warning', '0.3': 'warning' },
  summary: 'Transports are named JSONRPC, GRPC or HTTP+JSON.',
  fix: 'Write "JSONRPC", "GRPC" or "HTTP+JSON".',
  source: 'A2A 0.3 §5.5.5',
  check(card, report) {
    const named: [string, unknown][] = [['preferredTransport', card['preferredTransport']]]
    for (const { item, index } of objectsOf(card['additionalInterfaces'])) {
      named.push([`additionalInterfaces[${index}].transport`, item['transport']])
    }
    for (const [path, value] of named) {
      if (!isText(value) || core.includes(value)) continue
      const meant = core.find((one) => bindingKey(one) === bindingKey(value))
      const hint = meant === undefined ? '' : `; "${meant}" is meant`
      report(path, `${path} ${show(value)} is not JSONRPC, GRPC or HTTP+JSON${hint}`)
    }
  },
}
