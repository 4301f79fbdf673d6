import { everywhere, requireModes, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'

export const defaultInputModes: Rule = {
  id: 'card/default-input-modes',
  levels: everywhere('error'),
  summary: '`defaultInputModes` is a non-empty list of strings.',
  fix: 'Write "defaultInputModes": ["text/plain"].',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.1, §5.7' },
  check: (card, report, context) => requireModes(card, 'defaultInputModes', report, context),
}
