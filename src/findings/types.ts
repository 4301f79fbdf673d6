/** How much a finding weighs: an error fails the check, a warning only if asked for, a note never. */
export type Level = 'error' | 'warning' | 'note'

/** One thing that was noticed about an agent: a broken card rule, or a deviation that was tolerated when its answer was read. */
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
  /** The section that says so: `A2A 0.3 §5.5.4`, `RFC 8615`, … */
  source?: string
}

/** A decoded value, and every deviation that was tolerated to read it. */
export interface Decoded<T> {
  value: T
  findings: Finding[]
}

/** What the catalogue says about one id, for messages and for `docs/findings.md`. */
export interface CatalogueEntry {
  /** Its level, or its levels, the usual one first. */
  level: Level | readonly [Level, Level]
  /** What it means, in one or two sentences. */
  summary: string
  /** How to fix it, unless a finding brings a more precise sentence. */
  fix: string
  /** What it rests on, unless that depends on the version. */
  source?: string
}
