import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const heavy = /[\\/]node_modules[\\/](undici|zod|expect|jose|openai|express|fastify)[\\/]/

/** Every file that a script of its own loads, from ES modules and from CommonJS. */
function loaded(script: string): string[] {
  if (!existsSync(`${root}/dist/jest.cjs`)) throw new Error('dist is empty: run `npm run build` first')
  // Node tells a loader hook of each ES module, and keeps CommonJS modules in a cache.
  const hook = `
    import { register } from 'node:module'
    const source = 'let port; export async function initialize(data) { port = data.port }' +
      'export async function load(url, context, next) { port.postMessage(url); return next(url, context) }'
    const { port1, port2 } = new MessageChannel()
    const seen = []
    port1.on('message', (url) => seen.push(url)).unref()
    register('data:text/javascript,' + encodeURIComponent(source), { data: { port: port2 }, transferList: [port2] })
    import { createRequire } from 'node:module'
    const require = createRequire(${JSON.stringify(`${root}/`)})
    ${script}
    await new Promise((resolve) => setTimeout(resolve, 100))
    // What the hook was told before this has been told here, too, once this has.
    const last = 'data:text/javascript,last'
    await import(last).catch(() => {})
    while (!seen.includes(last)) await new Promise((resolve) => setTimeout(resolve, 5))
    console.log(JSON.stringify([...seen, ...Object.keys(require.cache)]))
  `
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', hook], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return JSON.parse(output.trim().split('\n').at(-1) ?? '[]') as string[]
}

const globals = `
  globalThis.expect = { extend() {}, addSnapshotSerializer() {}, getState: () => ({}) }
  for (const hook of ['beforeAll', 'beforeEach', 'afterEach', 'afterAll']) globalThis[hook] = () => {}
`
const dataUrl = (code: string): string =>
  `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
const fakeVitest = dataUrl(`${globals}
  export const expect = globalThis.expect
  export const beforeEach = () => {}, afterEach = () => {}, afterAll = () => {}
`)
// What Vitest itself loads is none of our business, so it is replaced.
const resolveHook = dataUrl(`
  export const resolve = async (specifier, context, next) =>
    specifier === 'vitest' ? { url: '${fakeVitest}', shortCircuit: true } : next(specifier, context)
`)
const withoutVitest = `register('${resolveHook}')\n`

describe('loading an entry loads nothing heavy', () => {
  test.each([
    ['dist/vitest.js', `${withoutVitest} await import('./dist/vitest.js')`],
    ['dist/jest.cjs', `${globals} require('./dist/jest.cjs')`],
    ['dist/jest.js', `${globals} await import('./dist/jest.js')`],
    ['dist/index.js', `await import('./dist/index.js')`],
    ['dist/matchers.cjs', `require('./dist/matchers.cjs')`],
  ])('%s', (entry, script) => {
    const files = loaded(script)
    expect(files.some((file) => file.endsWith(entry))).toBe(true)
    expect(files.filter((file) => heavy.test(file))).toEqual([])
  })

  test('and a card check loads no zod', () => {
    const files = loaded(`
      const { toHaveValidAgentCard } = await import('./dist/matchers.js')
      const card = { name: 'a', url: 'https://a.example/', skills: [], protocolVersion: '0.3.0' }
      const { pass, message } = await toHaveValidAgentCard.call({ isNot: false, promise: '' }, card)
      if (pass || !message().includes('capabilities')) throw new Error(message())
    `)
    expect(files.filter((file) => /[\\/]node_modules[\\/]zod[\\/]/.test(file))).toEqual([])
  })

  test('and what is loaded later is seen', () => {
    expect(loaded(`require('undici')`).some((file) => heavy.test(file))).toBe(true)
    expect(loaded(`await import('zod')`).some((file) => heavy.test(file))).toBe(true)
  })
})
