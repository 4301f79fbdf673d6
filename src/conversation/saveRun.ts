import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, isAbsolute, join, relative } from 'node:path'
import { cassetteFile } from '../model/cassette/name.ts'
import type { TestPlace } from '../model/configuration.ts'
import { schemaVersion } from '../transcript/savedRun.ts'
import { redactedJson } from './redaction.ts'
import type { TrialResult } from './types.ts'
import type { ConversationRun } from '../transcript/types.ts'

/** A conversation as it is written: without requests and secrets. */
export interface SavedConversation extends Omit<TrialResult, 'run' | 'file'> {
  schemaVersion: 1
  /** Absent in files that were written by hand. */
  trial?: number
  run: Omit<ConversationRun, 'exchanges' | 'secrets'>
}

let written = 0
const conversations = new Map<string, number>()
/** Numbers of conversations that would otherwise share a file. */
const numbers = new Map<string, Map<string, number>>()

/**
 * From 1: which conversation of that name this is in its test file, so that each has its own file. A retry of a test gets the
 * same numbers.
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
 * Writes a conversation and its judgement as readable JSON, without credentials, and returns the path as messages show it. The file name
 * comes from the test and the trial, so it is the same each time. Throws errors of the file system.
 */
export async function writeRun(
  { run, file: _, ...result }: TrialResult,
  context: { name: string; nth: number; trial: number; folder: string; testFile?: string | undefined },
): Promise<string> {
  const base = cassetteFile(context.name, context.nth).replace(/\.json$/, '')
  const folder =
    context.testFile === undefined ? context.folder : join(context.folder, folderOf(context.testFile))
  const path = join(folder, `${base}.${context.trial}.json`)
  const { exchanges: _exchanges, secrets, ...publicRun } = run
  const saved: SavedConversation = { schemaVersion, trial: context.trial, ...result, run: publicRun }
  const text = redactedJson(saved, secrets)
  await mkdir(folder, { recursive: true })
  // A reader finds the old file or the new one, never half of it.
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

/** Relative to the working directory if the file is inside it. */
function shownPath(path: string): string {
  if (!isAbsolute(path)) return path
  const short = relative(process.cwd(), path)
  return short.startsWith('..') || short === '' ? path : short
}
