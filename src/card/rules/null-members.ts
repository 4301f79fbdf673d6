import { requiredPath } from '../fields.ts'
import { everywhere } from '../ruleKit.ts'
import type { Rule } from '../types.ts'

export const nullMembers: Rule = {
  id: 'card/null-members',
  levels: everywhere('warning'),
  summary: 'Optional members that are not set are omitted, not written as null. A null counts as absent.',
  fix: 'Omit unset members when the card is serialized.',
  source: 'A2A 0.3 schema; A2A 1.0 §5.7',
  check(_card, report, { reading }) {
    const optional = reading.nulls.filter((path) => !requiredPath.test(path))
    if (optional.length > 0) report(undefined, `null instead of absent: ${optional.join(', ')}`)
  },
}
