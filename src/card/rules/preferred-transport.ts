import { mainBinding } from '../offers.ts'
import { before1, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { bindingKey, isText, listed, objectsOf, show } from '../values.ts'

export const preferredTransport: Rule = {
  id: 'card/preferred-transport',
  levels: before1('error'),
  summary:
    '`preferredTransport` is a string, and it is JSON-RPC unless `additionalInterfaces` lists a JSON-RPC interface. ' +
    'The option `bindings` names other bindings that count. If it is missing, it means JSONRPC.',
  fix: "List a JSONRPC interface, or accept this one with the option bindings: ['HTTP+JSON'].",
  source: table,
  check(card, report, { bindings }) {
    const preferred = card['preferredTransport']
    if (preferred !== undefined && typeof preferred !== 'string') {
      report('preferredTransport', `preferredTransport must be a string, not ${show(preferred)}`, {
        fix: 'Write "JSONRPC", "GRPC" or "HTTP+JSON".',
      })
      return
    }
    const wanted = bindings.map(bindingKey)
    if (wanted.includes(bindingKey(mainBinding(card)))) return
    const listedToo = objectsOf(card['additionalInterfaces']).some(
      ({ item }) => isText(item['url']) && wanted.includes(bindingKey(item['transport'])),
    )
    if (listedToo) return
    const said = isText(preferred) ? `is ${show(preferred)}` : 'is missing, which means JSONRPC'
    report(
      'preferredTransport',
      `preferredTransport ${said}, and no ${listed(bindings.map(spoken))} interface is listed in additionalInterfaces`,
    )
  },
}

function spoken(binding: string): string {
  return bindingKey(binding) === 'JSONRPC' ? 'JSON-RPC' : binding
}
