import { isHybrid } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isObject, listed } from '../values.ts'

const old = [
  'url',
  'protocolVersion',
  'preferredTransport',
  'additionalInterfaces',
  'authentication',
  'security',
  'supportsAuthenticatedExtendedCard',
]

export const legacyMembers: Rule = {
  id: 'card/legacy-members',
  levels: { '1.0': 'warning' },
  summary: 'A 1.0 card without a 0.3 interface has no members that exist in 0.x only.',
  fix: 'Remove them, or offer a 0.3 interface in supportedInterfaces.',
  source: 'A2A 1.0 §5.7, appendix A',
  check(card, report) {
    if (isHybrid(card)) return
    const found = old.filter((name) => {
      const value = card[name]
      return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
    })
    const capabilities = card['capabilities']
    if (isObject(capabilities) && capabilities['stateTransitionHistory'] !== undefined) {
      found.push('capabilities.stateTransitionHistory')
    }
    if (found.length > 0) report(undefined, `leftovers of 0.x, which 1.0 clients ignore: ${listed(found)}`)
  },
}
