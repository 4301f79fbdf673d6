import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, isAbsolute, join, relative } from 'node:path'
import { A2AUsageError } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { cassetteFile } from '../model/cassette/name.ts'
import type { TestPlace } from '../model/configuration.ts'
import { redactedJson } from './redaction.ts'
import type { ConversationRun, TranscriptEntry, TrialResult } from './types.ts'

/** Where transcripts are written unless `configureA2A({ folder })` says otherwise. */
export const usualFolder = '.a2a-conversations'

const schemaVersion = 1

/** What is written of a conversation: all but the requests and the secrets. */
export interface SavedConversation extends Omit<TrialResult, 'run' | 'file'> {
  schemaVersion: 1
  /** Absent in files that were written by hand. */
  trial?: number
  run: Omit<ConversationRun, 'exchanges' | 'secrets'>
}

let written = 0
const conversations = new Map<string, number>()
/** Which conversation has which number, of those that would have the same file. */
const numbers = new Map<string, Map<string, number>>()

/**
 * From 1: which conversation of that name this is in its test file, so that each has a file of its own; another try of a test has the numbers
 * of the first.
 */
export function nthConversation(name: string, place: TestPlace | undefined): number {
  if (place === undefined) return 1
  const test = place.id ?? JSON.stringify([place.file, place.name])
  const key = JSON.stringify([test, place.run, name])
  const nth = (conversations.get(key) ?? 0) + 1
  conversations.set(key, nth)
  const alike = JSON.stringify([place.file, name])
  const taken = numbers.get(alike) ?? new Map<string, number>()
  numbers.set(alike, taken)
  const own = JSON.stringify([test, nth])
  const number = taken.get(own) ?? taken.size + 1
  taken.set(own, number)
  return number
}

/**
 * Writes a conversation and what was made of it as readable JSON, without credentials, and gives the path as messages show it. The name is
 * that of the test and the trial, the same each time. Throws what the file system throws.
 */
export async function writeRun(
  { run, file: _, ...result }: TrialResult,
  about: { name: string; nth: number; trial: number; folder: string; testFile?: string },
): Promise<string> {
  const base = cassetteFile(about.name, about.nth).replace(/\.json$/, '')
  const folder = about.testFile === undefined ? about.folder : join(about.folder, folderOf(about.testFile))
  const path = join(folder, `${base}.${about.trial}.json`)
  const { exchanges: _exchanges, secrets, ...told } = run
  const saved: SavedConversation = { schemaVersion, trial: about.trial, ...result, run: told }
  const text = redactedJson(saved, secrets)
  await mkdir(folder, { recursive: true })
  // Whoever reads meanwhile finds the old file or the new one, never half of it.
  const partial = `${path}.${process.pid}-${++written}.partial`
  try {
    await writeFile(partial, text)
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {})
    throw error
  }
  return shownPath(path)
}

/** Tests of the same name in two files do not share a folder: `tests/refund.test.ts` has `tests-refund.test`. */
function folderOf(testFile: string): string {
  const path = relative(process.cwd(), testFile)
  const inside = path !== '' && !path.startsWith('..') && !isAbsolute(path)
  return (inside ? path : basename(testFile))
    .replace(/\.[cm]?[jt]sx?$/, '')
    .replaceAll(/[^\w.]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
}

/** Relative to the working directory where that is shorter to read. */
function shownPath(path: string): string {
  if (!isAbsolute(path)) return path
  const short = relative(process.cwd(), path)
  return short.startsWith('..') || short === '' ? path : short
}

/** Reads a conversation that was written, or `{ entries }` by hand. Throws A2AUsageError `BAD_SUBJECT` that says what is wrong with the file. */
export async function readRun(path: string): Promise<ConversationRun> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read: ${message}`
    throw new A2AUsageError('BAD_SUBJECT', `the transcript file ${path} ${why}.`, {
      cause,
      fix: `Give the path of a file that a test wrote to ${usualFolder}, relative to ${process.cwd()}.`,
    })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new A2AUsageError(
      'BAD_SUBJECT',
      `the transcript file ${path} is no JSON: ${(cause as Error).message}.`,
      {
        cause,
        fix: 'Give a file that a test wrote; other notes can be passed as { entries: [{ turn: 1, from: "user", text: "…" }] }.',
      },
    )
  }
  return asRun(value, `the transcript file ${path}`)
}

/**
 * Takes data for a conversation: a run, a saved file's content, or `{ entries }`. `what` completes "… has no entries".
 * Throws A2AUsageError `BAD_SUBJECT` that says what is wrong with it.
 */
export function asRun(value: unknown, what: string): ConversationRun {
  if (!isObject(value)) throw bad(`${what} holds no object.`)
  const version = value['schemaVersion']
  if (version !== undefined && version !== schemaVersion) {
    throw bad(
      `${what} has schemaVersion ${JSON.stringify(version)}; this version of expect-a2a reads ${schemaVersion}.`,
      'Write the transcript again with this version, or read it with the one that wrote it.',
    )
  }
  const inner = isObject(value['run']) ? value['run'] : value
  const entries = inner['entries']
  if (!Array.isArray(entries)) {
    const near = nearest('entries', Object.keys(inner))
    throw bad(
      `${what} has no list "entries".${near === undefined ? '' : ` Did you mean "${near}" to be "entries"?`}`,
    )
  }
  for (const [at, entry] of entries.entries()) checkEntry(entry, `entries[${at}] of ${what}`)
  const turns = (entries as TranscriptEntry[]).filter(({ from }) => from === 'user').length
  return {
    isA2AConversation: true,
    schemaVersion,
    agent: 'agent',
    turns,
    maxTurns: turns,
    endReason: 'script_end',
    models: {},
    promptVersions: {},
    usage: { unreported: 0 },
    replay: { simulator: 0, judge: 0, check: 0, agent: 0, live: 0 },
    findings: [],
    warnings: [],
    ms: 0,
    exchanges: [],
    secrets: [],
    ...(inner as Partial<ConversationRun>),
    entries: entries as TranscriptEntry[],
  }
}

function checkEntry(entry: unknown, where: string): void {
  if (!isObject(entry)) throw bad(`${where} is no object.`)
  const { turn, from, text } = entry
  if (from !== 'user' && from !== 'agent') {
    throw bad(`"from" in ${where} must be "user" or "agent", but is ${JSON.stringify(from) ?? 'missing'}.`)
  }
  if (typeof text !== 'string') throw bad(`"text" in ${where} must be a string.`)
  if (typeof turn !== 'number' || !Number.isInteger(turn) || turn < 1) {
    throw bad(
      `"turn" in ${where} must be a whole number of at least 1, but is ${JSON.stringify(turn) ?? 'missing'}.`,
      'Turn n is the n-th message of the user and the answer to it.',
    )
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function bad(message: string, fix?: string): A2AUsageError {
  return new A2AUsageError('BAD_SUBJECT', message, {
    fix:
      fix ??
      'Write { entries: [{ turn: 1, from: "user", text: "…" }, { turn: 1, from: "agent", text: "…" }] }.',
  })
}
