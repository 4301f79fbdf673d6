import { hostKind } from '../addresses.ts'
import { schemesOf } from '../security.ts'
import type { Rule } from '../types.ts'
import { httpUrl, isObject, isText, show } from '../values.ts'

const urlFields = ['openIdConnectUrl', 'oauth2MetadataUrl']
const flowFields = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl']

export const schemeHttps: Rule = {
  id: 'card/scheme-https',
  levels: { '0.2': 'warning', '0.3': 'warning', '1.0': 'warning' },
  summary:
    'The URLs of OAuth 2.0 and OpenID Connect schemes are https URLs, except for loopback. For the authorizationCode flow of 0.3 ' +
    'it is an error.',
  fix: 'Use https, because tokens and codes are sent to these addresses.',
  source: { '0.2': 'RFC 6749 §3.1', '0.3': 'A2A 0.3 AuthorizationCodeOAuthFlow', '1.0': 'A2A 1.0 §4.5' },
  check(card, report, { version }) {
    for (const { kind, fields, fieldsPath } of schemesOf(card)) {
      if (kind !== 'oauth2' && kind !== 'openIdConnect') continue
      for (const field of urlFields) judge(`${fieldsPath}.${field}`, fields[field], false)
      const flows = fields['flows']
      for (const [name, flow] of isObject(flows) ? Object.entries(flows) : []) {
        if (!isObject(flow)) continue
        const strict = version === '0.3' && name === 'authorizationCode'
        for (const field of flowFields) judge(`${fieldsPath}.flows.${name}.${field}`, flow[field], strict)
      }
    }

    function judge(path: string, value: unknown, strict: boolean): void {
      if (!isText(value)) return
      const url = httpUrl(value)
      if (url?.protocol === 'https:' || (url && hostKind(url.hostname) === 'loopback')) return
      report(path, `${path} ${show(value)} must be an https URL`, { level: strict ? 'error' : 'warning' })
    }
  },
}
