import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Run {
  code: number | null
  output: string
}

function demo(cwd: string): Promise<Run> {
  return new Promise((resolve) => {
    const { FORCE_COLOR: _, ...env } = process.env
    const child = spawn(process.execPath, ['scripts/demo.mjs'], { cwd, env: { ...env, NO_COLOR: '1' } })
    let output = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    child.stderr.on('data', (chunk) => (output += String(chunk)))
    child.on('close', (code) => resolve({ code, output }))
  })
}

/** A copy of what the demo needs, with one file changed, so that the demo can be seen to turn red; of the healthy specs it has one. */
async function patched(file: string, change: (text: string) => string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'a2a-demo-'))
  for (const part of ['scripts', 'examples', 'dist', 'package.json']) {
    await cp(join(root, part), join(copy, part), { recursive: true, preserveTimestamps: true })
  }
  for (const spec of await readdir(join(copy, 'examples'))) {
    if (spec.endsWith('.spec.ts') && spec !== 'helpdesk.spec.ts') await rm(join(copy, 'examples', spec))
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir')
  const before = await readFile(join(copy, file), 'utf8')
  const after = change(before)
  expect(after, `the patch of ${file} changes something`).not.toBe(before)
  await writeFile(join(copy, file), after)
  copies.push(copy)
  return copy
}
const copies: string[] = []
afterAll(() => Promise.all(copies.map((copy) => rm(copy, { recursive: true, force: true }))))

describe('npm run demo', () => {
  let run: Run
  beforeAll(async () => {
    run = await demo(root)
  })

  test('is green, and prints a table of what was checked', () => {
    expect(run.output).toMatch(/✓ 8 agents, \d+ checks, 1 failed as expected, [\d.]+ s\./)
    expect(run.code).toBe(0)
    for (const agent of [
      'test-runner',
      'code-reviewer',
      'deployer',
      'Studio',
      'Helpdesk',
      'Broken helpdesk',
    ]) {
      expect(run.output).toMatch(new RegExp(`^  ${agent} +to\\w+`, 'm'))
    }
    expect(run.output).toMatch(/Broken helpdesk +toHaveValidAgentCard +✗ failed +error card\/url/)
  })

  test("shows the broken agent's message", () => {
    const [, message = ''] = run.output.split('Broken on purpose. This is what its test prints:')
    expect(message).toContain('[failed] expect(agent).toHaveValidAgentCard()')
    expect(message).toContain('"/a2a"')
    expect(message).toContain('card/url')
  })

  test('has no colour where nobody asked for it', () => {
    expect(run.output).not.toContain('\u001B')
  })
})

test('mending the broken agent turns the demo red', async () => {
  const copy = await patched('examples/broken-agent/agent.ts', (text) =>
    text.replace(/, faults\.card\('url', '\/a2a'\)/, ''),
  )

  const { code, output } = await demo(copy)

  expect(output).toContain(
    'broken-agent/broken-agent.spec.ts › other agents can find and call it: passed, but this agent is broken on purpose and must fail.',
  )
  expect(code).toBe(1)
})

test('breaking the broken agent in another way turns the demo red', async () => {
  const copy = await patched('examples/broken-agent/agent.ts', (text) =>
    text.replace("faults.card('url', '/a2a')", "faults.card('description', undefined)"),
  )

  const { code, output } = await demo(copy)

  expect(output).toMatch(/failed, but not with card\/url; it found card\//)
  expect(code).toBe(1)
})

test('a healthy agent that fails turns the demo red', async () => {
  const copy = await patched('examples/helpdesk.spec.ts', (text) =>
    text.replace('startHelpdesk()', 'startHelpdesk({ timeline: false })'),
  )

  const { code, output } = await demo(copy)

  expect(output).toMatch(/helpdesk\.spec\.ts › it refunds .*: failed, but this agent is healthy\./)
  expect(code).toBe(1)
})
