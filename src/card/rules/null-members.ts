import { requiredPath } from '../fields.ts'
import { everywhere } from '../ruleKit.ts'
import type { Rule } from '../types.ts'

export const nullMembers: Rule = {
  id: 'card/null-members',
  levels: everywhere('warning'),
  about: 'Optional members that are not set are left out, not written as null. A null counts as absent.',
  fix: 'Leave unset members out when the card is serialised.',
  source: 'A2A 0.3 schema; A2A 1.0 §5.7',
  check(_card, report, { reading }) {
    const optional = reading.nulls.filter((path) => !requiredPath.test(path))
    if (optional.length > 0) report(undefined, `null instead of absent: ${optional.join(', ')}`)
  },
}
