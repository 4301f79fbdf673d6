import { schemesOf } from '../security.ts'
import type { Rule } from '../types.ts'
import { isObject } from '../values.ts'

export const schemePkce: Rule = {
  id: 'card/scheme-pkce',
  levels: { '1.0': 'warning' },
  summary: 'The flow `authorizationCode` has `pkceRequired: true`.',
  fix: 'Require PKCE and write "pkceRequired": true.',
  source: 'A2A 1.0 §4.5.8; RFC 7636',
  check(card, report) {
    for (const { kind, style, fields, fieldsPath } of schemesOf(card)) {
      const flows = fields['flows']
      if (kind !== 'oauth2' || style !== 'wrapped' || !isObject(flows)) continue
      const flow = flows['authorizationCode']
      if (!isObject(flow) || flow['pkceRequired'] === true) continue
      const path = `${fieldsPath}.flows.authorizationCode`
      report(`${path}.pkceRequired`, `${path} does not require PKCE`)
    }
  },
}
