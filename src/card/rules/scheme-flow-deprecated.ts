import { schemesOf } from '../security.ts'
import type { Rule } from '../types.ts'
import { isObject } from '../values.ts'

export const schemeFlowDeprecated: Rule = {
  id: 'card/scheme-flow-deprecated',
  levels: { '1.0': 'warning' },
  summary: 'No OAuth 2.0 scheme uses the flows `implicit` or `password`.',
  fix: 'Use authorizationCode with PKCE, clientCredentials or deviceCode.',
  source: 'A2A 1.0 §4.5.7; RFC 9700',
  check(card, report) {
    for (const { kind, fields, fieldsPath } of schemesOf(card)) {
      const flows = fields['flows']
      if (kind !== 'oauth2' || !isObject(flows)) continue
      for (const name of ['implicit', 'password']) {
        if (flows[name] === undefined) continue
        report(`${fieldsPath}.flows.${name}`, `${fieldsPath}.flows uses ${name}, which is deprecated`)
      }
    }
  },
}
