import { plainText } from '../core/guards.ts'
import { isAgentCard, properInterfaces } from './isAgentCard.ts'
import { looksLike } from './looksLike.ts'
import type { CardObject, CardShape, CardVersion } from './types.ts'
import { isObject, isText, listed, objectsOf, show } from './values.ts'

/**
 * Says what a normalised JSON document at a card's path is: a card (and by which version's rules it is judged), a card that mixes
 * versions, or something else. Pure, and total for any JSON value.
 */
export function classifyCard(card: CardObject, document: Record<string, unknown>): CardShape {
  if (!isAgentCard(card)) return { kind: 'not-a2a', looksLike: looksLike(document) }
  const interfaces = card['supportedInterfaces']
  return Array.isArray(interfaces) && interfaces.length > 0 ? byInterfaces(card) : byProtocolVersion(card)
}

function byInterfaces(card: CardObject): CardShape {
  const proper = properInterfaces(card)
  if (proper.length === 0) {
    const entries = objectsOf(card['supportedInterfaces'])
    const others = ['transport', 'protocol', 'type', 'serviceUrl'].filter((key) =>
      entries.some(({ item }) => item[key] !== undefined),
    )
    const instead = others.length === 0 ? '' : `, but ${listed(others)}`
    return ambiguous([
      `supportedInterfaces (a 1.0 member), whose entries have neither protocolBinding nor protocolVersion${instead}`,
      ...oldSigns(card),
    ])
  }
  const newest = proper.find(({ item }) => !isOldVersion(item['protocolVersion']))
  if (newest !== undefined) {
    const version = newest.item['protocolVersion']
    const said = isText(version) ? `protocolVersion ${show(version)}` : `protocolBinding, a 1.0 name`
    return found('1.0', `supportedInterfaces[${newest.index}] has ${said}`)
  }
  const first = proper[0]?.item['protocolVersion']
  if (isText(card['url'])) {
    return found(
      oldVersion(card['protocolVersion'] ?? first),
      `url, and supportedInterfaces says ${show(first)}`,
    )
  }
  return ambiguous([
    'supportedInterfaces with protocolBinding and no url (the layout of 1.0)',
    `every interface says protocolVersion ${show(first)}`,
  ])
}

function byProtocolVersion(card: CardObject): CardShape {
  const version = card['protocolVersion']
  const signs = oldSigns(card)
  if (typeof version === 'string' && /^[1-9]\d*(?:\.\d+)*$/.test(version.trim())) {
    if (signs.length === 0) return found('1.0', `protocolVersion ${show(version)}`)
    return ambiguous([`protocolVersion ${show(version)}`, ...signs])
  }
  if (version !== undefined) return found(oldVersion(version), `protocolVersion ${show(version)}`)
  if (card['supportedInterfaces'] !== undefined && signs.length === 0)
    return found('1.0', 'supportedInterfaces')
  if (Array.isArray(card['securityRequirements']) && card['securityRequirements'].length > 0) {
    if (signs.length === 0) return found('1.0', 'securityRequirements')
    return ambiguous(['securityRequirements (a 1.0 member)', ...signs])
  }
  const later = laterSign(card)
  if (isObject(card['authentication']) && later === undefined) {
    return found('0.1', 'no protocolVersion, and `authentication`, which only 0.1 has')
  }
  return found('0.2', 'no protocolVersion: a card without one is treated as 0.2')
}

function found(version: CardVersion, why: string): CardShape {
  return { kind: 'card', version, why }
}

function ambiguous(signs: string[]): CardShape {
  return {
    kind: 'ambiguous',
    signs,
    why: `the card mixes signs of different A2A versions: ${signs.join('; ')}`,
  }
}

/** What only a 0.x card has. */
function oldSigns(card: CardObject): string[] {
  const signs: string[] = []
  if (isText(card['url'])) signs.push('a top-level url (the layout of 0.x)')
  const version = card['protocolVersion']
  if (isOldVersion(version)) signs.push(`protocolVersion ${show(version)}`)
  for (const name of ['preferredTransport', 'additionalInterfaces', 'authentication']) {
    if (card[name] !== undefined) signs.push(`${name} (a 0.x member)`)
  }
  return signs
}

/** A member that came after 0.1, so that `authentication` alone does not make a card 0.1. */
function laterSign(card: CardObject): string | undefined {
  const names = [
    'securitySchemes',
    'preferredTransport',
    'additionalInterfaces',
    'signatures',
    'supportsAuthenticatedExtendedCard',
  ]
  return names.find((name) => card[name] !== undefined)
}

function isOldVersion(version: unknown): boolean {
  return typeof version === 'string' && /^\s*v?0(?:\.|\s*$)/.test(version)
}

function oldVersion(version: unknown): CardVersion {
  const text = plainText(version).trim()
  if (/^v?0\.1(?:\.|$)/.test(text)) return '0.1'
  if (/^v?0\.2(?:\.|$)/.test(text)) return '0.2'
  return '0.3'
}
