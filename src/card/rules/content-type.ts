import { everywhere } from '../ruleKit.ts'
import type { Rule } from '../types.ts'

export const contentType: Rule = {
  id: 'card/content-type',
  levels: everywhere('warning'),
  summary: 'The card is served as `application/json` (or another `+json` type).',
  fix: 'Send the header content-type: application/json.',
  source: 'A2A 0.3 §5.3; RFC 8615; RFC 8259 §11',
  check(_card, report, { response }) {
    if (response === undefined) return
    const type = response.mediaType
    if (type === 'application/json' || /^application\/.+\+json$/.test(type)) return
    const said = type === '' ? 'without a content-type' : `as ${type}`
    report(undefined, `the card is served ${said}, not as application/json`)
  },
}
