import { cardNode, type Node } from './fields.ts'
import type { CardObject } from './types.ts'
import { at, isObject } from './values.ts'

/** A card as it was read, with everything that reading had to forgive. Each list is in the order of the card's schema. */
export interface Reading {
  card: CardObject
  /** Paths of known members that are null, as written in the document. */
  nulls: string[]
  /** Members in snake_case that were read under their camelCase name. */
  renames: { path: string; to: string }[]
  /** Paths where an in-memory `{$case, value}` object stood instead of its JSON form. */
  leaks: string[]
}

/**
 * Reads a card document into one shape: nulls of known members are dropped, snake_case names become camelCase, `$case`
 * objects become their JSON form. Names inside free maps (`metadata`, extension `params`, scheme names, scopes) stay.
 * Pure, and total for any JSON object.
 */
export function normalise(document: Record<string, unknown>): Reading {
  const reading: Reading = { card: {}, nulls: [], renames: [], leaks: [] }
  reading.card = readObject(document, cardNode, '', reading)
  return reading
}

function read(value: unknown, node: Node, path: string, reading: Reading): unknown {
  switch (node.kind) {
    case 'leaf':
      return value
    case 'list':
      return Array.isArray(value)
        ? value.map((item, index) => read(item, node.of, `${path}[${index}]`, reading))
        : value
    case 'map':
      return isObject(value) ? readMap(value, node.of, path, reading) : value
    case 'object':
      return isObject(value) ? readObject(value, node, path, reading) : value
  }
}

function readMap(value: Record<string, unknown>, of: Node, path: string, reading: Reading): CardObject {
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, read(item, of, at(path, key), reading)]))
}

function readObject(
  document: Record<string, unknown>,
  node: Node,
  path: string,
  reading: Reading,
): CardObject {
  if (node.kind !== 'object') return document
  const value = unleak(document, path, reading)
  const known = new Map<string, unknown>()
  for (const [field, child] of node.fields) {
    const written = writtenName(value, field)
    if (written === undefined) continue
    const here = at(path, written)
    if (written !== field) reading.renames.push({ path: here, to: field })
    const item = value[written]
    if (item === null) reading.nulls.push(here)
    else known.set(field, read(item, child, here, reading))
  }
  const spelt = new Set([...node.fields.keys()].map(snake))
  const unknown = Object.entries(value).filter(([key]) => !node.fields.has(key) && !spelt.has(key))
  return Object.fromEntries([...known, ...unknown])
}

/** The name under which a member is written; camelCase wins where both are there. */
function writtenName(value: Record<string, unknown>, field: string): string | undefined {
  if (Object.hasOwn(value, field)) return field
  const other = snake(field)
  return other !== field && Object.hasOwn(value, other) ? other : undefined
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `{scheme: {$case: 'k', value: v}}`, as generated TypeScript code holds a oneof in memory, becomes `{k: v}`. */
function unleak(value: Record<string, unknown>, path: string, reading: Reading): Record<string, unknown> {
  const entries = Object.entries(value)
  const leaked = entries.filter(([, item]) => isObject(item) && typeof item['$case'] === 'string')
  if (leaked.length === 0) return value
  reading.leaks.push(path)
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (!isObject(item) || typeof item['$case'] !== 'string') return [key, item]
      return [item['$case'], item['value']]
    }),
  )
}
