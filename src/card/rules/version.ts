import { everywhere, requireText, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'

export const version: Rule = {
  id: 'card/version',
  levels: everywhere('error'),
  summary: "`version`, the agent's own version, is a non-empty string.",
  fix: 'Add the version of the agent itself, such as "1.0.0".',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.1, §5.7' },
  check: (card, report, context) => requireText(card, 'version', 'version', report, context),
}
