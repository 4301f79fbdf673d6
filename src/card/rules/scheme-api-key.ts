import { schemesOf, type Scheme } from '../security.ts'
import type { Report, Rule } from '../types.ts'
import { isText, show } from '../values.ts'

export const schemeApiKey: Rule = {
  id: 'card/scheme-api-key',
  levels: { '0.2': 'error', '0.3': 'error', '1.0': 'error' },
  summary:
    'An API key scheme has `in` (0.2, 0.3) or `location` (1.0), which is query, header or cookie, and a usable `name`.',
  fix: 'Write where the key is sent (query, header or cookie) and its name there.',
  source: { '0.2': 'OpenAPI 3.0 securityScheme', '0.3': 'A2A 0.3 §5.5.3', '1.0': 'A2A 1.0 §4.5.2' },
  check(card, report) {
    for (const scheme of schemesOf(card)) {
      if (scheme.kind !== 'apiKey') continue
      checkPlace(scheme, report)
      checkName(scheme, report)
    }
  },
}

function checkPlace({ path, fields, fieldsPath, style }: Scheme, report: Report): void {
  const field = style === 'wrapped' ? 'location' : 'in'
  const place = fields[field]
  const here = `${fieldsPath}.${field}`
  if (place === undefined) {
    const instead = ['in_', 'in', 'location'].find((key) => key !== field && isText(fields[key]))
    if (instead === undefined) report(here, `${here} is missing`)
    else {
      report(here, `${path}: unknown key "${instead}", expected "${field}"`, {
        fix: `Rename ${instead} to ${field}.`,
      })
    }
  } else if (!isPlace(place)) {
    report(here, `${here} ${show(place)} must be query, header or cookie`)
  }
}

function checkName({ fields, fieldsPath, style }: Scheme, report: Report): void {
  const here = `${fieldsPath}.name`
  const value = fields['name']
  if (!isText(value)) {
    report(here, value === undefined ? `${here} is missing` : `${here} must be a non-empty string`)
    return
  }
  const place = fields[style === 'wrapped' ? 'location' : 'in']
  // A line break in a header's name or value would smuggle further headers in.
  const usable = place === 'query' ? !/[\r\n]/.test(value) : /^[\w!#$%&'*+.^`|~-]+$/.test(value)
  if (!usable)
    report(here, `${here} ${show(value)} cannot be the name of a ${isPlace(place) ? place : 'header'}`)
}

function isPlace(value: unknown): value is string {
  return isText(value) && ['query', 'header', 'cookie'].includes(value)
}
