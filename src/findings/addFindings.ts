import type { Finding } from './types.ts'

/** Adds findings that a list does not have yet, by id and message: reading may need the same tolerance again and again. */
export function addFindings(to: Finding[], more: readonly Finding[]): void {
  if (more.length === 0) return
  let known = knownIn.get(to)
  if (known === undefined) knownIn.set(to, (known = { keys: new Set(), read: 0 }))
  // Others add to the list as well.
  for (; known.read < to.length; known.read++) known.keys.add(keyOf(to[known.read] as Finding))
  for (const finding of more) {
    const key = keyOf(finding)
    if (known.keys.has(key)) continue
    known.keys.add(key)
    known.read = to.push(finding)
  }
}

/** What each list has, as far as it was read: adding to it one by one stays linear. */
const knownIn = new WeakMap<Finding[], { keys: Set<string>; read: number }>()

function keyOf({ id, message }: Finding): string {
  return `${id}\n${message}`
}
