import { sign, type KeyObject } from 'node:crypto'
import { isObject } from './rpc.ts'
import type { Json } from './wire.ts'

/** A private P-256 key and the id of its public half. */
export interface CardKey {
  key: KeyObject
  kid: string
}

/** Signs a card: ES256 over its canonical form, RFC 8785 (A2A 1.0 §8.4). */
export function signCard(card: Json, { key, kid }: CardKey): Json {
  const header = encode(JSON.stringify({ alg: 'ES256', typ: 'JOSE', kid }))
  const input = Buffer.from(`${header}.${encode(canonical(withoutDefaults(card)) ?? '')}`)
  const signature = sign('sha256', input, { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return { ...card, signatures: [{ protected: header, signature }] }
}

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url')
}

/** A signature leaves out defaults; the only ones in demo cards are empty arrays of optional fields. */
function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name, one]) => !(name === 'list' && String(one) === ''))
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutDefaults(one)]))
}

/** JSON with sorted names. RFC 8785 also has rules for numbers, but demo cards have none. */
function canonical(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).toSorted()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}
