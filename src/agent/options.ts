import { nearest } from '../core/nearest.ts'
import { A2AUsageError } from '../core/errors.ts'
import type { Limits } from '../http/types.ts'
import type { AgentOptions } from '../client/types.ts'
import { bindingNames } from '../protocol/bindingNames.ts'
import { hasBinding, versionNames } from '../protocol/versions/profiles.ts'

interface Kind {
  /** Completes "must be …". */
  what: string
  accepts(value: unknown): boolean
}

const text: Kind = { what: 'a non-empty string', accepts: isText }
const milliseconds: Kind = {
  what: 'a number of milliseconds above 0',
  accepts: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
}
const httpUrl: Kind = {
  what: 'an absolute http(s) URL such as "http://127.0.0.1:3000/a2a"',
  accepts: (value) => isText(value) && isHttpUrl(value),
}
const object: Kind = { what: 'an object', accepts: isObject }
const texts: Kind = {
  what: 'a list of non-empty strings',
  accepts: (value) => Array.isArray(value) && value.every(isText),
}
const oneOf = (...words: string[]): Kind => ({
  what: words.map((word) => `"${word}"`).join(' or '),
  accepts: (value) => words.includes(value as string),
})
const functionOr = (other: Kind): Kind => ({
  what: `${other.what} or a function`,
  accepts: (value) => typeof value === 'function' || other.accepts(value),
})

const kinds: Readonly<Record<keyof AgentOptions, Kind>> = {
  headers: functionOr({ what: 'an object of strings', accepts: isObject }),
  credentials: {
    what: 'an object of strings or functions, by the names of the security schemes',
    accepts: isObject,
  },
  cardUrl: httpUrl,
  card: { what: 'an agent card as an object', accepts: isObject },
  endpoint: httpUrl,
  version: oneOf(...versionNames),
  binding: oneOf(...bindingNames),
  bindings: texts,
  tenant: text,
  extensions: texts,
  requestTimeoutMs: milliseconds,
  waitMs: {
    what: 'a number of milliseconds of at least 0',
    accepts: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
  },
  trustedOrigins: {
    what: 'a list of origins such as ["https://files.example.com"]',
    accepts: (value) => Array.isArray(value) && value.every((one) => isText(one) && isHttpUrl(one)),
  },
  limits: object,
  dispatcher: object,
  tls: object,
  name: text,
}

const limitNames: Readonly<Record<keyof Limits, true>> = {
  maxCardBytes: true,
  cardTimeoutMs: true,
  maxResponseBytes: true,
  maxEventBytes: true,
  maxStreamBytes: true,
  maxEvents: true,
  idleTimeoutMs: true,
  maxRedirects: true,
}
const tlsNames = ['ca', 'cert', 'key', 'passphrase', 'rejectUnauthorized']

/**
 * Checks the options of an agent and returns them without those that are undefined. Values that are secret are never printed.
 * Throws A2AUsageError `BAD_OPTIONS`.
 */
export function checkAgentOptions(options: unknown): AgentOptions {
  if (!isObject(options)) throw bad(`the options of an agent must be an object, got ${shown(options)}`)
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  checkKeys(given, Object.keys(kinds), 'an agent has no option')
  for (const [key, value] of Object.entries(given)) {
    const kind = kinds[key as keyof AgentOptions]
    if (!kind.accepts(value)) throw bad(`option ${key} must be ${kind.what}, got ${shown(value)}`)
  }
  const checked = given as AgentOptions
  if (typeof checked.headers === 'object') checkHeaders(checked.headers)
  for (const [name, value] of Object.entries(checked.credentials ?? {})) {
    if (typeof value === 'function') continue
    if (!isText(value))
      throw bad(`option credentials.${name} must be a non-empty string or a function, got ${kindOf(value)}`)
    if (hasLineBreak(value))
      throw bad(`option credentials.${name} must not contain line breaks`, lineBreakFix)
  }
  if (checked.limits) checkLimits(checked.limits)
  if (checked.tls) checkKeys(checked.tls, tlsNames, 'option tls has no key')
  const { version, binding } = checked
  if (version !== undefined && binding !== undefined && !hasBinding(version, binding)) {
    throw bad(`A2A ${version} has no ${binding} binding, so these two options do not go together`)
  }
  return checked
}

const lineBreakFix = 'trim the value: a secret read from a file often ends with a line break'

function checkHeaders(headers: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(headers)) {
    // Left out on purpose: `{authorization: process.env.TOKEN && …}`.
    if (value === undefined || value === null) continue
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      throw bad(`option headers: ${JSON.stringify(name)} is not a header name`)
    if (typeof value !== 'string') throw bad(`option headers.${name} must be a string, got ${kindOf(value)}`)
    if (hasLineBreak(value)) throw bad(`option headers.${name} must not contain line breaks`, lineBreakFix)
  }
}

function checkLimits(limits: object): void {
  checkKeys(limits, Object.keys(limitNames), 'option limits has no key')
  for (const [name, value] of Object.entries(limits)) {
    const least = name === 'maxRedirects' ? 0 : 1
    if (value !== undefined && !(typeof value === 'number' && value >= least)) {
      throw bad(`option limits.${name} must be a number of at least ${least}, got ${shown(value)}`)
    }
  }
}

function checkKeys(value: object, known: readonly string[], problem: string): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue
    const near = nearest(key, known)
    throw bad(
      `${problem} "${key}"` + (near === undefined ? '' : `; did you mean "${near}"?`),
      `known are ${known.join(', ')}`,
    )
  }
}

/**
 * Reads the address of an agent: a URL string or a URL object. Throws A2AUsageError `BAD_SUBJECT` that says what was received
 * and what is accepted.
 */
export function readTarget(target: unknown): string {
  const href = isObject(target) ? target['href'] : target
  if (typeof href !== 'string') {
    throw new A2AUsageError('BAD_SUBJECT', `an agent is named by its URL, got ${shown(target)}`, {
      fix: acceptedTargets,
    })
  }
  const trimmed = href.trim()
  if (isHttpUrl(trimmed)) return trimmed
  const host = /^[\w.-]+(:\d+)?(\/.*)?$/.test(trimmed) && trimmed !== ''
  throw new A2AUsageError(
    'BAD_SUBJECT',
    `${shown(href)} is not an http(s) URL` + (host ? `; did you mean "http://${trimmed}"?` : ''),
    { fix: acceptedTargets },
  )
}

const acceptedTargets =
  'Give the agent\'s base URL, such as "https://agent.example.com/support", or the URL of its card, ending in .json; ' +
  'a server or an app goes through serveAgent().'

function isHttpUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasLineBreak(value: string): boolean {
  return /[\r\n\0]/.test(value)
}

function bad(message: string, fix?: string): A2AUsageError {
  return new A2AUsageError('BAD_OPTIONS', message, fix === undefined ? {} : { fix })
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return kindOf(value)
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
