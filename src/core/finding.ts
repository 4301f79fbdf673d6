/** How much a finding weighs: an error breaks the contract, a warning does not unless asked for, a note only informs. */
export type Level = 'error' | 'warning' | 'note'

/** One thing that was noticed about an agent: a broken card rule, or a tolerance that reading its answer needed. */
export interface Finding {
  /** Stable id, `area/kebab-case`: `card/skill-tags`, `wire/state-spelling`. Users silence and promote findings by it. */
  id: string
  level: Level
  /** Where it was seen, written `skills[0].id` or `result.status.state`; absent when it concerns the whole. */
  path?: string
  /** One sentence: what is wrong, with the value that was found. */
  message: string
  /** How to fix it, where that is known. */
  fix?: string
  /** What it rests on: `A2A 0.3 §5.5.4`, `RFC 8615`, … */
  source?: string
}

/** A decoded value together with every tolerance that was needed to read it. */
export interface Decoded<T> {
  value: T
  findings: Finding[]
}

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
