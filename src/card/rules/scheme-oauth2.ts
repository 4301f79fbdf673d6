import { absent, isModern } from '../ruleKit.ts'
import { schemesOf, type Scheme } from '../security.ts'
import type { Complain, Rule, RuleContext } from '../types.ts'
import { isObject, isText, listed, show } from '../values.ts'

/** What each flow must have besides `scopes`. Deprecated flows of 1.0 demand nothing. */
const demanded: Readonly<Record<string, string[]>> = {
  authorizationCode: ['authorizationUrl', 'tokenUrl'],
  clientCredentials: ['tokenUrl'],
  deviceCode: ['deviceAuthorizationUrl', 'tokenUrl'],
  implicit: ['authorizationUrl'],
  password: ['tokenUrl'],
}

export const schemeOauth2: Rule = {
  id: 'card/scheme-oauth2',
  levels: { '0.2': 'error', '0.3': 'error', '1.0': 'error' },
  about:
    'An OAuth 2.0 scheme has `flows` with the URLs and scopes that each flow needs; in 1.0 exactly one flow. In 1.0 missing ' +
    '`scopes` are a warning, because writers leave empty maps out.',
  mend: 'Complete the flow; in 1.0 make one scheme of each flow.',
  source: { '0.2': 'OpenAPI 3.0 oauthFlows', '0.3': 'A2A 0.3 §5.5.3', '1.0': 'A2A 1.0 §4.5.4 (oneof)' },
  check(card, complain, context) {
    for (const scheme of schemesOf(card)) {
      if (scheme.kind === 'oauth2') checkFlows(scheme, complain, context)
    }
  },
}

function checkFlows({ fields, fieldsPath, style }: Scheme, complain: Complain, context: RuleContext): void {
  const path = `${fieldsPath}.flows`
  const flows = fields['flows']
  if (flows === undefined) complain(path, absent(path, context))
  else if (!isObject(flows)) complain(path, `${path} must be an object, not ${show(flows)}`)
  else {
    const named = Object.keys(demanded).filter((name) => flows[name] !== undefined)
    if (named.length === 0) {
      complain(path, `${path} has none of ${listed(Object.keys(demanded))}`)
    } else if (named.length > 1 && isModern(context.version) && style === 'wrapped') {
      const message = `${path} must have one flow only in 1.0, but has ${listed(named)}; strict readers reject the whole card`
      complain(path, message)
    }
    for (const name of named) checkFlow(name, flows[name], `${path}.${name}`, complain, context)
  }
}

function checkFlow(
  name: string,
  flow: unknown,
  path: string,
  complain: Complain,
  context: RuleContext,
): void {
  if (!isObject(flow)) {
    complain(path, `${path} must be an object, not ${show(flow)}`)
    return
  }
  const modern = isModern(context.version)
  if (modern && (name === 'implicit' || name === 'password')) return
  for (const field of demanded[name] ?? []) {
    if (!isText(flow[field])) complain(`${path}.${field}`, absent(`${path}.${field}`, context))
  }
  if (flow['scopes'] === undefined) {
    complain(`${path}.scopes`, absent(`${path}.scopes`, context), { level: modern ? 'warning' : 'error' })
  } else if (!isObject(flow['scopes'])) {
    complain(`${path}.scopes`, `${path}.scopes must be an object, not ${show(flow['scopes'])}`)
  }
}
