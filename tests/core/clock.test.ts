import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { promisify } from 'node:util'
import ts from 'typescript'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'

test('what has arrived while the process was held up is heard before a timer that is late', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const near = createConnection((server.address() as AddressInfo).port, '127.0.0.1')
  const [far] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => {
    near.destroy()
    server.close()
  })
  const heard: string[] = []
  near.on('data', (data) => heard.push(String(data)))

  far.write('answer')
  const timer = new Promise<void>((resolve) => {
    systemClock.after(10, () => {
      heard.push('timeout')
      resolve()
    })
  })
  holdUp(30)
  await timer

  expect(heard).toEqual(['answer', 'timeout'])
})

test('a timer can be canceled until it has fired', async () => {
  const fired: string[] = []
  const cancel = systemClock.after(1, () => fired.push('canceled'))
  // Comes in the turn between a timer and what it does.
  setTimeout(() => cancel(), 1)
  holdUp(10)
  await new Promise<void>((resolve) => void systemClock.after(5, resolve))

  expect(fired).toEqual([])
})

test('a timer fires in time also where nothing else happens in its process', async () => {
  const clock = ts.transpileModule(
    readFileSync(new URL('../../src/core/clock.ts', import.meta.url), 'utf8'),
    {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
    },
  ).outputText
  // The alarm keeps the process alive, and wakes it up in the end.
  const script = `${clock}
    const alarm = setTimeout(() => {}, 20_000)
    const began = performance.now()
    systemClock.after(10, () => { console.log(performance.now() - began); clearTimeout(alarm) })`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])

  expect(Number(stdout)).toBeGreaterThan(9)
  expect(Number(stdout)).toBeLessThan(15_000)
})

/** Keeps the process from everything else, as a busy machine does. */
function holdUp(ms: number): void {
  const from = performance.now()
  while (performance.now() - from < ms);
}
