import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runScript } from '../agent/childScript.ts'
import { temporaryFolder } from '../support/temporaryFolder.ts'

const concurrency = 3
const callsEach = 8

/** Two processes and two threads ask one server, which answers 429 now and then and counts who is there at the same time. */
const script = (folder: string): string => `
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { systemClock } from 'src/core/clock.ts'
import { A2AModelError } from 'src/core/errors.ts'
import { openCalls } from 'src/model/calls.ts'
import { configureA2A } from 'src/model/configuration.ts'

const port = isMainThread ? process.argv[2] : workerData
if (port === undefined) await serve()
else await ask()

async function ask() {
  configureA2A({ concurrency: ${concurrency} })
  const model = {
    id: 'storm',
    async generate({ signal }) {
      const response = await fetch('http://127.0.0.1:' + port, { signal })
      const text = await response.text()
      if (response.status === 200) return { text }
      const retryAfterMs = Number(response.headers.get('retry-after-ms'))
      throw new A2AModelError('MODEL_UNAVAILABLE', text, { status: response.status, transient: true, retryAfterMs })
    },
  }
  const calls = openCalls({ judge: { model }, deps: { clock: systemClock, env: {} }, lockFolder: ${JSON.stringify(folder)} })
  const signal = new AbortController().signal
  const request = { role: 'judge', system: '', messages: [], signal }
  await Promise.all(
    Array.from({ length: ${callsEach} }, (_, index) => calls.ask(request, { trial: 1, turn: 1, attempt: index + 1 })),
  )
  const report = { live: calls.replay.live, warnings: calls.warnings }
  if (isMainThread) process.send(report)
  else parentPort.postMessage(report)
}

async function serve() {
  let [active, most, requests, refused] = [0, 0, 0, 0]
  const server = createServer((_, response) => {
    most = Math.max(most, ++active)
    const nth = ++requests
    setTimeout(() => {
      active--
      if (nth % 9 !== 4) return response.end('ok')
      refused++
      response.writeHead(429, { 'retry-after-ms': '60' }).end('slow down')
    }, 8)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = String(server.address().port)
  const here = new URL(import.meta.url)
  const workers = [fork(here, [port]), fork(here, [port]), ...[1, 2].map(() => new Worker(here, { workerData: port }))]
  const reports = await Promise.all(
    workers.map((worker) => new Promise((resolve, reject) => {
      worker.on('message', resolve)
      worker.on('error', reject)
      worker.on('exit', (code) => reject(new Error('a worker ended with ' + code)))
    })),
  )
  for (const worker of workers) if ('disconnect' in worker) worker.disconnect()
  server.close()
  console.log(JSON.stringify({ most, requests, refused, reports }))
}
`

test('a storm of workers stays under the limit, and everybody gets an answer', async () => {
  const folder = temporaryFolder()
  const own = join(folder, createHash('sha256').update('storm').digest('hex').slice(0, 16))
  mkdirSync(own)
  // All see the same dead holders at once.
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  for (let slot = 0; slot < concurrency; slot++) {
    writeFileSync(join(own, `slot-${slot}`), JSON.stringify({ pid, host: hostname(), token: `dead-${slot}` }))
  }
  const { code, output } = await runScript(script(folder))
  expect(output).toMatch(/^\{.*\}\n$/)
  expect(code).toBe(0)
  const told = JSON.parse(output) as { most: number; requests: number; refused: number; reports: unknown[] }
  expect(told.most).toBeLessThanOrEqual(concurrency)
  expect(told.most).toBeGreaterThan(1)
  expect(told.refused).toBeGreaterThan(2)
  expect(told.requests).toBe(4 * callsEach + told.refused)
  expect(told.reports).toEqual(Array.from({ length: 4 }, () => ({ live: callsEach, warnings: [] })))
  expect(readdirSync(own).filter((name) => name !== 'pace.json')).toEqual([])
})
