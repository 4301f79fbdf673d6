import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** How far an address reaches: what the egress policy and the card rules tell apart. */
export type Reach = 'public' | 'private' | 'link-local' | 'loopback' | 'bind' | 'unroutable'

/** Cloud metadata services: reachable from many machines, and never an agent. */
const metadataAddresses = new Set(['169.254.169.254', '169.254.170.2', '100.100.100.200', 'fd00:ec2::254'])
const metadataNames = new Set(['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data'])

const localNames = new Set(['localhost', 'localhost.localdomain', 'ip6-localhost', 'ip6-loopback'])
// RFC 6762, RFC 8375, ICANN's reserved .internal, and what routers and clusters hand out.
const privateSuffixes = ['.local', '.internal', '.localdomain', '.home.arpa', '.lan', '.intranet']

/**
 * A host as the URL standard writes it: lower case, no brackets, no zone, no trailing dot, IPv4 in four decimals
 * (`0x7f.1` is `127.0.0.1`). Takes what `URL.hostname` gives as well as what people write.
 */
export function canonicalHost(host: string): string {
  const bare = host
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .replace(/\.$/, '')
  const inUrl = bare.includes(':') ? `http://[${bare}]/` : `http://${bare}/`
  try {
    return new URL(inUrl).hostname.replace(/^\[|\]$/g, '')
  } catch {
    return bare
  }
}

/** True when the host is an IP address and not a name. */
export function isAddress(host: string): boolean {
  return isIP(canonicalHost(host)) !== 0
}

/** How far an IP address reaches; IPv4 inside of IPv6 counts as the IPv4 address. Undefined for a name. */
export function reachOfAddress(host: string): Reach | undefined {
  const bare = canonicalHost(host)
  // Not ipaddr.isValid: it throws and catches inside for every name, at more cost than all card rules together.
  if (isIP(bare) === 0) return undefined
  const address = withoutWrapping(ipaddr.process(bare))
  const range = address.range()
  switch (range) {
    case 'unicast':
      return 'public'
    case 'loopback':
      return 'loopback'
    case 'linkLocal':
      return 'link-local'
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      return 'private'
    case 'unspecified':
      // Only the zero address itself is what servers bind to; Linux routes it to this machine.
      return address.toByteArray().every((byte) => byte === 0) ? 'bind' : 'unroutable'
    default:
      return 'unroutable'
  }
}

/** NAT64 (RFC 6052) carries an IPv4 address in its last four bytes, and that is where a packet ends up. */
function withoutWrapping(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address.kind() === 'ipv6' && address.range() === 'rfc6052') {
    return ipaddr.fromByteArray(address.toByteArray().slice(12))
  }
  return address
}

/** True for `localhost`, names below it, 127.0.0.0/8 and ::1 in any spelling. */
export function isLoopback(host: string): boolean {
  const bare = canonicalHost(host)
  return localNames.has(bare) || bare.endsWith('.localhost') || reachOfAddress(bare) === 'loopback'
}

/** True for 0.0.0.0 and ::, which a server binds to and no client can call. */
export function isBind(host: string): boolean {
  return reachOfAddress(host) === 'bind'
}

/** True for the addresses and names of cloud metadata services. */
export function isMetadata(host: string): boolean {
  const bare = canonicalHost(host)
  if (metadataNames.has(bare)) return true
  const address = isAddress(bare) ? withoutWrapping(ipaddr.process(bare)).toString() : bare
  return metadataAddresses.has(address)
}

/**
 * True when the host cannot be meant for the public internet: any address that is not globally routable (loopback, bind,
 * link-local, RFC 1918, shared, unique local, reserved), loopback names, names of private zones, and single-label names such
 * as a container's.
 */
export function isPrivate(host: string): boolean {
  const bare = canonicalHost(host)
  const reach = reachOfAddress(bare)
  if (reach !== undefined) return reach !== 'public'
  return isLoopback(bare) || !bare.includes('.') || privateSuffixes.some((suffix) => bare.endsWith(suffix))
}

/** What a host is, for messages: completes "…, which is …". */
export function describeHost(host: string): string {
  if (isMetadata(host)) return 'the address of a cloud metadata service'
  if (isLoopback(host)) return 'a loopback address'
  switch (reachOfAddress(host)) {
    case 'bind':
      return 'a bind address, not an address a client can call'
    case 'link-local':
      return 'a link-local address'
    case 'private':
      return 'a private address'
    case 'unroutable':
      return 'not an address of the public internet'
    default:
      return isPrivate(host) ? 'a private name' : 'a public address'
  }
}
