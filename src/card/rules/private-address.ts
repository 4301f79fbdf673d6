import { cameFrom, cardAddresses, cardSource } from '../addresses.ts'
import { everywhere } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { httpUrl, show } from '../values.ts'

export const privateAddress: Rule = {
  id: 'card/private-address',
  levels: everywhere('warning'),
  summary:
    'A card that came from a public or https origin names no private address. Only a warning if it came from loopback.',
  fix: 'Put the address at which clients outside that network reach the agent into the card.',
  source: 'A2A 0.3 §5.5; A2A 1.0 §4.4.6; RFC 1918',
  check(card, report, context) {
    const source = cardSource(context)
    if (source === undefined || (!source.strict && source.host === 'private')) return
    const own = httpUrl(source.url)?.hostname
    for (const { path, value, url, host } of cardAddresses(card)) {
      if (host !== 'private' || url.hostname === own) continue
      report(path, `${path} is ${show(value)}${cameFrom(source)}: ${url.hostname} is a private address`, {
        level: source.strict ? 'error' : 'warning',
      })
    }
  },
}
