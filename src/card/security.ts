import { isHybrid, isModern, skillsOf } from './ruleKit.ts'
import type { CardObject, CardVersion } from './types.ts'
import { at, isObject, isText } from './values.ts'

/** What kinds of security scheme there are, in the words of 0.2 and 0.3. */
export type SchemeKind = 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS'

/** The 1.0 wrapper keys and the kinds that they stand for. */
export const wrappers: Readonly<Record<string, SchemeKind>> = {
  apiKeySecurityScheme: 'apiKey',
  httpAuthSecurityScheme: 'http',
  oauth2SecurityScheme: 'oauth2',
  openIdConnectSecurityScheme: 'openIdConnect',
  mtlsSecurityScheme: 'mutualTLS',
}

/** A security scheme of a card, in either way of writing. */
export interface Scheme {
  name: string
  path: string
  /** Absent when nothing says what the scheme is. */
  kind?: SchemeKind
  /** `type` next to its fields (0.2, 0.3), a wrapper key (1.0), or neither. */
  style: 'typed' | 'wrapped' | 'neither'
  /** Every wrapper key that was found. */
  wrapperKeys: string[]
  /** The object that has the fields, and its path. */
  fields: CardObject
  fieldsPath: string
}

/** The security schemes of a card that are objects. A wrapper key wins over `type`, which servers of both versions write next to it. */
export function schemesOf(card: CardObject): Scheme[] {
  const schemes = card['securitySchemes']
  if (!isObject(schemes)) return []
  return Object.entries(schemes).flatMap(([name, value]) =>
    isObject(value) ? [readScheme(name, value)] : [],
  )
}

function readScheme(name: string, value: CardObject): Scheme {
  const path = at('securitySchemes', name)
  const wrapperKeys = Object.keys(wrappers).filter((key) => value[key] !== undefined)
  const key = wrapperKeys[0]
  if (key !== undefined && isObject(value[key])) {
    const kind = wrappers[key]
    const fieldsPath = `${path}.${key}`
    const scheme: Scheme = { name, path, style: 'wrapped', wrapperKeys, fields: value[key], fieldsPath }
    return kind === undefined ? scheme : { ...scheme, kind }
  }
  const kind = Object.values(wrappers).find((one) => one === value['type'])
  const style = isText(value['type']) ? 'typed' : 'neither'
  const scheme: Scheme = { name, path, style, wrapperKeys, fields: value, fieldsPath: path }
  return kind === undefined ? scheme : { ...scheme, kind }
}

/** One list of alternatives that a card or a skill requires. */
export interface RequirementList {
  /** `security`, `securityRequirements`, `skills[0].security`. */
  path: string
  value: unknown
}

/** The requirement lists of a card by the names of its version, skills included. */
export function requirementLists(card: CardObject, version: CardVersion): RequirementList[] {
  const field = isModern(version) ? 'securityRequirements' : 'security'
  const holders = [{ holder: card, prefix: '' }]
  for (const { skill, path } of skillsOf(card)) holders.push({ holder: skill, prefix: `${path}.` })
  return holders.flatMap(({ holder, prefix }) =>
    holder[field] === undefined ? [] : [{ path: prefix + field, value: holder[field] }],
  )
}

/** The scheme names of one alternative, by their scopes; both ways of writing are read. */
export function requiredNames(entry: unknown): Record<string, unknown> | undefined {
  if (!isObject(entry)) return undefined
  // A 0.x scheme may be named `schemes`, but then a list stands there.
  return isObject(entry['schemes']) ? entry['schemes'] : entry
}

/** True when a card has 0.3-style schemes on purpose: together with a 0.3 view of the agent. */
export function mayBeTyped(card: CardObject, version: CardVersion): boolean {
  return !isModern(version) || isHybrid(card)
}
