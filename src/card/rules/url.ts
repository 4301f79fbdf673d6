import { absent, before1, table } from '../ruleKit.ts'
import type { Rule } from '../types.ts'
import { httpUrl, objectsOf, show } from '../values.ts'

export const url: Rule = {
  id: 'card/url',
  levels: before1('error'),
  summary:
    '`url` is an absolute http(s) URL. Only a warning if an entry of `additionalInterfaces` has one instead.',
  fix: 'Put the absolute URL at which clients call the agent into the card.',
  source: table,
  check(card, report, context) {
    const value = card['url']
    if (httpUrl(value) !== undefined) return
    const other = objectsOf(card['additionalInterfaces']).find(
      ({ item }) => httpUrl(item['url']) !== undefined,
    )
    const instead = other === undefined ? '' : `; additionalInterfaces[${other.index}].url has one`
    if (value !== undefined) {
      report('url', `url ${show(value)} must be an absolute http(s) URL${instead}`, {
        level: other === undefined ? 'error' : 'warning',
      })
      return
    }
    if (other !== undefined) {
      report('url', absent('url', context) + instead, { level: 'warning' })
      return
    }
    const alias = ['serviceUrl', 'serviceEndpoint', 'endpoint', 'baseUrl', 'uri'].find(
      (key) => httpUrl(card[key]) !== undefined,
    )
    report(
      'url',
      `${absent('url', context)}, and no additionalInterfaces entry has one` +
        (card['supportedInterfaces'] === undefined
          ? ': neither url nor supportedInterfaces has the address of the agent'
          : ''),
      alias === undefined ? {} : { fix: `Rename ${alias} to url.` },
    )
  },
}
