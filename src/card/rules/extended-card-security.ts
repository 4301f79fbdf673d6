import { schemesOf } from '../security.ts'
import type { Rule } from '../types.ts'
import { isObject } from '../values.ts'

export const extendedCardSecurity: Rule = {
  id: 'card/extended-card-security',
  levels: { '0.2': 'warning', '0.3': 'warning', '1.0': 'warning' },
  summary: 'A card that announces an extended card declares a security scheme to fetch it with.',
  fix: 'Declare in securitySchemes how clients authenticate, or do not announce an extended card.',
  source: { '0.2': 'A2A 0.2 §7.10', '0.3': 'A2A 0.3 §7.10', '1.0': 'A2A 1.0 §3.1.11' },
  check(card, report, { version }) {
    const capabilities = card['capabilities']
    const path = version === '1.0' ? 'capabilities.extendedAgentCard' : 'supportsAuthenticatedExtendedCard'
    const promised =
      version === '1.0'
        ? isObject(capabilities) && capabilities['extendedAgentCard'] === true
        : card['supportsAuthenticatedExtendedCard'] === true
    if (promised && schemesOf(card).length === 0) {
      report(path, `${path} is true, but securitySchemes declares nothing to authenticate with`)
    }
  },
}
