import { absent, interfacesOf } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { bindingKey, isText, show } from '../values.ts'

const core = ['JSONRPC', 'GRPC', 'HTTP+JSON']

export const interfaceBinding: Rule = {
  id: 'card/interface-binding',
  levels: { '1.0': 'error' },
  summary:
    'Every interface has a `protocolBinding`. Only a warning if it is neither JSONRPC, GRPC or HTTP+JSON nor a URI.',
  fix: 'Write "JSONRPC", "GRPC" or "HTTP+JSON"; name a custom binding with a URI.',
  source: 'A2A 1.0 §4.4.6, §5.8',
  check(card, report, context) {
    for (const { item, path: entry } of interfacesOf(card)) {
      const path = `${entry}.protocolBinding`
      const value = item['protocolBinding']
      if (value === undefined || value === '') {
        const old = isText(item['transport']) ? { fix: 'Rename transport to protocolBinding.' } : {}
        report(path, value === '' ? `${path} is empty` : absent(path, context), old)
      } else if (typeof value !== 'string') {
        report(path, `${path} must be a string, not ${show(value)}`)
      } else if (!core.includes(value) && !/^[a-z][a-z\d+.-]*:./i.test(value)) {
        const meant = core.find((one) => bindingKey(one) === bindingKey(value))
        const hint = meant === undefined ? '' : `; "${meant}" is meant`
        const message = `${path} ${show(value)} is not JSONRPC, GRPC, HTTP+JSON or a URI${hint}`
        report(path, message, { level: 'warning' })
      }
    }
  },
}
