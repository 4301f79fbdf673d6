import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** One test of a child run. */
export interface ChildTest {
  status: string
  /** What the test failed with, without colours. */
  message: string
  meta?: { a2a?: { matcher: string; outcome: string; retry: number }[] }
}

/** A child run of a runner over its fixtures. */
export interface ChildRun {
  /** By file and title: `cases forgets await`. */
  tests: Map<string, ChildTest>
  /** What failed a whole file, by file. */
  files: Map<string, string>
  code: number | null
  output: string
}

interface Report {
  testResults: {
    name: string
    message?: string
    assertionResults: {
      title: string
      status: string
      failureMessages?: string[]
      meta?: ChildTest['meta']
    }[]
  }[]
}

/** Runs a runner's fixtures once, with what is in `dist`. */
export async function childRun(runner: 'vitest' | 'jest'): Promise<ChildRun> {
  if (!existsSync(join(root, 'dist/jest.cjs'))) throw new Error('dist is empty: run `npm run build` first')
  const folder = mkdtempSync(join(tmpdir(), 'runner-'))
  const report = join(folder, 'report.json')
  const fixtures = join(root, 'tests/runners/fixtures', runner)
  const args = {
    vitest: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      join(fixtures, 'vitest.config.mjs'),
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    jest: [
      'node_modules/jest/bin/jest.js',
      '--config',
      join(fixtures, 'jest.config.cjs'),
      '--json',
      `--outputFile=${report}`,
    ],
  }[runner]
  // The runner around this one tells its children so; they must not take themselves for part of it.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(VITEST|JEST|NODE_OPTIONS|TEST$|DEV$|PROD$|MODE$)/.test(name),
    ),
  )
  const { code, output } = await new Promise<{ code: number | null; output: string }>((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: root, env: { ...env, NO_COLOR: '1', CI: '1' }, timeout: 240_000, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: stdout + stderr }),
    )
  })
  try {
    return { ...read(JSON.parse(readFileSync(report, 'utf8')) as Report), code, output }
  } catch (cause) {
    throw new Error(`the child run left no report:\n${output}`, { cause })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function read({ testResults }: Report): Pick<ChildRun, 'tests' | 'files'> {
  const tests = new Map<string, ChildTest>()
  const files = new Map<string, string>()
  for (const { name, message = '', assertionResults } of testResults) {
    const file = /([\w-]+)\.test\.\w+$/.exec(name)?.[1] ?? name
    files.set(file, stripVTControlCharacters(message))
    for (const { title, status, failureMessages, meta } of assertionResults) {
      tests.set(`${file} ${title}`, {
        status,
        message: stripVTControlCharacters((failureMessages ?? []).join('\n')),
        ...(meta !== undefined && { meta }),
      })
    }
  }
  return { tests, files }
}
