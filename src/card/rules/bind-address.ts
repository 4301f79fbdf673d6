import { cameFrom, cardAddresses, cardSource } from '../addresses.ts'
import { everywhere } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { show } from '../values.ts'

export const bindAddress: Rule = {
  id: 'card/bind-address',
  levels: everywhere('warning'),
  summary:
    'No address is a bind address (0.0.0.0, ::). An error if the card came from a public or https origin.',
  fix: 'Configure the public URL in the server, and put it into the card.',
  source: 'A2A 0.3 §5.5; A2A 1.0 §4.4.6',
  check(card, report, context) {
    const source = cardSource(context)
    for (const { path, value, url, host } of cardAddresses(card)) {
      if (host !== 'bind') continue
      const name = url.hostname.replaceAll(/[[\]]/g, '')
      const why = `${name} is a bind address, not an address a client can call`
      report(path, `${path} is ${show(value)}${cameFrom(source)}: ${why}`, {
        level: source?.strict ? 'error' : 'warning',
      })
    }
  },
}
