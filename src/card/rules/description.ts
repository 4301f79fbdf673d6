import { everywhere, requireText, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'

export const description: Rule = {
  id: 'card/description',
  levels: everywhere('error'),
  summary: '`description` is a non-empty string.',
  fix: 'Describe in one sentence what the agent does.',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.1, §5.7' },
  check: (card, report, context) => requireText(card, 'description', 'description', report, context),
}
