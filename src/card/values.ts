import { isRecord } from '../core/guards.ts'

export { isRecord as isObject, isStringList, isText } from '../core/guards.ts'

/** The objects of a list with their place in it; everything else in it is skipped. */
export function objectsOf(value: unknown): { item: Record<string, unknown>; index: number }[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: unknown, index) => (isRecord(item) ? [{ item, index }] : []))
}

/** An absolute http(s) URL, parsed; undefined for anything else. */
export function httpUrl(value: unknown): URL | undefined {
  if (typeof value !== 'string' || !/^https?:\/\/[^/?#\s]/i.test(value)) return undefined
  try {
    return new URL(value)
  } catch {
    return undefined
  }
}

/** A value as messages print it: text in quotes and cut, lists and objects only named. */
export function show(value: unknown): string {
  if (typeof value === 'string') {
    const cut = value.length > 80 ? `${value.slice(0, 80)}…` : value
    return JSON.stringify(cut)
  }
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** Joins a path and a map's key: `securitySchemes.desk`, or `securitySchemes["my key"]` where a dot would mislead. */
export function at(path: string, key: string): string {
  const name = key.length > 60 ? `${key.slice(0, 60)}…` : key
  if (/^[\w$-]+$/.test(name)) return path === '' ? name : `${path}.${name}`
  return `${path}[${JSON.stringify(name)}]`
}

/** `"a"`, `"b"` and `"c"`, cut after ten. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(', ')
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown
}

/** A binding's name for comparing: case, spaces and hyphens do not count. */
export function bindingKey(name: unknown): string {
  return typeof name === 'string'
    ? name
        .trim()
        .toUpperCase()
        .replaceAll(/[\s_-]/g, '')
    : ''
}
