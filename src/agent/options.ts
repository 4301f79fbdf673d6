import { A2AUsageError } from '../core/errors.ts'
import { isRecord, isText } from '../core/guards.ts'
import {
  badOption,
  checkOptions,
  credentials,
  duration,
  either,
  filledText,
  flag,
  fn,
  headerText,
  httpUrl,
  listOf,
  numberFrom,
  oneOf,
  optionsOf,
  record,
  recordOf,
  required,
  secret,
  show,
  wait,
  type Kind,
  type OptionsSpec,
} from '../core/validate.ts'
import type { Limits } from '../http/types.ts'
import type { AgentOptions } from '../client/types.ts'
import { bindingNames } from '../protocol/bindingNames.ts'
import { hasBinding, versionNames } from '../protocol/versions/profiles.ts'

const filledList = listOf(filledText, 'an array of non-empty strings')
// Left out on purpose: `{ authorization: process.env.TOKEN && … }`.
const header: Kind = {
  ...headerText,
  accepts: (value) => value === undefined || value === null || typeof value === 'string',
}
const headers: Kind = {
  ...recordOf(header, 'an object of strings'),
  inner(value) {
    const bad = Object.entries(value as object).find(
      ([name, each]) => each !== undefined && each !== null && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name),
    )
    return bad === undefined
      ? recordOf(header).inner?.(value)
      : { path: '', message: `has ${JSON.stringify(bad[0])}, which is not a header name.` }
  },
}
const amount: Kind = numberFrom(1, Infinity)
const limits: Record<keyof Limits, Kind> = {
  maxCardBytes: amount,
  cardTimeoutMs: duration,
  maxResponseBytes: amount,
  maxEventBytes: amount,
  maxStreamBytes: amount,
  maxEvents: amount,
  idleTimeoutMs: duration,
  maxRedirects: numberFrom(0, Infinity),
}
const pem = secret({
  what: 'PEM text or bytes',
  accepts: (value) => isText(value) || ArrayBuffer.isView(value),
})
const tls: OptionsSpec = {
  ca: either(pem, listOf(pem)),
  cert: pem,
  key: pem,
  passphrase: secret(filledText),
  rejectUnauthorized: flag,
}

const agentOptions: Record<keyof AgentOptions, Kind> = {
  headers: either(headers, fn),
  credentials,
  cardUrl: httpUrl,
  card: { ...record, what: 'an agent card as an object' },
  endpoint: httpUrl,
  version: oneOf(...versionNames),
  binding: oneOf(...bindingNames),
  bindings: filledList,
  tenant: filledText,
  extensions: filledList,
  requestTimeoutMs: duration,
  waitMs: wait,
  trustedOrigins: listOf(httpUrl, 'an array of origins such as ["https://files.example.com"]'),
  limits: optionsOf(limits),
  dispatcher: record,
  tls: optionsOf(tls),
  name: filledText,
}

/**
 * Checks the options of an agent and returns them without those that are undefined.
 * Throws A2AUsageError `BAD_OPTIONS`; secret values are never printed.
 */
export function checkAgentOptions(options: unknown, owner = 'a2aAgent'): AgentOptions {
  checkOptions(owner, options, agentOptions)
  const given: AgentOptions = Object.fromEntries(
    Object.entries(options ?? {}).filter(([, value]) => value !== undefined),
  )
  const { version, binding } = given
  if (version !== undefined && binding !== undefined && !hasBinding(version, binding)) {
    throw badOption(
      owner,
      `A2A ${version} has no ${binding} binding, so \`version\` and \`binding\` do not go together.`,
    )
  }
  return given
}

const path: Kind = {
  what: 'a path or an absolute http(s) URL',
  accepts: (value) => isText(value) && (value.startsWith('/') || httpUrl.accepts(value)),
}
const served: OptionsSpec = {
  ...agentOptions,
  cardUrl: path,
  endpoint: path,
  listener: { ...fn, what: 'a function: (req, res) => …' },
  fetch: { ...fn, what: 'a function: (request) => response' },
  routes: { ...record, what: "an object of handlers by path: { '/api/agent': { GET, POST } }" },
}

/** Checks the options of `serveAgent()`. Throws A2AUsageError `BAD_OPTIONS`. */
export function checkServeOptions(options: unknown): void {
  checkOptions('serveAgent', options, served)
  const names = ['listener', 'fetch', 'routes'].filter(
    (name) => isRecord(options) && options[name] !== undefined,
  )
  if (names.length === 1) return
  throw badOption(
    'serveAgent',
    `give one of \`listener\`, \`fetch\` and \`routes\`; received ${names.length === 0 ? 'none' : names.join(' and ')}.`,
  )
}

const isCommand = (value: unknown): boolean => {
  const parts: unknown[] = Array.isArray(value) ? value : [value]
  return parts.length > 0 && parts.every((part) => typeof part === 'string') && isText(parts[0])
}
const started: OptionsSpec = {
  command: required({
    what: "an array of file and arguments, such as ['node', 'agent.js'], or one line for the shell",
    accepts: isCommand,
  }),
  cwd: filledText,
  env: secret(record),
  port: { what: 'a port from 0 to 65535', accepts: numberFrom(0, 65_535).accepts },
  url: filledText,
  readyTimeoutMs: duration,
  ...agentOptions,
}

/** Checks the options of `startAgent()`. Throws A2AUsageError `BAD_OPTIONS`. */
export function checkStartOptions(options: unknown): void {
  checkOptions('startAgent', options, started)
}

/**
 * Reads the address of an agent: a URL string or a URL object. Throws A2AUsageError `BAD_SUBJECT` that says what was received
 * and what is accepted.
 */
export function readTarget(target: unknown): string {
  const href = isRecord(target) ? target['href'] : target
  if (typeof href !== 'string') {
    throw new A2AUsageError(
      'BAD_SUBJECT',
      `a2aAgent(): the agent's URL is missing; received ${show(target)}.`,
      {
        fix: acceptedTargets,
      },
    )
  }
  const trimmed = href.trim()
  if (httpUrl.accepts(trimmed)) return trimmed
  const host = /^[\w.-]+(:\d+)?(\/.*)?$/.test(trimmed) && trimmed !== ''
  throw new A2AUsageError(
    'BAD_SUBJECT',
    `a2aAgent(): ${show(href)} is not an http(s) URL.${host ? ` Did you mean "http://${trimmed}"?` : ''}`,
    { fix: acceptedTargets },
  )
}

const acceptedTargets =
  'Give the agent\'s base URL, such as "https://agent.example.com/support", or the URL of its card, ending in .json; ' +
  'a server or an app goes through serveAgent().'
