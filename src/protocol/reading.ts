import { A2AReplyError } from '../core/errors.ts'
import { isRecord } from '../core/guards.ts'
import type { FindingId } from '../findings/catalogue.ts'
import { finding } from '../findings/finding.ts'
import type { Finding } from '../findings/types.ts'
import type { Binding, Dialect } from './model.ts'
import type { Profile } from './versions/profile.ts'
import { profileOf } from './versions/profiles.ts'

export type JsonObject = Record<string, unknown>

/**
 * What is right on one interface. 0.3 over HTTP+JSON takes both forms: its text gives the JSON one, its proto the other, and
 * released SDKs send either.
 */
export interface WireForm {
  readonly dialect: Dialect
  readonly binding: Binding
  readonly version: Profile
  /** The 0.x JSON forms are right: `completed`, `agent`, `kind`. */
  readonly json: boolean
  /** The ProtoJSON forms are right: `TASK_STATE_COMPLETED`, `ROLE_AGENT`, parts told apart by member. */
  readonly proto: boolean
  /** The ProtoJSON is that of 0.3, with `content` for parts, `{data: {data}}` and `TASK_STATE_CANCELLED`. */
  readonly earlyProto: boolean
}

/** The form of one interface; the spellings that are not named are not right there. */
export function formOf(
  dialect: Dialect,
  binding: Binding,
  {
    json = false,
    proto = false,
    earlyProto = false,
  }: Partial<Pick<WireForm, 'json' | 'proto' | 'earlyProto'>>,
): WireForm {
  return { dialect, binding, version: profileOf(dialect), json, proto, earlyProto }
}

/** Where a value that is being read stands: the `result` of an envelope, or the body. */
const roots: Readonly<Record<Binding, string>> = { JSONRPC: 'result', 'HTTP+JSON': 'body' }

/** Where a finding comes from and how to fix it. */
export interface NoteDetail {
  fix?: string
  source?: string
}

/** One reading of a wire value: knows what is right here and keeps every tolerance, each distinct one once. */
export class Reading {
  readonly form: WireForm
  readonly findings: Finding[] = []
  // One reading an event, and most find nothing.
  #seen: Set<string> | undefined

  constructor(form: WireForm) {
    this.form = form
  }

  get root(): string {
    return roots[this.form.binding]
  }

  note(id: FindingId, path: string, message: string, detail: NoteDetail = {}): void {
    const key = `${id}\n${message}`
    this.#seen ??= new Set()
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    // The message says what was expected, so it needs no fix unless there is a better one.
    this.findings.push(
      finding(id, message, { level: 'warning', path, fix: detail.fix, source: detail.source }),
    )
  }

  /** The member of that name, also when written in snake_case; null reads as absent (ProtoJSON). */
  member(object: JsonObject, name: string, path: string): unknown {
    const value = own(object, name)
    if (value !== undefined && value !== null) return value
    const snake = snakeCase(name)
    if (snake === name) return undefined
    const other = own(object, snake)
    if (other === undefined || other === null) return undefined
    this.note(
      'wire/snake-case',
      `${path}.${snake}`,
      `"${snake}" is written in snake_case (expected "${name}")`,
    )
    return other
  }

  /** A string member; `""` reads as absent (ProtoJSON), and a number is taken as its digits, with a finding. */
  string(object: JsonObject, name: string, path: string): string | undefined {
    const value = this.member(object, name, path)
    if (typeof value === 'number') {
      this.note('wire/id-type', `${path}.${name}`, `${name} ${value} is a number (expected a string)`)
      return String(value)
    }
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  /** The strings of a list; absent when there are none. */
  strings(object: JsonObject, name: string, path: string): string[] | undefined {
    const value = this.member(object, name, path)
    const texts = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
    return texts.length > 0 ? texts : undefined
  }

  /** A free-form object, handed on as it is; an empty one reads as absent. */
  struct(object: JsonObject, name: string, path: string): JsonObject | undefined {
    const value = this.member(object, name, path)
    return isRecord(value) && !isEmpty(value) ? value : undefined
  }
}

/** The error for an answer that cannot be read, with the id of the finding that it is. */
export function badReply(finding: FindingId, message: string, fix?: string): A2AReplyError {
  return new A2AReplyError('BAD_REPLY', message, { finding, ...(fix === undefined ? {} : { fix }) })
}

/** True for what carries nothing: absent, null, `""`, `[]`, `{}`. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  if (typeof value !== 'object') return false
  for (const key in value) if (Object.hasOwn(value, key)) return false
  return true
}

const prototype = Object.prototype as unknown as JsonObject

/** An own member, whatever an agent or a test put on a prototype. */
export function own(object: JsonObject, name: string): unknown {
  const value = object[name]
  // Both are quick to see, and nearly always so: the member is absent, or nothing of that name is on the prototype.
  if (value === undefined || prototype[name] === undefined) return value
  return Object.hasOwn(object, name) ? value : undefined
}

const longestQuote = 60
const mostKeys = 5

/** A wire value as a message shows it: short, and never deep, since agents nest as they like. */
export function quote(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > longestQuote ? `${value.slice(0, longestQuote)}…` : value)
  }
  if (Array.isArray(value))
    return value.length === 1 ? 'an array of 1 item' : `an array of ${value.length} items`
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value)
    const shown = keys.slice(0, mostKeys).map(quote)
    return `{${(keys.length > mostKeys ? [...shown, '…'] : shown).join(', ')}}`
  }
  return String(value)
}

const snakeNames = new Map<string, string>()

function snakeCase(name: string): string {
  const known = snakeNames.get(name)
  if (known !== undefined) return known
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  snakeNames.set(name, snake)
  return snake
}
