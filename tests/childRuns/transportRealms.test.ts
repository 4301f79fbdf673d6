import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { json, serve } from '../http/support.ts'

/** The transport as users get it: built, in a process of its own, and inside of Jest's sandbox. */
const root = fileURLToPath(new URL('../..', import.meta.url))
let dir: string

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'expect-a2a-realms-'))
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'), 'junction')
  const common = {
    config: false as const,
    cwd: root,
    entry: {
      transport: 'src/http/transport.ts',
      deps: 'src/core/deps.ts',
      undici: 'src/http/undici.ts',
    },
    outDir: join(dir, 'dist'),
    platform: 'node' as const,
    target: 'node20.19',
    dts: false,
    clean: false,
    deps: { skipNodeModulesBundle: true },
    logLevel: 'silent' as const,
    report: false,
  }
  await build({ ...common, format: 'esm', outExtensions: () => ({ js: '.mjs' }) })
  await build({
    ...common,
    format: 'cjs',
    shims: true,
    outputOptions: { dynamicImportInCjs: false },
    outExtensions: () => ({ js: '.cjs' }),
  })
})

afterAll(() => rmSync(dir, { recursive: true, force: true }))

interface Run {
  code: number
  output: string
}

function run(args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    const env = { ...process.env, NODE_OPTIONS: '', CI: '1', FORCE_COLOR: '0' }
    execFile(process.execPath, args, { cwd: dir, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr }),
    )
  })
}

const request = (url: string): string => `
  const transport = createTransport({ typedUrl: '${url}', deps: systemDeps({ env: {} }) })
  const response = await transport.open({
    method: 'GET', url: '${url}', headers: {}, purpose: 'agent card', timeoutMs: 10000, timeoutOption: 'requestTimeoutMs',
  })
  const text = await response.text()
`

test.each(['mjs', 'cjs'])('an idle connection does not keep a process alive (%s)', async (kind) => {
  const server = await serve((_, response) => {
    // Offers to keep the connection for ten minutes: a held socket would outlast this test by far.
    response.setHeader('keep-alive', 'timeout=600')
    json(response, { ok: true })
  })
  server.server.keepAliveTimeout = 600_000
  const load =
    kind === 'mjs'
      ? `import { createTransport } from './dist/transport.mjs'\nimport { systemDeps } from './dist/deps.mjs'\n`
      : `const { createTransport } = require('./dist/transport.cjs')\nconst { systemDeps } = require('./dist/deps.cjs')\n`
  const file = join(dir, `child.${kind}`)
  writeFileSync(file, `${load};(async () => {${request(server.url)}\n  console.log(text)\n})()\n`)
  expect(await run([file])).toEqual({ code: 0, output: '{"ok":true}\n' })
})

test("fake timers in Jest's sandbox hang no request, and undici is Node's own", async () => {
  const server = await serve((_, response) => json(response, { ok: true }))
  writeFileSync(
    join(dir, 'sandbox.test.cjs'),
    `
const { createTransport } = require('./dist/transport.cjs')
const { systemDeps } = require('./dist/deps.cjs')
const { loadUndici } = require('./dist/undici.cjs')

test('with everything faked', async () => {
  jest.useFakeTimers()
  ${request(server.url)}
  expect(text).toBe('{"ok":true}')
  // undici reports failures through queueMicrotask, which is faked as well.
  const nobody = { method: 'GET', url: 'http://127.0.0.1:1', headers: {}, purpose: 'agent card' }
  const failing = transport.open({ ...nobody, timeoutMs: 10000, timeoutOption: 'requestTimeoutMs' })
  await expect(failing).rejects.toMatchObject({ code: 'UNREACHABLE' })
  await transport.close()
})

test('outside of the sandbox', async () => {
  const undici = await loadUndici()
  // A plain function: the classes inherit from Node's own in either realm.
  expect(typeof undici.request).toBe('function')
  expect(undici.request instanceof Function).toBe(false)
})
`,
  )
  writeFileSync(
    join(dir, 'jest.config.cjs'),
    `module.exports = { testMatch: ['**/*.test.cjs'], transform: {} }\n`,
  )
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest')
  const { code, output } = await run([jest, '--no-cache', '--watchman=false', '--rootDir', dir])
  expect(output).toContain('2 passed')
  expect(code).toBe(0)
})
