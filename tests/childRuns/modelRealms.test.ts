import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startModelServer } from '../support/modelServer.ts'

/** The model as users get it: built, in a process of its own, and inside of Jest's sandbox. */
const root = fileURLToPath(new URL('../..', import.meta.url))
let dir: string

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'expect-a2a-models-'))
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'), 'junction')
  await build({
    config: false,
    cwd: root,
    entry: { openai: 'src/model/openai.ts' },
    outDir: join(dir, 'dist'),
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    shims: true,
    outputOptions: { dynamicImportInCjs: false },
    outExtensions: () => ({ js: '.cjs' }),
    dts: false,
    clean: false,
    deps: { skipNodeModulesBundle: true },
    logLevel: 'silent',
    report: false,
  })
})

afterAll(() => rmSync(dir, { recursive: true, force: true }))

function run(args: string[], env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const full = { ...process.env, NODE_OPTIONS: '', CI: '1', FORCE_COLOR: '0', ...env }
    execFile(process.execPath, args, { cwd: dir, env: full }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    )
  })
}

const ask = (baseURL: string): string => `
  const request = { role: 'judge', system: 'x', messages: [], signal: new AbortController().signal }
  const { text } = await openaiModel({ model: 'gpt-x', baseURL: '${baseURL}' }).generate(request)
`

test('an idle connection does not keep a process alive', async () => {
  await using server = await startModelServer([{ text: 'Hello', headers: { 'keep-alive': 'timeout=600' } }])
  const file = join(dir, 'child.cjs')
  writeFileSync(
    file,
    `const { openaiModel } = require('./dist/openai.cjs')
     ;(async () => {${ask(server.baseURL)}  console.log(text)\n})()`,
  )
  // Whatever the machine has set goes into the requests of the package, but not into its conversation.
  expect(await run([file], { OPENAI_LOG: 'debug' })).toEqual({ code: 0, output: 'Hello\n' })
})

test("in Jest's sandbox, with faked timers and a window", async () => {
  await using server = await startModelServer(() => 'Hello')
  writeFileSync(
    join(dir, 'window.cjs'),
    `
const { TestEnvironment } = require('jest-environment-node')
// Stands in for jsdom, which has all of these of its own.
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup()
    const { global } = this
    Object.assign(global, { window: global, document: {}, fetch: () => { throw new Error('not that one') } })
    global.AbortController = class { signal = { aborted: false, throwIfAborted() {}, addEventListener() {}, removeEventListener() {} }; abort() {} }
    global.Headers = global.Response = class {}
  }
}
`,
  )
  const body = `
const { openaiModel } = require('./dist/openai.cjs')
test('asks', async () => {
  jest.useFakeTimers()
  ${ask(server.baseURL)}
  expect(text).toBe('Hello')
})
`
  writeFileSync(join(dir, 'node.test.cjs'), body)
  writeFileSync(join(dir, 'window.test.cjs'), `/** @jest-environment ./window.cjs */\n${body}`)
  writeFileSync(
    join(dir, 'jest.config.cjs'),
    `module.exports = { testMatch: ['**/*.test.cjs'], transform: {} }\n`,
  )
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest')
  const { code, output } = await run([jest, '--no-cache', '--watchman=false', '--rootDir', dir])
  expect(output).toContain('2 passed')
  expect(code).toBe(0)
  expect(server.requests).toHaveLength(2)
})
