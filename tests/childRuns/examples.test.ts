import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, NO_COLOR: '1' } })
    let output = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    child.stderr.on('data', (chunk) => (output += String(chunk)))
    child.on('close', (code) => resolve({ code, output }))
  })
}

test('the Jest example passes', async () => {
  const { code, output } = await run(
    'node_modules/jest/bin/jest.js',
    '--config',
    'examples/jest/jest.config.cjs',
  )
  expect(output).toMatch(/Tests: +3 passed, 3 total/)
  expect(output).not.toContain('did not exit')
  expect(code).toBe(0)
})

test('the node:test example passes', async () => {
  const { code, output } = await run('--test', '--test-reporter=tap', 'examples/node-test/helpdesk.test.mjs')
  expect(output).toMatch(/^# pass 3$/m)
  expect(output).toMatch(/^# fail 0$/m)
  expect(code).toBe(0)
})
