import type { Rule } from '../types.ts'
import { httpUrl } from '../values.ts'

export const legacyPath: Rule = {
  id: 'card/legacy-path',
  levels: { '0.2': 'warning', '0.3': 'warning', '1.0': 'warning' },
  summary:
    'The card is at `/.well-known/agent-card.json`. A card with protocolVersion 0.2 or below may be at `/.well-known/agent.json`.',
  fix: 'Serve the card at /.well-known/agent-card.json too.',
  source: 'A2A 0.3 §5.3; A2A 1.0 §8.2, §14.3',
  check(card, report, { version, cardUrl, typedUrl }) {
    const url = httpUrl(cardUrl)
    const legacy = '/.well-known/agent.json'
    if (url === undefined || !url.pathname.endsWith(legacy)) return
    // A user who typed this very address did not have the newer one tried.
    if (httpUrl(typedUrl)?.pathname === url.pathname) return
    if (version === '0.2' && card['protocolVersion'] !== undefined) return
    const newer = url.pathname.slice(0, -legacy.length) + '/.well-known/agent-card.json'
    report(
      undefined,
      `the card is only at the legacy path ${url.pathname}; clients of A2A 0.3 and later look for ${newer}`,
    )
  },
}
