import { everywhere, requireText, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'

export const name: Rule = {
  id: 'card/name',
  levels: everywhere('error'),
  summary: '`name` is a non-empty string.',
  fix: 'Give the agent a name.',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.1, §5.7' },
  check: (card, report, context) => requireText(card, 'name', 'name', report, context),
}
