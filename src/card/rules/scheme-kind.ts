import { isModern } from '../ruleKit.ts'
import { mayBeTyped, schemesOf, wrappers } from '../security.ts'
import type { Rule } from '../types.ts'
import { listed, show } from '../values.ts'

export const schemeKind: Rule = {
  id: 'card/scheme-kind',
  levels: { '0.2': 'error', '0.3': 'error', '1.0': 'error' },
  summary:
    'Every security scheme declares its kind: by `type` in 0.2 and 0.3 (an unknown type is a warning), by exactly one wrapper key in ' +
    '1.0. A 1.0 card that also has a 0.3 interface may use `type`, with a warning.',
  fix: 'Name one kind: apiKey, http, oauth2, openIdConnect or mutualTLS.',
  source: { '0.2': 'A2A 0.2 §5.5.3', '0.3': 'A2A 0.3 §5.5.3', '1.0': 'A2A 1.0 §4.5.1 (oneof)' },
  check(card, report, { version }) {
    for (const scheme of schemesOf(card)) {
      const { path, style, wrapperKeys, kind, fields } = scheme
      if (wrapperKeys.length > 1) {
        report(path, `${path} must have one kind only, but has ${listed(wrapperKeys)}`, {
          fix: 'Make a separate scheme of each kind.',
        })
      } else if (!isModern(version)) {
        if (style === 'neither') report(`${path}.type`, `${path}.type is missing`)
        else if (kind === undefined) {
          const message = `${path}.type ${show(fields['type'])} is none of ${listed(Object.values(wrappers))}`
          report(`${path}.type`, message, { level: 'warning' })
        }
      } else if (style === 'typed') {
        const key = Object.keys(wrappers).find((one) => wrappers[one] === kind)
        const said = `${path} is written as in 0.3 (type ${show(fields['type'])})`
        report(path, `${said}; 1.0 requires one of ${listed(Object.keys(wrappers))} around it`, {
          level: mayBeTyped(card, version) ? 'warning' : 'error',
          ...(key === undefined ? {} : { fix: `Write {"${key}": {…}} instead of "type".` }),
        })
      } else if (style === 'neither') {
        report(path, `${path} has none of ${listed(Object.keys(wrappers))}`)
      }
    }
  },
}
