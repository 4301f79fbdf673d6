import { A2AUsageError } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import type { CheckCriterion, Criterion, ParsedCriterion } from './types.ts'

/** Longer ones combine several requirements. */
const longest = 500

const keysOf = {
  must: ['id', 'must', 'weight', 'required', 'evidenceFrom'],
  mustNot: ['id', 'mustNot'],
  check: ['id', 'check', 'description', 'weight', 'required'],
} as const
type Kind = keyof typeof keysOf
const kinds: readonly Kind[] = ['must', 'mustNot', 'check']
const everyKey = [...new Set(kinds.flatMap((kind) => [...keysOf[kind]]))]

/** Criteria that are ready to be judged, and warnings about them. */
export interface ParsedCriteria {
  criteria: ParsedCriterion[]
  warnings: string[]
}

/**
 * Reads success criteria: a string with one criterion per line (list markers are removed), or an array. `owner` is the matcher or
 * function in messages. Throws A2AUsageError `BAD_OPTIONS` that names the criterion and what is wrong with it.
 */
export function parseCriteria(input: string | readonly Criterion[], owner: string): ParsedCriteria {
  const by = owner.endsWith(')') ? owner : `${owner}()`
  if (typeof input !== 'string' && !Array.isArray(input)) {
    throw wrong(`the success criteria of ${by} must be a string or an array, but are ${show(input)}.`)
  }
  const inputs: readonly Criterion[] = typeof input === 'string' ? lines(input) : input
  if (inputs.length === 0) {
    throw wrong(
      `${by} has no success criteria, so there is nothing to judge.`,
      'Say what the agent must do, one sentence per criterion.',
    )
  }
  const criteria = inputs.map((one, index) => parse(one, index, by))
  checkIds(criteria, by)
  return { criteria, warnings: warningsOf(criteria) }
}

/** Whether any of these needs a model to judge it. */
export function needsJudge(criteria: readonly ParsedCriterion[]): boolean {
  return criteria.some(({ kind }) => kind !== 'check')
}

const marker = /^\s*(?:(?:[-*+•‣▪●○–—]|\(?\d{1,3}[.)])\s+|\[[ xX]?\]\s+)+/

function lines(text: string): string[] {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(marker, '').trim())
    .filter((line) => line !== '' && !/^(?:[-*+•]|\d{1,3}[.)])$/.test(line))
}

function parse(criterion: unknown, index: number, by: string): ParsedCriterion {
  const key = `c${index + 1}`
  const name = `criterion ${index + 1} of ${by}`
  if (typeof criterion === 'string') {
    const text = checkText(criterion, name)
    return { key, id: key, kind: 'must', text, weight: 1, required: false, evidenceFrom: 'agent' }
  }
  if (typeof criterion !== 'object' || criterion === null || Array.isArray(criterion)) {
    throw wrong(
      `${name} must be a string or an object, but is ${show(criterion)}.`,
      'Write a sentence, or { must }, { mustNot } or { check, description }.',
    )
  }
  // An undefined option counts as missing.
  const members: Record<string, unknown> = Object.fromEntries(
    Object.entries(criterion).filter(([, value]) => value !== undefined),
  )
  const kind = kindOf(members, name)
  checkKeys(members, kind, name)
  const id = idOf(members, name) ?? key
  const text = checkText(members[kind === 'check' ? 'description' : kind], name, kind)
  if (kind === 'mustNot') return { key, id, kind, text, weight: 1, required: false, evidenceFrom: 'agent' }
  const { evidenceFrom = 'agent', required = false } = members
  if (evidenceFrom !== 'agent' && evidenceFrom !== 'user') {
    throw wrong(`"evidenceFrom" of ${name} must be "agent" or "user", but is ${show(evidenceFrom)}.`)
  }
  if (typeof required !== 'boolean') {
    throw wrong(`"required" of ${name} must be true or false, but is ${show(required)}.`)
  }
  const rest: Pick<ParsedCriterion, 'weight' | 'required' | 'evidenceFrom'> = {
    weight: weightOf(members, name),
    required,
    evidenceFrom,
  }
  if (kind === 'must') return { key, id, kind, text, ...rest }
  const { check } = members
  if (typeof check !== 'function') {
    throw wrong(
      `"check" of ${name} must be a function of the transcript, but is ${show(check)}.`,
      'Use { must } for a sentence that a model judges.',
    )
  }
  return { key, id, kind, text, ...rest, check: check as CheckCriterion['check'] }
}

