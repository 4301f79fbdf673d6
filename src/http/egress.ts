import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { A2APolicyError } from '../core/errors.ts'
import { canonicalHost, describeHost, isAddress, isLoopback, isMetadata, isPrivate } from './hosts.ts'

export interface EgressOptions {
  /** What the user typed; without it nothing counts as typed and nothing is public, so only `http after https` is refused. */
  typedUrl?: string | undefined
  /** Other origins that the user allows: they see headers, and may be anywhere. */
  trustedOrigins?: readonly string[] | undefined
  /** True when the typed origin is a server that this process opened: then requests never leave the machine unasked. */
  servedOrigin?: boolean | undefined
  lookup?: LookupFunction | undefined
}

/** Who named an address, for the messages of a refusal. */
export interface NamedBy {
  /** Path within the agent card. */
  addressFrom?: string
  /** The address that redirected here. */
  redirectedFrom?: string
}

/** Decides which origins may be called, and which of them see what the user gave. */
export interface Egress {
  readonly typedOrigin?: string
  /** True for the typed origin and the trusted ones: they see headers, credentials and client certificates. */
  isGiven(url: URL): boolean
  /** True where `check` needs no look at the address: it is given, and http or https. */
  allows(url: URL): boolean
  /** True when resolved addresses must be looked at, so that a connection may not come from a shared pool. */
  readonly guarded: boolean
  /** Refuses what the address alone gives away. Throws A2APolicyError `REFUSED_BY_POLICY`. */
  check(url: URL, by: NamedBy): Promise<void>
  /** Resolves names for connections to origins that were not given; refuses at that very moment, so that rebinding has no gap. */
  readonly lookup: LookupFunction
  /** Turns what the guarded lookup refused into an error with the whole story; undefined for any other error. */
  explain(error: unknown, url: URL, by: NamedBy): A2APolicyError | undefined
}

interface LookupRefusal extends Error {
  code: 'A2A_EGRESS'
  address: string
}

/**
 * The egress policy of one handle. The typed origin is always allowed. Where the typed host is public, a card or a redirect
 * cannot lead to a private, loopback, link-local or metadata address; http after https is refused everywhere but on this machine.
 */
