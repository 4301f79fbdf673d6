import { A2AUsageError } from '../errors.ts'
import { nearest } from '../nearest.ts'

/** What an option may be. */
interface Kind {
  /** Completes "must be …". */
  what: string
  accepts(value: unknown): boolean
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const id: Kind = {
  what: 'a string that is not empty',
  accepts: (value) => typeof value === 'string' && value !== '',
}
const texts: Kind = { what: 'a list of strings', accepts: isTexts }
const record: Kind = { what: 'an object', accepts: isRecord }
const truth: Kind = { what: 'true or false', accepts: (value) => typeof value === 'boolean' }
const time: Kind = {
  what: 'a number of at least 0',
  accepts: (value) => typeof value === 'number' && value >= 0,
}
const reply: Kind = {
  what: 'the reply of an earlier send()',
  accepts: (value) => isRecord(value) && value['isA2AReply'] === true,
}
const signal: Kind = {
  what: 'an AbortSignal',
  // Not by its class: a test environment has one of its own.
  accepts: (value) => isRecord(value) && typeof value['aborted'] === 'boolean',
}
const length: Kind = {
  what: 'a whole number of at least 0',
  accepts: (value) => Number.isInteger(value) && (value as number) >= 0,
}

const always = { signal, deadline: time, waitMs: time }
const said = {
  contextId: id,
  taskId: id,
  referenceTaskIds: texts,
  after: reply,
  metadata: record,
  configuration: record,
}
const followed = { force: truth, keep: truth, closeMs: time }
const known: Record<string, Record<string, Kind>> = {
  send: { ...said, noWait: truth, ...always },
  stream: { ...said, ...followed, ...always },
  subscribe: { ...followed, ...always },
}
const configuration: Record<string, Kind> = {
  acceptedOutputModes: texts,
  historyLength: length,
  wait: truth,
  pushConfig: record,
}

/**
 * Checks the options of one `send()`, `stream()` or `subscribe()` before anything is sent.
 * Throws A2AUsageError `BAD_OPTIONS` that names the right key or value.
 */
export function checkSendOptions(operation: 'send' | 'stream' | 'subscribe', options: unknown): void {
  if (options === undefined) return
  if (!isRecord(options))
    throw bad(`the options of ${operation}() must be an object, but are ${shown(options)}.`)
  check(`${operation}()`, options, known[operation] ?? {})
  if (isRecord(options['configuration'])) {
    check(`configuration of ${operation}()`, options['configuration'], configuration)
  }
}

function check(owner: string, options: Record<string, unknown>, kinds: Record<string, Kind>): void {
  const names = Object.keys(kinds)
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined) {
      const near = nearest(name, names)
      const hint = near === undefined ? '' : ` Did you mean "${near}"?`
      throw bad(`${owner} has no option "${name}".${hint}`, `Accepted options: ${names.join(', ')}.`)
    }
    // An option that is undefined is an option that was not given.
    if (value !== undefined && !kind.accepts(value)) {
      throw bad(`the option "${name}" of ${owner} must be ${kind.what}, but is ${shown(value)}.`)
    }
  }
}

function bad(message: string, mend?: string): A2AUsageError {
  return new A2AUsageError('BAD_OPTIONS', message, mend === undefined ? {} : { mend })
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
