import { absent, isModern } from '../ruleKit.ts'
import { schemesOf, type Scheme } from '../security.ts'
import type { Report, Rule, RuleContext } from '../types.ts'
import { isObject, isText, listed, show } from '../values.ts'

/** What each flow must have besides `scopes`. Deprecated flows of 1.0 require nothing. */
const requiredFields: Readonly<Record<string, string[]>> = {
  authorizationCode: ['authorizationUrl', 'tokenUrl'],
  clientCredentials: ['tokenUrl'],
  deviceCode: ['deviceAuthorizationUrl', 'tokenUrl'],
  implicit: ['authorizationUrl'],
  password: ['tokenUrl'],
}

export const schemeOauth2: Rule = {
  id: 'card/scheme-oauth2',
  levels: { '0.2': 'error', '0.3': 'error', '1.0': 'error' },
  summary:
    'An OAuth 2.0 scheme has `flows` with the URLs and scopes that each flow needs; in 1.0 exactly one flow. In 1.0 missing ' +
    '`scopes` are a warning, because serializers omit empty maps.',
  fix: 'Complete the flow; in 1.0 declare a separate scheme for each flow.',
  source: { '0.2': 'OpenAPI 3.0 oauthFlows', '0.3': 'A2A 0.3 §5.5.3', '1.0': 'A2A 1.0 §4.5.4 (oneof)' },
  check(card, report, context) {
    for (const scheme of schemesOf(card)) {
      if (scheme.kind === 'oauth2') checkFlows(scheme, report, context)
    }
  },
}

function checkFlows({ fields, fieldsPath, style }: Scheme, report: Report, context: RuleContext): void {
  const path = `${fieldsPath}.flows`
  const flows = fields['flows']
  if (flows === undefined) report(path, absent(path, context))
  else if (!isObject(flows)) report(path, `${path} must be an object, not ${show(flows)}`)
  else {
    const named = Object.keys(requiredFields).filter((name) => flows[name] !== undefined)
    if (named.length === 0) {
      report(path, `${path} has none of ${listed(Object.keys(requiredFields))}`)
    } else if (named.length > 1 && isModern(context.version) && style === 'wrapped') {
      const message = `${path} must have one flow only in 1.0, but has ${listed(named)}; strict readers reject the whole card`
      report(path, message)
    }
    for (const name of named) checkFlow(name, flows[name], `${path}.${name}`, report, context)
  }
}

function checkFlow(name: string, flow: unknown, path: string, report: Report, context: RuleContext): void {
  if (!isObject(flow)) {
    report(path, `${path} must be an object, not ${show(flow)}`)
    return
  }
  const modern = isModern(context.version)
  if (modern && (name === 'implicit' || name === 'password')) return
  for (const field of requiredFields[name] ?? []) {
    if (!isText(flow[field])) report(`${path}.${field}`, absent(`${path}.${field}`, context))
  }
  if (flow['scopes'] === undefined) {
    report(`${path}.scopes`, absent(`${path}.scopes`, context), { level: modern ? 'warning' : 'error' })
  } else if (!isObject(flow['scopes'])) {
    report(`${path}.scopes`, `${path}.scopes must be an object, not ${show(flow['scopes'])}`)
  }
}
