import { everywhere } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { listed } from '../values.ts'

export const inMemoryForm: Rule = {
  id: 'card/in-memory-form',
  levels: everywhere('warning'),
  summary:
    'The card contains no `{"$case": …, "value": …}`, which is how generated TypeScript code represents a choice in memory.',
  fix: 'Serialize the card with its toJSON function instead of JSON.stringify alone.',
  source: 'A2A 1.0 §5.5 (ProtoJSON)',
  check(_card, report, { reading }) {
    const paths = reading.leaks
    if (paths.length > 0) {
      report(
        paths[0],
        `{"$case", "value"} instead of the JSON form at ${listed(paths)}; most clients cannot read it`,
      )
    }
  },
}
