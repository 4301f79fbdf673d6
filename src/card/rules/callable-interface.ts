import { readOffers } from '../offers.ts'
import type { Rule } from '../types.ts'
import { bindingKey, httpUrl, isText, listed, show } from '../values.ts'

export const callableInterface: Rule = {
  id: 'card/callable-interface',
  levels: { '1.0': 'warning' },
  summary: 'This client can call at least one interface: JSONRPC or HTTP+JSON.',
  fix: 'Offer JSONRPC or HTTP+JSON as well if clients like this one should be able to call the agent.',
  source: 'A2A 1.0 §8.3.2',
  check(card, report) {
    const offers = readOffers(card)
    if (!offers.some(({ modern }) => modern)) return
    const callable = offers.some(
      ({ url, binding }) => httpUrl(url) && ['JSONRPC', 'HTTP+JSON'].includes(bindingKey(binding)),
    )
    if (callable) return
    const names = [...new Set(offers.map(({ binding }) => (isText(binding) ? show(binding) : 'no binding')))]
    report(
      'supportedInterfaces',
      `no interface can be called by this client, which speaks JSONRPC and HTTP+JSON; offered: ${listed(names)}`,
    )
  },
}
