import { isBind, isLoopback, isPrivate } from '../http/hosts.ts'
import { readOffers } from './offers.ts'
import type { CardObject, RuleContext } from './types.ts'
import { httpUrl } from './values.ts'

/** An absolute http(s) address in a card, once per distinct value. */
export interface CardAddress {
  /** The first place where it stands. */
  path: string
  /** As written. */
  value: string
  url: URL
  host: 'loopback' | 'bind' | 'private' | 'public'
}

/** The addresses at which the agent can be called, according to its card. */
export function cardAddresses(card: CardObject): readonly CardAddress[] {
  let addresses = addressesOf.get(card)
  if (addresses === undefined) addressesOf.set(card, (addresses = readAddresses(card)))
  return addresses
}

/** Several rules ask for the addresses of one card, and parsing URLs is most of their work. */
const addressesOf = new WeakMap<CardObject, readonly CardAddress[]>()

function readAddresses(card: CardObject): CardAddress[] {
  const seen = new Map<string, CardAddress>()
  for (const { urlPath: path, url: value } of readOffers(card)) {
    const url = httpUrl(value)
    if (url === undefined || typeof value !== 'string' || seen.has(value)) continue
    seen.set(value, { path, value, url, host: hostKind(url.hostname) })
  }
  return [...seen.values()]
}

/** Where a card came from, to compare the addresses in it with. */
export interface CardSource {
  url: string
  origin: string
  secure: boolean
  host: CardAddress['host']
  /** A public or https origin: everybody can read the card, so wrong addresses are errors. */
  strict: boolean
}

/** Undefined for a card object, and for an agent that we served ourselves. */
export function cardSource(context: RuleContext): CardSource | undefined {
  const url = httpUrl(context.cardUrl ?? context.typedUrl)
  if (url === undefined || context.served === true) return undefined
  const host = hostKind(url.hostname)
  const secure = url.protocol === 'https:'
  return {
    url: context.cardUrl ?? context.typedUrl ?? '',
    origin: url.origin,
    secure,
    host,
    strict: secure || host === 'public',
  }
}

/** Names the URL of the card; empty for a card object. */
export function cameFrom(source: CardSource | undefined): string {
  return source === undefined ? '' : ` (the card came from ${source.url})`
}

export function hostKind(hostname: string): CardAddress['host'] {
  if (isBind(hostname)) return 'bind'
  if (isLoopback(hostname)) return 'loopback'
  return isPrivate(hostname) ? 'private' : 'public'
}

/** Origins are compared with all spellings of the loopback host taken as one. */
export function sameOrigin(a: URL, b: URL): boolean {
  if (a.origin === b.origin) return true
  return a.protocol === b.protocol && a.port === b.port && isLoopback(a.hostname) && isLoopback(b.hostname)
}
