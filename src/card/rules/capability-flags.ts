import { before1, isModern, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isObject, show } from '../values.ts'

export const capabilityFlags: Rule = {
  id: 'card/capability-flags',
  levels: { ...before1('warning'), '1.0': 'error' },
  summary:
    '`streaming`, `pushNotifications` and `stateTransitionHistory` (0.x) or `extendedAgentCard` (1.0) are true or false; so is ' +
    '`supportsAuthenticatedExtendedCard` (0.x).',
  fix: 'Write true or false, without quotes, or omit it.',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.3, §5.5' },
  check(card, report, { version }) {
    const capabilities = card['capabilities']
    const last = isModern(version) ? 'extendedAgentCard' : 'stateTransitionHistory'
    if (isObject(capabilities)) {
      for (const flag of ['streaming', 'pushNotifications', last]) {
        judge(`capabilities.${flag}`, capabilities[flag])
      }
    }
    const extended = 'supportsAuthenticatedExtendedCard'
    if (!isModern(version)) judge(extended, card[extended])

    function judge(path: string, value: unknown): void {
      if (value === undefined || typeof value === 'boolean') return
      report(path, `${path} must be true or false, not ${show(value)}`)
    }
  },
}
