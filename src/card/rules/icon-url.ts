import { everywhere, isModern, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { httpUrl, show } from '../values.ts'

export const iconUrl: Rule = {
  id: 'card/icon-url',
  levels: everywhere('warning'),
  summary: '`iconUrl`, if present, is an http(s) URL. In 1.0 a value that is not a string is an error.',
  fix: 'Write an absolute http(s) URL, or omit it.',
  source: { '0.1': table, '0.2': table, '0.3': table, '1.0': 'A2A 1.0 §4.4.1, §5.5' },
  check(card, report, { version }) {
    const value = card['iconUrl']
    if (value === undefined || httpUrl(value) !== undefined) return
    // ProtoJSON writers give unset strings as "".
    if (value === '' && isModern(version)) return
    const level = isModern(version) && typeof value !== 'string' ? 'error' : 'warning'
    report('iconUrl', `iconUrl ${show(value)} must be an http(s) URL`, { level })
  },
}
