import type { Rule } from '../types.ts'

export const cacheHeaders: Rule = {
  id: 'card/cache-headers',
  levels: { '1.0': 'note' },
  summary: 'The card is served with `Cache-Control` and `ETag`.',
  fix: 'Send cache-control: max-age=… and an etag with the card.',
  source: 'A2A 1.0 §8.6.1',
  check(_card, report, { response }) {
    if (response === undefined) return
    const missing = ['cache-control', 'etag'].filter((name) => !response.headers[name])
    if (missing.length > 0) report(undefined, `the card is served without ${missing.join(' and ')}`)
  },
}
