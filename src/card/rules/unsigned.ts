import type { Rule } from '../types.ts'

export const unsigned: Rule = {
  id: 'card/unsigned',
  levels: { '0.3': 'note', '1.0': 'note' },
  summary: 'The card is signed, so that clients can verify who wrote it.',
  fix: 'Sign the card if clients in other organizations should rely on it.',
  source: { '0.3': 'A2A 0.3 §5.5.6', '1.0': 'A2A 1.0 §8.4' },
  check(card, report) {
    const value = card['signatures']
    if (value === undefined || (Array.isArray(value) && value.length === 0)) {
      report('signatures', 'the card is not signed')
    }
  },
}
