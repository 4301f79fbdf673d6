import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { bytes, root, run } from '../../scripts/consumer.mjs'
import { fromNpm, setUpConsumers } from './consumers.ts'

const consumer = setUpConsumers()
const bin = (folder: string, path: string): string => join(folder, 'node_modules', path)

describe('an installed package', () => {
  test(
    'gives the same names to import and to require, at every dual entry',
    { timeout: 600_000 },
    async () => {
      const entries = ['expect-a2a', 'expect-a2a/matchers', 'expect-a2a/expect', 'expect-a2a/testing']
      const folder = await consumer('entries', ['expect'])
      const { code, output } = await run(folder, process.execPath, ['names.mjs', ...entries])
      expect(code, output).toBe(0)
      const names = JSON.parse(output) as Record<string, { esm: string[]; cjs: string[] }>
      for (const entry of entries) {
        expect(names[entry]?.cjs, entry).toEqual(names[entry]?.esm)
        expect(names[entry]?.esm.length, entry).toBeGreaterThan(0)
      }
      expect(names['expect-a2a']?.esm).toEqual(
        expect.arrayContaining(['a2aAgent', 'serveAgent', 'startAgent', 'checkAgentCard', 'A2AError']),
      )
      expect(names['expect-a2a']?.esm).toEqual(
        expect.arrayContaining([
          'configureA2A',
          'converse',
          'judgeTranscript',
          'openaiModel',
          'scriptedModel',
        ]),
      )
      expect(names['expect-a2a/matchers']?.esm).toEqual(
        expect.arrayContaining(['toHaveValidAgentCard', 'toReply']),
      )
    },
  )

  test('loads nothing heavy before a matcher needs it', { timeout: 600_000 }, async () => {
    const folder = await consumer('entries', [])
    const entries = ['expect-a2a', 'expect-a2a/matchers', 'expect-a2a/testing', 'expect-a2a/jest']
    const { code, output } = await run(folder, process.execPath, ['loaded.cjs', ...entries])
    expect(code, output).toBe(0)
    const loaded = JSON.parse(output) as string[]
    expect(loaded).toContain('expect-a2a')
    // The one package that may: small, and needed by what cannot wait.
    expect(loaded.filter((name) => name !== 'expect-a2a' && name !== 'ipaddr.js')).toEqual([])
  })

  test('says in one sentence which peer is missing', { timeout: 600_000 }, async () => {
    const folder = await consumer('entries', [])
    const script = "import('expect-a2a/expect').then(({ expect }) => expect(1).toBe(1))"
    const { code, output } = await run(folder, process.execPath, ['-e', script])
    expect(code).not.toBe(0)
    expect(output).toMatch(/npm (install|i) (-D|--save-dev) expect/)
  })

  test('runs in Vitest', { timeout: 600_000 }, async () => {
    const folder = await consumer('vitest', ['vitest'])
    const vitest = (spec: string): ReturnType<typeof run> =>
      run(folder, process.execPath, [bin(folder, 'vitest/vitest.mjs'), 'run', '--testTimeout=60000', spec])
    const good = await vitest('good')
    expect(good.code, good.output).toBe(0)
    expect(good.output).toContain('3 passed')
    const broken = await vitest('broken')
    expect(broken.code).toBe(1)
    expect(broken.output).toContain('3 failed')
    expect(broken.output).toContain('[failed] expect(agent).toHaveValidAgentCard(')
    expect(broken.output).toContain('[error] expect(agent).not.toHaveValidAgentCard(')
    expect(broken.output).toContain('await')
  })

  test('runs in Jest, as CommonJS', { timeout: 600_000 }, async () => {
    const folder = await consumer('jest', ['jest', '@jest/globals'])
    const jest = (spec: string): ReturnType<typeof run> =>
      run(folder, process.execPath, [bin(folder, 'jest/bin/jest.js'), '--ci', '--testTimeout=60000', spec])
    const good = await jest('good|globals')
    expect(good.code, good.output).toBe(0)
    expect(good.output).toContain('6 passed')
    // An open handle would make Jest complain here.
    expect(good.output).not.toContain('did not exit')
    const broken = await jest('broken')
    expect(broken.code).toBe(1)
    expect(broken.output).toContain('3 failed')
    expect(broken.output).toContain('[failed] expect(agent).toHaveValidAgentCard(')
    expect(broken.output).toContain('[error] expect(agent).not.toHaveValidAgentCard(')
    expect(broken.output).toContain('await')
  })

  test('runs under node --test, imported and required', { timeout: 600_000 }, async () => {
    const folder = await consumer('node', ['expect'])
    const good = await run(folder, process.execPath, ['--test', 'good.test.mjs'])
    expect(good.code, good.output).toBe(0)
    expect(good.output).toMatch(/pass 2\b/)
    const broken = await run(folder, process.execPath, ['--test', 'broken.test.cjs'])
    expect(broken.code).toBe(1)
    expect(broken.output).toContain('[failed] expect(agent).toHaveValidAgentCard(')
    expect(broken.output).toContain('not met: c1 "says goodbye", after 1 turn')
  })

  test('is small: under 25 MB with its dependencies', { timeout: 600_000 }, async () => {
    const folder = await consumer('entries', [])
    const modules = join(folder, 'node_modules')
    const linked = Object.keys(manifest.dependencies)
    const size = fromNpm
      ? bytes(modules)
      : bytes(modules) + linked.reduce((sum, name) => sum + bytes(join(root, 'node_modules', name)), 0)
    expect(size / 1e6).toBeLessThan(25)
    expect(size / 1e6).toBeGreaterThan(1)
  })
})
