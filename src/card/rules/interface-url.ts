import { absent, interfacesOf } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { bindingKey, httpUrl, isText, objectsOf, show } from '../values.ts'

export const interfaceUrl: Rule = {
  id: 'card/interface-url',
  levels: { '0.2': 'warning', '0.3': 'warning', '1.0': 'error' },
  summary:
    'Every listed interface has a URL that fits its binding: absolute http(s) for JSONRPC and HTTP+JSON, `host:port` for GRPC ' +
    '(an https URL there is a warning).',
  fix: 'Put the absolute URL at which clients call this interface into the card.',
  source: { '0.2': 'A2A 0.2 §5.5', '0.3': 'A2A 0.3 §5.5.5', '1.0': 'A2A 1.0 §4.4.6' },
  check(card, report, context) {
    if (context.version !== '1.0') {
      for (const { item, index } of objectsOf(card['additionalInterfaces'])) {
        const path = `additionalInterfaces[${index}].url`
        const value = item['url']
        // A missing one is the affair of card/additional-interfaces.
        if (!isText(value) || bindingKey(item['transport']) === 'GRPC' || httpUrl(value)) continue
        report(path, `${path} ${show(value)} must be an absolute http(s) URL`)
      }
      return
    }
    for (const { item, path: entry } of interfacesOf(card)) {
      const path = `${entry}.url`
      const value = item['url']
      const binding = bindingKey(item['protocolBinding'])
      if (value === undefined) report(path, absent(path, context))
      else if (binding === 'GRPC') checkGrpc(path, value)
      else if (binding === '' || ['JSONRPC', 'HTTP+JSON'].includes(binding)) {
        if (!httpUrl(value)) report(path, `${path} ${show(value)} must be an absolute http(s) URL`)
      } else if (!isText(value)) report(path, `${path} must be a URL, not ${show(value)}`)
    }

    function checkGrpc(path: string, value: unknown): void {
      if (isText(value) && /^(?:[\w.-]+|\[[\da-f:.]+\]):\d+$/i.test(value)) return
      report(path, `${path} ${show(value)} should be host:port, as gRPC clients expect`, {
        level: isText(value) ? 'warning' : 'error',
        fix: 'Write the host and the port, such as "agent.example.com:443".',
      })
    }
  },
}
