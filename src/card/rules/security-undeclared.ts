import { requiredNames, requirementLists } from '../security.ts'
import type { Rule } from '../types.ts'
import { isObject, show } from '../values.ts'

export const securityUndeclared: Rule = {
  id: 'card/security-undeclared',
  levels: { '0.2': 'error', '0.3': 'error', '1.0': 'error' },
  summary: 'Every scheme that the card or a skill requires is declared in `securitySchemes`.',
  fix: 'Declare the scheme, or remove it from the requirements, because no client can satisfy it.',
  source: 'OpenAPI 3.0 securityRequirement, which A2A §5.5 (0.3) and §4.4.1 (1.0) follow',
  check(card, report, { version }) {
    const declared = isObject(card['securitySchemes']) ? card['securitySchemes'] : {}
    for (const { path, value } of requirementLists(card, version)) {
      if (!Array.isArray(value)) continue
      value.forEach((entry: unknown, index) => {
        const modernShape = isObject(entry) && isObject(entry['schemes'])
        // Another shape is the affair of card/security-requirements.
        if (version === '1.0' && !modernShape) return
        for (const name of Object.keys(requiredNames(entry) ?? {})) {
          if (Object.hasOwn(declared, name)) continue
          report(`${path}[${index}]`, `${path} refers to ${show(name)}, which is not in securitySchemes`)
        }
      })
    }
  },
}
