import { requireText } from '../ruleKit.ts'
import { schemesOf } from '../security.ts'
import type { Rule } from '../types.ts'

export const schemeHttp: Rule = {
  id: 'card/scheme-http',
  levels: { '0.2': 'error', '0.3': 'error', '1.0': 'error' },
  summary: 'An HTTP authentication scheme has a `scheme`, such as "bearer".',
  fix: 'Write "scheme": "bearer" or another name of the IANA registry.',
  source: { '0.2': 'OpenAPI 3.0 securityScheme', '0.3': 'A2A 0.3 §5.5.3', '1.0': 'A2A 1.0 §4.5.3' },
  check(card, report, context) {
    for (const { kind, fields, fieldsPath } of schemesOf(card)) {
      if (kind === 'http') requireText(fields, 'scheme', `${fieldsPath}.scheme`, report, context)
    }
  },
}
