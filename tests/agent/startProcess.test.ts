import { expect, onTestFinished, test } from 'vitest'
import { runCommand, type RunningCommand } from '../../src/agent/childProcess.ts'
import { isAlive } from './alive.ts'
import { runScript } from './childScript.ts'

const node = process.execPath
const env = process.env

async function run(script: string): Promise<RunningCommand> {
  const command = await runCommand({ command: [node, '-e', script], env })
  onTestFinished(command.stop)
  return command
}

// Starts a grandchild that ignores SIGTERM, and prints its id.
const family = `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)"])
  child.stdout.once('data', () => console.log('child ' + child.pid))
  setInterval(() => {}, 1000)
`

async function grandchildOf(output: () => string): Promise<number> {
  await expect.poll(output).toMatch(/child \d+/)
  return Number(/child (\d+)/.exec(output())?.[1])
}

test('keeps both outputs and reports how it ended', async () => {
  const command = await run("console.log('out'); console.error('err'); process.exitCode = 3")

  await command.whenEnded

  expect(command.ended()).toBe('exited with code 3')
  expect(command.output().split('\n').toSorted()).toEqual(['', 'err', 'out'])
})

test('keeps only the end of a long output', async () => {
  const command = await run("process.stdout.write('a'.repeat(200_000) + 'end')")

  await command.whenEnded

  expect(command.output()).toHaveLength(64 * 1024)
  expect(command.output()).toMatch(/aend$/)
})

test('reports that a file was not found', async () => {
  const command = await runCommand({ command: ['no-such-agent'], env })

  await command.whenEnded
  await command.stop()

  expect(command.ended()).toBe('could not be started: "no-such-agent" was not found')
})

test.skipIf(process.platform === 'win32')(
  'stop() ends the whole tree, also what ignores being asked',
  async () => {
    const command = await run(family)
    const grandchild = await grandchildOf(command.output)
    expect(isAlive(grandchild)).toBe(true)

    await command.stop()

    expect(command.ended()).toBe('was ended by SIGTERM')
    await expect.poll(() => isAlive(grandchild)).toBe(false)
  },
)

// The agent must not outlive a runner that is killed: no exit hook runs then.
test.skipIf(process.platform === 'win32').each(['SIGKILL', 'SIGTERM', 'exit'] as const)(
  'nothing is left when the runner ends by %s',
  async (how) => {
    const end = how === 'exit' ? 'process.exit(0)' : `process.kill(process.pid, '${how}')`
    const { output } = await runScript(`
      import { runCommand } from 'src/agent/childProcess.ts'
      const command = await runCommand({ command: [process.execPath, '-e', ${JSON.stringify(family)}], env: process.env })
      for (;;) {
        const [line] = /child \\d+/.exec(command.output()) ?? []
        if (line !== undefined) {
          process.stdout.write('head ' + command.pid + ' ' + line + '\\n', () => { ${end} })
          break
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    `)

    const [, head, grandchild] = /head (\d+) child (\d+)/.exec(output) ?? [output]
    await expect.poll(() => isAlive(Number(head))).toBe(false)
    await expect.poll(() => isAlive(Number(grandchild))).toBe(false)
  },
)