export function createEgress(options: EgressOptions): Egress {
  const typed = options.typedUrl === undefined ? undefined : new URL(options.typedUrl)
  const trusted = (options.trustedOrigins ?? []).map((origin) => new URL(origin))
  const resolve = options.lookup ?? systemLookup
  const typedLooksPublic = typed !== undefined && !isPrivate(typed.hostname)

  /**
   * A public name may still resolve inside of a company's network, whose cards then name its hosts rightly. One that resolves to
   * this machine stands for the public host that it names.
   */
  async function typedIsPublic(): Promise<boolean> {
    if (!typedLooksPublic) return false
    if (isAddress(typed.hostname)) return true
    const addresses = await resolveAll(resolve, canonicalHost(typed.hostname)).catch(() => [])
    return (
      addresses.length === 0 || addresses.some(({ address }) => !isPrivate(address) || isLoopback(address))
    )
  }

  function refuse(url: URL, by: NamedBy, why: string, fix?: string): A2APolicyError {
    return new A2APolicyError(
      'REFUSED_BY_POLICY',
      `not called: ${url.origin}${url.pathname}${namedBy(by)}, because ${why}`,
      { fix: fix ?? `If that is meant, allow it: trustedOrigins: ['${url.origin}'].` },
    )
  }

  function whyPrivate(host: string, resolvedFrom?: string): string {
    const what =
      resolvedFrom === undefined
        ? `"${host}" is ${describeHost(host)}`
        : `"${resolvedFrom}" resolves to ${host}, ${describeHost(host)}`
    return `${what}, while the agent was given by a public address (${typed?.origin})`
  }

  const isGiven = (url: URL): boolean =>
    (typed !== undefined && sameOrigin(typed, url)) || trusted.some((origin) => sameOrigin(origin, url))

  return {
    ...(typed === undefined ? {} : { typedOrigin: typed.origin }),
    isGiven,
    allows: (url) => isHttp(url) && isGiven(url),
    guarded: typedLooksPublic,

    async check(url, by) {
      if (!isHttp(url)) {
        throw refuse(
          url,
          by,
          `"${url.protocol.slice(0, -1)}" is neither http nor https`,
          'Use an http or https address.',
        )
      }
      if (isGiven(url)) return
      const before = by.redirectedFrom === undefined ? typed : new URL(by.redirectedFrom)
      const wasSecure = before?.protocol === 'https:' || typed?.protocol === 'https:'
      if (wasSecure && url.protocol === 'http:' && !(isLoopback(url.hostname) && typedIsLoopback(typed))) {
        throw refuse(
          url,
          by,
          `it is http, and ${before?.protocol === 'https:' ? before.origin : typed?.origin} is https`,
          'Behind a proxy that ends TLS, servers write http addresses until X-Forwarded-Proto or a public URL is configured. ' +
            `If plain http is meant, allow it: trustedOrigins: ['${url.origin}'].`,
        )
      }
      if (options.servedOrigin === true && !isLoopback(url.hostname)) {
        throw refuse(
          url,
          by,
          `the agent is served by this test at ${typed?.origin}, and a request there would leave it`,
        )
      }
      if (!typedLooksPublic) return
      const host = canonicalHost(url.hostname)
      const suspect = isMetadata(host) || isLoopback(host) || (isAddress(host) && isPrivate(host))
      if (suspect && (await typedIsPublic())) throw refuse(url, by, whyPrivate(host))
    },

    lookup(hostname, lookupOptions, callback) {
      const answer = callback as (error: Error | null, address?: unknown, family?: number) => void
      const decide = async (): Promise<LookupAddress[]> => {
        const addresses = await resolveAll(resolve, hostname, lookupOptions.family)
        const bad = addresses.find(({ address }) => isPrivate(address))
        if (bad !== undefined && (await typedIsPublic())) {
          throw Object.assign(new Error(whyPrivate(bad.address, hostname)), {
            code: 'A2A_EGRESS',
            address: bad.address,
          })
        }
        return addresses
      }
      decide().then(
        (addresses) =>
          lookupOptions.all === true
            ? answer(null, addresses)
            : answer(null, addresses[0]?.address, addresses[0]?.family),
        (error: Error) => answer(error),
      )
    },

    explain(error, url, by) {
      if ((error as LookupRefusal | undefined)?.code !== 'A2A_EGRESS') return undefined
      return refuse(url, by, (error as LookupRefusal).message)
    },
  }
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:'
}

/** Equal origins; on this machine every spelling of loopback with one scheme and port is one origin. */
export function sameOrigin(a: URL, b: URL): boolean {
  if (a.protocol !== b.protocol || a.port !== b.port) return false
  return (
    a.hostname.toLowerCase() === b.hostname.toLowerCase() ||
    (isLoopback(a.hostname) && isLoopback(b.hostname))
  )
}

function typedIsLoopback(typed: URL | undefined): boolean {
  return typed !== undefined && isLoopback(typed.hostname)
}

function namedBy({ addressFrom, redirectedFrom }: NamedBy): string {
  if (redirectedFrom !== undefined) return ` (where ${redirectedFrom} redirects to)`
  return addressFrom === undefined ? '' : ` (from the agent card, ${addressFrom})`
}

/** All addresses of a name. Lookups given by users may ignore `all` and answer with a single address. */
async function resolveAll(
  lookup: LookupFunction,
  hostname: string,
  family?: number | string,
): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    const options = { all: true as const, ...(typeof family === 'number' ? { family } : {}) }
    lookup(hostname, options, (error, address, addressFamily) => {
      if (error !== null && error !== undefined) return reject(error)
      if (Array.isArray(address)) return resolve(address)
      resolve([{ address, family: addressFamily ?? (address.includes(':') ? 6 : 4) }])
    })
  })
}
