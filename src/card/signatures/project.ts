import type { CardObject } from '../types.ts'
import { at, isObject } from '../values.ts'

/**
 * How a member behaves when it has its default value: `kept` members are REQUIRED, `optional` in the proto, or messages, which
 * are written whenever they were set; of all others the default is not written at all.
 */
interface Member {
  kept: boolean
  /** What is in it; absent for plain values and for free JSON. */
  of?: { message: Message; as: 'one' | 'list' | 'map' }
}
type Message = Readonly<Record<string, Member>>

const kept = (...names: string[]): Message => Object.fromEntries(names.map((name) => [name, { kept: true }]))
const dropped = (...names: string[]): Message =>
  Object.fromEntries(names.map((name) => [name, { kept: false }]))
const one = (message: Message): Member => ({ kept: true, of: { message, as: 'one' } })
const list = (message: Message, isKept = false): Member => ({ kept: isKept, of: { message, as: 'list' } })
const map = (message: Message): Member => ({ kept: false, of: { message, as: 'map' } })

const requirements = list({ schemes: map(dropped('list')) })

const flows: Message = {
  authorizationCode: one({
    ...kept('authorizationUrl', 'tokenUrl', 'scopes'),
    ...dropped('refreshUrl', 'pkceRequired'),
  }),
  clientCredentials: one({ ...kept('tokenUrl', 'scopes'), ...dropped('refreshUrl') }),
  implicit: one(dropped('authorizationUrl', 'refreshUrl', 'scopes')),
  password: one(dropped('tokenUrl', 'refreshUrl', 'scopes')),
  deviceCode: one({ ...kept('deviceAuthorizationUrl', 'tokenUrl', 'scopes'), ...dropped('refreshUrl') }),
}

const scheme: Message = {
  apiKeySecurityScheme: one({ ...kept('location', 'name'), ...dropped('description') }),
  httpAuthSecurityScheme: one({ ...kept('scheme'), ...dropped('description', 'bearerFormat') }),
  oauth2SecurityScheme: one({ flows: one(flows), ...dropped('description', 'oauth2MetadataUrl') }),
  openIdConnectSecurityScheme: one({ ...kept('openIdConnectUrl'), ...dropped('description') }),
  mtlsSecurityScheme: one(dropped('description')),
}

/** The agent card of A2A 1.0 without its signatures. Source: A2A 1.0 §4.4 and its proto, §8.4.1. */
const agentCard: Message = {
  ...kept('name', 'description', 'version', 'documentationUrl', 'iconUrl'),
  ...kept('defaultInputModes', 'defaultOutputModes'),
  supportedInterfaces: list(
    { ...kept('url', 'protocolBinding', 'protocolVersion'), ...dropped('tenant') },
    true,
  ),
  provider: one(kept('url', 'organization')),
  capabilities: one({
    ...kept('streaming', 'pushNotifications', 'extendedAgentCard'),
    extensions: list({ ...dropped('uri', 'description', 'required'), ...kept('params') }),
  }),
  securitySchemes: map(scheme),
  securityRequirements: requirements,
  skills: list(
    {
      ...kept('id', 'name', 'description', 'tags'),
      ...dropped('examples', 'inputModes', 'outputModes'),
      securityRequirements: requirements,
    },
    true,
  ),
}

/** A card as A2A 1.0 has it signed, and the paths of all other members. */
export interface Projection {
  card: CardObject
  /** Members that the proto does not define: a signature does not cover them. */
  uncovered: string[]
}

/** Takes from a card, as it was read, what A2A 1.0 signs: known members, those at their default left out where they may be. */
export function project(card: CardObject): Projection {
  const { signatures: _, ...rest } = card
  const uncovered: string[] = []
  return { card: projectMessage(rest, agentCard, '', uncovered) as CardObject, uncovered }
}

function projectMessage(value: unknown, message: Message, path: string, uncovered: string[]): unknown {
  // Whatever this is, a signer that got so far has signed it as it stands.
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([name, given]) => {
    const member = Object.hasOwn(message, name) ? message[name] : undefined
    const here = at(path, name)
    if (member === undefined) uncovered.push(here)
    // In ProtoJSON null means that it was not set.
    if (member === undefined || given === null || given === undefined) return []
    const projected = projectMember(given, member, here, uncovered)
    return member.kept || !isDefault(projected) ? [[name, projected] as const] : []
  })
  return Object.fromEntries(entries)
}

function projectMember(value: unknown, { of }: Member, path: string, uncovered: string[]): unknown {
  if (of === undefined) return value
  const each = (item: unknown, here: string): unknown => projectMessage(item, of.message, here, uncovered)
  if (of.as === 'one') return each(value, path)
  if (of.as === 'list') {
    return Array.isArray(value) ? value.map((item, index) => each(item, `${path}[${index}]`)) : value
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, each(item, at(path, key))]))
}

function isDefault(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === '' || value === false || value === 0
}

/** Leaves out empty texts, lists, objects and nulls at any depth, as the SDKs do; undefined when nothing is left. */
export function withoutEmpty(value: unknown): unknown {
  if (value === '' || value === null) return undefined
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter((item) => item !== undefined)
    return items.length === 0 ? undefined : items
  }
  const entries = Object.entries(value)
    .map(([name, item]) => [name, withoutEmpty(item)] as const)
    .filter(([, item]) => item !== undefined)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
