import type { Binding } from './model.ts'

/** The bindings that this client speaks, by their names in cards. */
const bindings: Readonly<Record<Binding, Binding>> = { JSONRPC: 'JSONRPC', 'HTTP+JSON': 'HTTP+JSON' }

export const bindingNames: readonly string[] = Object.keys(bindings)

/** The binding behind the name in a card, in whatever case; undefined for one that this client does not speak. */
export function findBinding(name: string): Binding | undefined {
  const key = name.trim().toUpperCase()
  return Object.hasOwn(bindings, key) ? bindings[key as Binding] : undefined
}
