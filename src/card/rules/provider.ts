import { everywhere, isModern, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { isObject, isText, show } from '../values.ts'

export const provider: Rule = {
  id: 'card/provider',
  levels: everywhere('warning'),
  summary: '`provider`, if present, names an `organization` (and in 1.0 a `url`).',
  fix: 'Write "provider": {"organization": "…", "url": "https://…"}, or omit it.',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': `${table}; A2A 1.0 §4.4.2` },
  check(card, report, { version }) {
    const value = card['provider']
    if (value === undefined) return
    if (!isObject(value)) {
      report('provider', `provider must be an object with an organization, not ${show(value)}`)
      return
    }
    if (!isText(value['organization'])) {
      const named = isText(value['name']) ? { fix: 'Rename provider.name to provider.organization.' } : {}
      report('provider.organization', 'provider has no organization', named)
    }
    if (isModern(version) && !isText(value['url'])) report('provider.url', 'provider has no url')
  },
}
