import { plainText } from '../core/guards.ts'
import type { AgentInterface, Dialect } from '../protocol/model.ts'
import { readOffers, type Offer } from './offers.ts'
import type { CardObject, CardShape } from './types.ts'
import { bindingKey, httpUrl, isText } from './values.ts'
import { profileOf } from '../protocol/versions/profiles.ts'

/** What reading the interfaces may know besides the card. */
export interface InterfaceOptions {
  /** Bindings that count as callable for a 0.x card; those come first. Default `['JSONRPC']` (expect-a2a endpoint rule). */
  bindings?: readonly string[]
  /** Where the card came from: relative URLs in it are resolved against this. */
  cardUrl?: string
}

/**
 * The ways to reach the agent that the card names, in the order in which a client should try them; bindings are as written, and
 * a client leaves out those that it does not speak. 0.x: JSON-RPC (`url`, then `additionalInterfaces`) before everything else.
 * 1.0: the card's order, and after it a 0.3 `url` beside it. Source: expect-a2a endpoint rule; A2A 1.0 §8.3.2.
 */
export function readInterfaces(
  card: CardObject,
  shape: CardShape,
  options: InterfaceOptions = {},
): AgentInterface[] {
  if (shape.kind === 'not-a2a') return []
  const offers = readOffers(card)
  const modern = offers.filter((offer) => offer.modern)
  const old = offers.filter((offer) => !offer.modern)
  if (shape.kind === 'card' && !profileOf(shape.version).card.listsInterfaces) {
    const { dialect, wire } = profileOf(shape.version)
    const wanted = (options.bindings ?? ['JSONRPC']).map(bindingKey)
    const isWanted = (offer: Offer): boolean => wanted.includes(bindingKey(offer.binding))
    const ordered = [...old.filter(isWanted), ...old.filter((offer) => !isWanted(offer))]
    const modes = wire.mayRequireOutputModes ? requiredOutputModes(card) : undefined
    return unique(
      ordered
        .flatMap((offer) => toInterface(offer, dialect, options))
        .map((item) => (modes === undefined ? item : { ...item, acceptedOutputModes: modes })),
    )
  }
  // A 0.x layout that says 1.0: 1.0 is tried first, then what the layout stands for.
  const saysModern = shape.kind === 'ambiguous' && /^\s*[1-9]/.test(plainText(card['protocolVersion']))
  return unique([
    ...modern.flatMap((offer) => toInterface(offer, isOld(offer.version) ? '0.3' : '1.0', options)),
    ...(saysModern ? old.flatMap((offer) => toInterface(offer, '1.0', options)) : []),
    ...old.flatMap((offer) => toInterface(offer, '0.3', options)),
  ])
}

function toInterface(offer: Offer, dialect: Dialect, options: InterfaceOptions): AgentInterface[] {
  if (typeof offer.url !== 'string') return []
  // 1.0 beside the card's own 0.x version string, or the other way round, would announce the wrong version.
  const version =
    isText(offer.version) && isOld(offer.version) === !profileOf(dialect).card.listsInterfaces
      ? offer.version
      : undefined
  return [
    {
      url: resolve(offer.url, options.cardUrl),
      binding: isText(offer.binding) ? offer.binding : '',
      dialect,
      path: offer.path,
      ...(version === undefined ? {} : { version }),
      ...(isText(offer.tenant) ? { tenant: offer.tenant } : {}),
    },
  ]
}

/** Until 0.2.5 a message that says anything about its configuration must say which modes it accepts; a card without a version is that old. */
function requiredOutputModes(card: CardObject): string[] | undefined {
  const version = card['protocolVersion']
  if (typeof version === 'string' && !/^\s*v?0\.2(\.[0-5])?\s*$/.test(version)) return undefined
  const modes = card['defaultOutputModes']
  return Array.isArray(modes) && modes.length > 0 && modes.every((mode) => typeof mode === 'string')
    ? modes
    : undefined
}

function isOld(version: unknown): boolean {
  return typeof version === 'string' && /^\s*v?0(?:\.|\s*$)/.test(version)
}

/** A relative URL is read against the card's own; what has no reading (an empty one, another scheme) stays as written. */
function resolve(value: string, cardUrl: string | undefined): string {
  // `host:8080/x` and `mailto:x` name a scheme, so they are no paths; `//host/x` is resolved by the URL standard.
  if (!isText(value) || cardUrl === undefined || /^[a-z][a-z\d+.-]*:/i.test(value)) return value
  try {
    return httpUrl(new URL(value, cardUrl).href)?.href ?? value
  } catch {
    return value
  }
}

function unique(interfaces: AgentInterface[]): AgentInterface[] {
  const seen = new Set<string>()
  return interfaces.filter((item) => {
    const key = JSON.stringify([item.url, bindingKey(item.binding), item.dialect, item.tenant])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
