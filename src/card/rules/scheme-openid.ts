import { requireText } from '../ruleKit.ts'
import { schemesOf } from '../security.ts'
import type { Rule } from '../types.ts'

export const schemeOpenid: Rule = {
  id: 'card/scheme-openid',
  levels: { '0.2': 'error', '0.3': 'error', '1.0': 'error' },
  summary: 'An OpenID Connect scheme has an `openIdConnectUrl`.',
  fix: 'Write the URL of the discovery document: "openIdConnectUrl": "https://…/.well-known/openid-configuration".',
  source: { '0.2': 'OpenAPI 3.0 securityScheme', '0.3': 'A2A 0.3 §5.5.3', '1.0': 'A2A 1.0 §4.5.5' },
  check(card, report, context) {
    for (const { kind, fields, fieldsPath } of schemesOf(card)) {
      if (kind !== 'openIdConnect') continue
      requireText(fields, 'openIdConnectUrl', `${fieldsPath}.openIdConnectUrl`, report, context)
    }
  },
}
