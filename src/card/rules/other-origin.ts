import { cardAddresses, cardSource, sameOrigin } from '../addresses.ts'
import { everywhere } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { httpUrl } from '../values.ts'

export const otherOrigin: Rule = {
  id: 'card/other-origin',
  levels: everywhere('warning'),
  summary: 'Addresses have the origin at which the agent was reached, or one listed in `trustedOrigins`.',
  fix: 'List the origin in trustedOrigins if it belongs to the agent.',
  source: 'RFC 6454; A2A 1.0 §7',
  check(card, report, context) {
    const source = cardSource(context)
    const reached = httpUrl(context.typedUrl ?? context.cardUrl)
    if (source === undefined || reached === undefined) return
    const trusted = (context.trustedOrigins ?? []).map((origin) => httpUrl(origin)?.origin)
    for (const { path, url, host } of cardAddresses(card)) {
      if (sameOrigin(url, reached) || trusted.includes(url.origin)) continue
      // Those are moved or refused, and reported as such.
      if (host === 'bind' || (host === 'loopback' && source.host !== 'loopback')) continue
      report(
        path,
        `the card points to ${url.origin}, a different origin from ${reached.origin}; credentials were not sent there ` +
          '(option trustedOrigins)',
      )
    }
  },
}
