import { isModern, notStrings } from '../ruleKit.ts'
import { requiredNames, requirementLists } from '../security.ts'
import type { Report, Rule } from '../types.ts'
import { at, isObject, isStringList, show } from '../values.ts'

export const securityRequirements: Rule = {
  id: 'card/security-requirements',
  levels: { '0.2': 'warning', '0.3': 'warning', '1.0': 'error' },
  summary:
    'What the card or a skill requires is a list of alternatives: `security: [{name: [scopes]}]` in 0.2 and 0.3, ' +
    '`securityRequirements: [{schemes: {name: {list: [scopes]}}}]` in 1.0.',
  fix: 'Write "security": [{"name": []}] before 1.0, "securityRequirements": [{"schemes": {"name": {"list": []}}}] in 1.0.',
  source: { '0.2': 'OpenAPI 3.0 securityRequirement', '0.3': 'A2A 0.3 §5.5', '1.0': 'A2A 1.0 §4.4.1' },
  check(card, report, { version }) {
    for (const { path, value } of requirementLists(card, version)) {
      if (!Array.isArray(value)) {
        report(path, `${path} must be a list, not ${show(value)}`)
        continue
      }
      value.forEach((entry: unknown, index) => {
        const here = `${path}[${index}]`
        if (!isObject(entry)) report(here, `${here} must be an object, not ${show(entry)}`)
        else if (isModern(version)) checkModern(entry, here, report)
        else checkOld(entry, here, report)
      })
    }
  },
}

function checkModern(entry: Record<string, unknown>, path: string, report: Report): void {
  const schemes = entry['schemes']
  // Writers of ProtoJSON leave empty maps out: {} allows anonymous calls.
  if (schemes === undefined && Object.keys(entry).length === 0) return
  if (!isObject(schemes)) {
    report(path, `${path} must have schemes, an object; {"name": [scopes]} is the form of 0.3`)
    return
  }
  for (const [name, scopes] of Object.entries(schemes)) {
    const here = at(`${path}.schemes`, name)
    if (Array.isArray(scopes)) report(here, `${here} must be {"list": [scopes]}, not a bare list`)
    else if (!isObject(scopes)) report(here, `${here} must be {"list": [scopes]}, not ${show(scopes)}`)
    else if (scopes['list'] !== undefined && !isStringList(scopes['list'])) {
      report(`${here}.list`, `${here}.list must be a list of strings, ${notStrings(scopes['list'])}`)
    }
  }
}

function checkOld(entry: Record<string, unknown>, path: string, report: Report): void {
  const names = requiredNames(entry) ?? {}
  if (names !== entry) return
  for (const [name, scopes] of Object.entries(names)) {
    const here = at(path, name)
    if (!isStringList(scopes)) report(here, `${here} must be a list of strings, ${notStrings(scopes)}`)
  }
}
