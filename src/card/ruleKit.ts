import type { Level } from '../findings/types.ts'
import type { CardObject, CardVersion, Report, RuleContext } from './types.ts'
import { isStringList, isText, objectsOf, show } from './values.ts'
import { profileOf } from '../protocol/versions/profiles.ts'

/** The source of a rule of this package: docs/decisions/0001 explains the table. */
export const table = 'expect-a2a card table'

/** The same level in every version. */
export function everywhere(level: Level): Record<CardVersion, Level> {
  return { ...before1(level), '1.0': level }
}

/** The same level in every version before 1.0. */
export function before1(level: Level): Record<'0.1' | '0.2' | '0.3', Level> {
  return { '0.1': level, '0.2': level, '0.3': level }
}

export function isModern(version: CardVersion): boolean {
  return profileOf(version).card.listsInterfaces
}

/** `x is null` or `x is missing`: a null counts as absent, but the message says what was there. */
export function absent(path: string, context: RuleContext): string {
  return context.reading.nulls.includes(path) ? `${path} is null` : `${path} is missing`
}

/** Reports unless a member is a non-empty string. */
export function requireText(
  holder: CardObject,
  field: string,
  path: string,
  report: Report,
  context: RuleContext,
): void {
  const value = holder[field]
  if (value === undefined) report(path, absent(path, context))
  else if (typeof value !== 'string') report(path, `${path} must be a string, not ${show(value)}`)
  else if (!isText(value)) report(path, `${path} is empty`)
}

/** Reports unless a top-level member is a non-empty list of strings. */
export function requireModes(card: CardObject, field: string, report: Report, context: RuleContext): void {
  const value = card[field]
  if (value === undefined) report(field, absent(field, context))
  else if (!isStringList(value)) report(field, `${field} must be a list of strings, ${notStrings(value)}`)
  else if (value.length === 0) report(field, `${field} is empty`)
}

/** What is there instead of a list of strings: `not 5`, or `but [2] is an object`. */
export function notStrings(value: unknown): string {
  if (!Array.isArray(value)) return `not ${show(value)}`
  const index = value.findIndex((item) => typeof item !== 'string')
  return `but [${index}] is ${show(value[index])}`
}

/** The skills that are objects, each with its path. */
export function skillsOf(card: CardObject): { skill: CardObject; path: string }[] {
  return objectsOf(card['skills']).map(({ item, index }) => ({ skill: item, path: `skills[${index}]` }))
}

/** The entries of `supportedInterfaces` that are objects, each with its path. */
export function interfacesOf(card: CardObject): { item: CardObject; path: string }[] {
  return objectsOf(card['supportedInterfaces']).map(({ item, index }) => ({
    item,
    path: `supportedInterfaces[${index}]`,
  }))
}

/** True when a version string belongs to 0.x. */
export function isOldVersion(version: unknown): boolean {
  return typeof version === 'string' && /^\s*v?0(?:\.|\s*$)/.test(version)
}

/** A 1.0 card that also carries a 0.3 view of itself on purpose, as servers with a compatibility layer publish it. */
export function isHybrid(card: CardObject): boolean {
  if (interfacesOf(card).some(({ item }) => isOldVersion(item['protocolVersion']))) return true
  return isText(card['url']) && isOldVersion(card['protocolVersion'])
}
