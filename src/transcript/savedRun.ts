import { readFile } from 'node:fs/promises'
import { A2AUsageError } from '../core/errors.ts'
import { isRecord } from '../core/guards.ts'
import { nearest } from '../core/nearest.ts'
import type { ConversationRun, TranscriptEntry } from './types.ts'

/** Where transcripts are written unless `configureA2A({ folder })` says otherwise. */
export const usualFolder = '.a2a-conversations'

/** The version of saved runs that is written and read. */
export const schemaVersion = 1

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
  if (!isRecord(value)) throw bad(`${what} holds no object.`)
  const version = value['schemaVersion']
  if (version !== undefined && version !== schemaVersion) {
    throw bad(
      `${what} has schemaVersion ${JSON.stringify(version)}; this version of expect-a2a reads ${schemaVersion}.`,
      'Write the transcript again with this version, or read it with the one that wrote it.',
    )
  }
  const inner = isRecord(value['run']) ? value['run'] : value
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
  if (!isRecord(entry)) throw bad(`${where} is no object.`)
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

function bad(message: string, fix?: string): A2AUsageError {
  return new A2AUsageError('BAD_SUBJECT', message, {
    fix:
      fix ??
      'Write { entries: [{ turn: 1, from: "user", text: "…" }, { turn: 1, from: "agent", text: "…" }] }.',
  })
}
