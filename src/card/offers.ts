import type { CardObject } from './types.ts'
import { objectsOf } from './values.ts'

/** One entry of a card that says where the agent is, as written. */
export interface Offer {
  /** The entry: `url`, `additionalInterfaces[0]`, `supportedInterfaces[1]`. */
  path: string
  /** Where its address stands: `url`, `additionalInterfaces[0].url`. */
  urlPath: string
  url: unknown
  binding: unknown
  version?: unknown
  tenant?: unknown
  /** The entry stands in `supportedInterfaces`. */
  modern: boolean
}

/** Every entry of a card that says where the agent is: `supportedInterfaces`, then `url`, then `additionalInterfaces`. */
export function readOffers(card: CardObject): Offer[] {
  const offers: Offer[] = objectsOf(card['supportedInterfaces']).map(({ item, index }) => ({
    path: `supportedInterfaces[${index}]`,
    urlPath: `supportedInterfaces[${index}].url`,
    url: item['url'],
    binding: item['protocolBinding'] ?? item['transport'],
    version: item['protocolVersion'],
    tenant: item['tenant'],
    modern: true,
  }))
  const version = card['protocolVersion']
  if (card['url'] !== undefined) {
    const binding = mainBinding(card)
    offers.push({ path: 'url', urlPath: 'url', url: card['url'], binding, version, modern: false })
  }
  for (const { item, index } of objectsOf(card['additionalInterfaces'])) {
    offers.push({
      path: `additionalInterfaces[${index}]`,
      urlPath: `additionalInterfaces[${index}].url`,
      url: item['url'],
      binding: item['transport'] ?? item['protocolBinding'],
      version,
      modern: false,
    })
  }
  return offers
}

/** The binding at `url`: JSONRPC unless the card says otherwise. */
export function mainBinding(card: CardObject): unknown {
  const preferred = card['preferredTransport']
  return preferred === undefined || preferred === '' ? 'JSONRPC' : preferred
}
