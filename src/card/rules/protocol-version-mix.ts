import { isOldVersion } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isText, show } from '../values.ts'

export const protocolVersionMix: Rule = {
  id: 'card/protocol-version-mix',
  levels: { '0.2': 'warning', '0.3': 'warning' },
  summary: 'The members of a 0.2 or 0.3 card belong to the version that it declares.',
  fix: 'Declare the version that the agent speaks, and use the members of that version.',
  source: 'A2A 0.3 §5.5; A2A 0.1 §5.5.3',
  check(card, report, { version }) {
    if (card['authentication'] !== undefined) {
      report(
        'authentication',
        `authentication belongs to A2A 0.1; clients of ${version} read securitySchemes and security`,
      )
    }
    const declared = card['protocolVersion']
    if (version === '0.2' && isText(declared) && card['signatures'] !== undefined) {
      report('signatures', `signatures came with A2A 0.3, but protocolVersion is ${show(declared)}`)
    }
    if (isText(declared) && !isOldVersion(declared) && /^\d/.test(declared)) {
      report('protocolVersion', `protocolVersion ${show(declared)} stands in the layout of ${version}`)
    }
  },
}
