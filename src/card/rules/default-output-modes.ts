import { everywhere, requireModes, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'

export const defaultOutputModes: Rule = {
  id: 'card/default-output-modes',
  levels: everywhere('error'),
  summary: '`defaultOutputModes` is a non-empty list of strings.',
  fix: 'Write "defaultOutputModes": ["text/plain"].',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.1, §5.7' },
  check: (card, report, context) => requireModes(card, 'defaultOutputModes', report, context),
}
