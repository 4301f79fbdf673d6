import { cardAddresses, cardSource } from '../addresses.ts'
import { everywhere } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { httpUrl, show } from '../values.ts'

export const plainHttp: Rule = {
  id: 'card/plain-http',
  levels: everywhere('warning'),
  summary:
    'Addresses are https URLs, except for loopback addresses. An error if the card came from a public or https origin.',
  fix: 'Let the server honor X-Forwarded-Proto, or configure its public https URL.',
  source: 'A2A 0.1 §3.1; A2A 0.3 §5.5; A2A 1.0 §7.1',
  check(card, report, context) {
    const source = cardSource(context)
    const own = httpUrl(source?.url)?.hostname
    for (const { path, value, url, host } of cardAddresses(card)) {
      if (url.protocol !== 'http:' || host === 'loopback' || host === 'bind') continue
      // A private host in a public card is an error already, whatever its scheme.
      if (host === 'private' && source?.strict && url.hostname !== own) continue
      const message = source?.secure
        ? `${path} is ${show(value)}, plain http, but the card came from ${source.origin} over https`
        : `${path} is ${show(value)}, plain http; A2A requires https in production`
      report(path, message, {
        level: source?.strict ? 'error' : 'warning',
        ...(source?.secure ? {} : { fix: 'Serve the agent over https and put that URL into the card.' }),
      })
    }
  },
}
