import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { startModelServer, type SeenRequest } from '../support/modelServer.ts'

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

/** Plays a user who greets once, or a judge who hears the agent say hello. */
function answer({ body }: SeenRequest): { data: unknown } {
  const { properties = {} } = (body.response_format?.json_schema?.schema ?? {}) as { properties?: object }
  if ('verdicts' in properties) {
    const c1 = { evidence: [{ turn: 1, quote: 'Hello' }], reason: 'It says so.', verdict: 'met' }
    return { data: { verdicts: { c1 }, injection: { found: false, turn: null } } }
  }
  const heard = body.messages.some(({ content }) => content.includes('Hello'))
  return {
    data: heard
      ? { thought: '', status: 'goal_reached', message: null }
      : { thought: '', status: 'continue', message: 'Good day' },
  }
}

/** Runs a runner's fixtures once, with what is in `dist`, and a server of models at `MODEL_SERVER`. */
export async function childRun(
  runner: 'vitest' | 'jest',
  { files = [], options = [] }: { files?: string[]; options?: string[] } = {},
): Promise<ChildRun> {
  if (!existsSync(join(root, 'dist/jest.cjs'))) throw new Error('dist is empty: run `npm run build` first')
  const folder = mkdtempSync(join(tmpdir(), 'runner-'))
  const report = join(folder, 'report.json')
  const fixtures = join(root, 'tests/childRuns/fixtures', runner)
  const args = {
    vitest: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      join(fixtures, 'vitest.config.mjs'),
      ...files,
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...options,
    ],
    jest: [
      'node_modules/jest/bin/jest.js',
      '--config',
      join(fixtures, 'jest.config.cjs'),
      ...files,
      '--json',
      `--outputFile=${report}`,
      ...options,
    ],
  }[runner]
  // The runner around this one tells its children so; they must not take themselves for part of it.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(VITEST|JEST|NODE_OPTIONS|TEST$|DEV$|PROD$|MODE$|OPENAI_|A2A_)/.test(name),
    ),
  )
  await using server = await startModelServer(answer)
  const { code, output } = await new Promise<{ code: number | null; output: string }>((resolve) => {
    execFile(
      process.execPath,
      args,
      {
        cwd: root,
        env: { ...env, NO_COLOR: '1', CI: '1', MODEL_SERVER: server.baseURL },
        timeout: 240_000,
        maxBuffer: 64 * 1024 * 1024,
      },
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
