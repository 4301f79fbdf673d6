import { readFile } from 'node:fs/promises'
import { defineDocument, type DocumentDefinition } from '../core/document.ts'
import { A2AUsageError } from '../core/errors.ts'
import { isRecord } from '../core/guards.ts'
import { runSchema, type SavedRun } from './runSchema.ts'
import type { ConversationRun } from './types.ts'

/** Where transcripts are written unless `configureA2A({ folder })` says otherwise. */
export const usualFolder = '.a2a-conversations'

/** The version of saved runs that is written and read. */
export const schemaVersion = 1

const common = {
  name: 'transcript',
  version: { member: 'schemaVersion', reads: [schemaVersion], optional: true },
  error: (message, detail) =>
    new A2AUsageError('BAD_SUBJECT', message, {
      ...detail,
      fix: 'Give a file that a test wrote, or { entries: [{ turn: 1, from: "user", text: "…" }, { turn: 1, from: "agent", text: "…" }] }.',
    }),
} satisfies Omit<DocumentDefinition<never>, 'schema'>

/** A file that a test wrote: the run, and its judgement, which is ignored. */
const savedConversation = defineDocument({ ...common, schema: (z) => z.looseObject({ run: runSchema(z) }) })
const bareRun = defineDocument({ ...common, schema: runSchema })

/** Reads a saved conversation, or `{ entries }` written by hand. Throws A2AUsageError `BAD_SUBJECT` that says what is wrong with the file. */
export async function readRun(path: string): Promise<ConversationRun> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read: ${message}`
    throw new A2AUsageError('BAD_SUBJECT', `the transcript ${path} ${why}.`, {
      cause,
      fix: `Give the path of a file that a test wrote to ${usualFolder}, relative to ${process.cwd()}.`,
    })
  }
  const { parseText } = await bareRun()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // This throws, with what is wrong in the text.
    return completeRun(parseText(text, path))
  }
  return parseRun(value, path)
}

/** Reads a run, the content of a saved file, or `{ entries }`. `origin` is named in the error, as in `readRun()`. */
export async function parseRun(value: unknown, origin: string): Promise<ConversationRun> {
  if (isRecord(value) && isRecord(value['run'])) {
    const { parse } = await savedConversation()
    return completeRun(parse(value, origin).run)
  }
  const { parse } = await bareRun()
  return completeRun(parse(value, origin))
}

/** A run with defaults for what is missing. */
export function completeRun(run: SavedRun): ConversationRun {
  const turns = run.entries.filter(({ from }) => from === 'user').length
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
    ...run,
  }
}