function kindOf(members: Record<string, unknown>, name: string): Kind {
  const found = kinds.filter((kind) => Object.hasOwn(members, kind))
  const [first, second] = found
  if (first !== undefined && second === undefined) return first
  if (first !== undefined && second !== undefined) {
    throw wrong(`${name} has both "${first}" and "${second}".`, 'Write two criteria.')
  }
  for (const key of Object.keys(members)) {
    const near = everyKey.includes(key as never) ? undefined : nearest(key, everyKey)
    if (near !== undefined) throw unknownKey(name, key, everyKey)
  }
  throw wrong(
    `${name} has none of "must", "mustNot" and "check".`,
    'Write { must: "The agent …" }, { mustNot: "The agent …" } or { check, description }.',
  )
}

function checkKeys(members: Record<string, unknown>, kind: Kind, name: string): void {
  const known: readonly string[] = keysOf[kind]
  for (const key of Object.keys(members)) {
    if (known.includes(key)) continue
    if (kind === 'mustNot' && (key === 'weight' || key === 'required')) {
      throw wrong(
        `${name} is a prohibition and takes no "${key}": one breach fails the conversation, whatever the other criteria say.`,
        `Leave "${key}" out, or use "must".`,
      )
    }
    throw unknownKey(name, key, known)
  }
}

function unknownKey(name: string, key: string, known: readonly string[]): A2AUsageError {
  const near = nearest(key, known)
  return wrong(
    `${name} has no key "${key}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    `Accepted keys: ${known.join(', ')}.`,
  )
}

function idOf({ id }: Record<string, unknown>, name: string): string | undefined {
  if (id === undefined) return undefined
  if (typeof id === 'string' && id.trim() !== '') return id.trim()
  throw wrong(`"id" of ${name} must be a non-empty string, but is ${show(id)}.`)
}

function weightOf({ weight = 1 }: Record<string, unknown>, name: string): number {
  if (typeof weight === 'number' && Number.isFinite(weight) && weight > 0) return weight
  throw wrong(
    `"weight" of ${name} must be a finite number above 0, but is ${show(weight)}.`,
    'Leave out a criterion that should not count.',
  )
}

function checkText(text: unknown, name: string, kind: Kind = 'must'): string {
  const key = kind === 'check' ? 'description' : kind
  if (text === undefined && kind === 'check') {
    throw wrong(
      `${name} has a "check" but no "description".`,
      'Describe in a sentence what the function checks: reports show it.',
    )
  }
  if (typeof text !== 'string') throw wrong(`"${key}" of ${name} must be a sentence, but is ${show(text)}.`)
  const trimmed = text.trim()
  if (trimmed === '')
    throw wrong(`${name} is empty.`, 'Write a sentence that says what the agent must do, or leave it out.')
  const { length } = Array.from(trimmed)
  if (length > longest) {
    throw wrong(
      `${name} has ${length} characters; the limit is ${longest}.`,
      'Split it into several criteria, one requirement each.',
    )
  }
  return trimmed
}

function checkIds(criteria: readonly ParsedCriterion[], by: string): void {
  const seen = new Map<string, ParsedCriterion>()
  for (const [index, one] of criteria.entries()) {
    const first = seen.get(one.id)
    if (first !== undefined) {
      const byDefault = first.id === first.key || one.id === one.key
      throw wrong(
        `the criteria ${criteria.indexOf(first) + 1} and ${index + 1} of ${by} have the same id "${one.id}"${byDefault ? ' (the default id of one of them)' : ''}.`,
        'Give each its own id, or none.',
      )
    }
    seen.set(one.id, one)
  }
}

function warningsOf(criteria: readonly ParsedCriterion[]): string[] {
  const texts = new Map<string, string>()
  return criteria.flatMap(({ id, kind, text }) => {
    const found: string[] = []
    const ands = text.replaceAll(/"[^"]*"/g, '').match(/\band\b/gi)?.length ?? 0
    if (kind !== 'check' && ands > 1) {
      found.push(
        `criterion ${id} combines several requirements with "and": split it, so that each is judged on its own.`,
      )
    }
    const twin = texts.get(`${kind} ${text}`)
    if (twin !== undefined) found.push(`the criteria ${twin} and ${id} say the same, so it counts twice.`)
    texts.set(`${kind} ${text}`, id)
    return found
  })
}

function wrong(message: string, fix?: string): A2AUsageError {
  return new A2AUsageError('BAD_OPTIONS', message, fix === undefined ? {} : { fix })
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
