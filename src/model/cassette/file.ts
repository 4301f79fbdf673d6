import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { threadId } from 'node:worker_threads'
import { A2AModelError, A2AUsageError } from '../../core/errors.ts'
import type { TestPlace } from '../configuration.ts'
import { openTapeReader, recordAgain, type Tape } from './format.ts'
import { cassetteFile } from './name.ts'

/** Where the cassette of one conversation is. */
export interface CassetteFile {
  /** As messages show it: relative if the folder is. */
  path: string
  test: string
  testFile?: string | undefined
  /** Who else uses the file in this run: `"a" and "b" use`. */
  clash?: string | undefined
  /** True if this run has already recorded it, possibly in another try of the same test. */
  again: boolean
}

/** Who used a file in this run. */
interface User {
  owner: string
  called: string
  run: string | undefined
  writes: boolean
}

const users = new Map<string, User>()
/** The number of conversations in each try of a test. */
const opened = new Map<string, number>()

/** What determines the file. */
export interface FileRequest {
  folder: string
  file?: string | undefined
  name?: string | undefined
  /** Whether it may be written. */
  writes: boolean
}

/**
 * Finds the file for a conversation: the named one, or one named after the running test, with a number from the second conversation on.
 * Throws A2AUsageError `BAD_OPTIONS` if nothing has a name.
 */
export function claimFile(
  { folder, file, name, writes }: FileRequest,
  place: TestPlace | undefined,
): CassetteFile {
  const test = name ?? place?.name ?? file
  if (test === undefined) {
    throw new A2AUsageError(
      'BAD_OPTIONS',
      'a cassette is named after the running test, but no test is running.',
      { fix: 'Set `name` of the conversation, or `file` of the cassette.' },
    )
  }
  const owner = place?.id ?? JSON.stringify([place?.file, place?.name ?? test])
  const run = place?.run
  const path = join(folder, file ?? cassetteFile(test, test === place?.name ? nthOf(owner, run) : 1))
  const called = JSON.stringify(place?.name ?? test)
  const before = users.get(resolve(path))
  users.set(resolve(path), { owner, called, run, writes: writes || before?.writes === true })
  const rewrites = writes && before?.writes === true
  let clash: string | undefined
  if (before !== undefined && before.owner !== owner) {
    clash = `${before.called} and ${called}${before.called === called ? ', two tests of one name,' : ''} use`
  } else if (rewrites && run !== undefined && before.run === run) {
    clash = `two conversations of ${called} use`
  } else if (rewrites && run !== undefined && place?.id === undefined && !place?.retries) {
    // It differs from the first only in its start time, and the runner repeats nothing.
    clash = `two tests of one name, ${called}, use`
  }
  const testFile = place?.file === undefined ? undefined : posix(relative(process.cwd(), place.file))
  return { path, test, testFile, clash, again: rewrites && run === undefined }
}

/** Which conversation of a test this is; always the first if the runner does not distinguish tries. */
function nthOf(owner: string, run: string | undefined): number {
  if (run === undefined) return 1
  const key = JSON.stringify([owner, run])
  const nth = (opened.get(key) ?? 0) + 1
  opened.set(key, nth)
  return nth
}

/** Undefined if the file does not exist. Throws A2AModelError `CASSETTE`. */
export async function loadTape(path: string): Promise<Tape | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw new A2AModelError('CASSETTE', `the cassette ${path} cannot be read: ${String(error)}`, {
      cause: error,
      fix: recordAgain,
    })
  }
  const read = await openTapeReader()
  return read(text, path)
}

/** The file of another test that the cassette on disk belongs to; a test that was moved keeps its cassette. */
export function foreignTest(tape: Tape | undefined, { testFile }: CassetteFile): string | undefined {
  const other = tape?.testFile
  if (other === undefined || testFile === undefined || other === testFile) return undefined
  return existsSync(resolve(other)) ? other : undefined
}

/** Writes to a temporary file first, so that nobody reads half a cassette. Throws A2AModelError `CASSETTE`. */
export async function saveTape(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}-${threadId}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(temporary, text)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw new A2AModelError('CASSETTE', `the cassette ${path} cannot be written: ${String(error)}`, {
      cause: error,
      fix: 'Make its folder writable, set another one with `cassettes.folder`, or switch cassettes off.',
    })
  }
}

const posix = (path: string): string => path.replaceAll('\\', '/')
