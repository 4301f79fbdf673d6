// What the first matcher call of a test file costs, in CPU time of a new process: everything that is loaded on first use is in it.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { run } from '../scripts/consumer.mjs'
import { median, middleHalf, report } from './figures.mjs'

const aim = 80
const rounds = 11

const folder = process.argv[2]
const agents = fork(fileURLToPath(new URL('agent.mjs', import.meta.url)))
const urls = await new Promise((resolve) => agents.once('message', resolve))

const script = (url) => `
import 'expect-a2a/expect'
import { expect } from 'expect'
const calls = []
for (let call = 0; call < 2; call++) {
  const begun = process.cpuUsage()
  await expect('${url}').toReply('Where is order 17?')
  const { user, system } = process.cpuUsage(begun)
  calls.push((user + system) / 1e3)
}
console.log(JSON.stringify(calls))
`

const first = []
const second = []
for (let round = 0; round <= rounds; round++) {
  const { code, output } = await run(folder, process.execPath, [
    '--input-type=module',
    '-e',
    script(urls['1.0']),
  ])
  if (code !== 0) throw new Error(output)
  // The first process finds nothing in the caches of the disk.
  if (round === 0) continue
  const calls = JSON.parse(output)
  first.push(calls[0])
  second.push(calls[1])
}
agents.disconnect()
report(
  '(12) the first matcher call of a file',
  `${median(first).toFixed(0)} ms of CPU (middle half ${middleHalf(first, 0)}; ${first.length} processes), the second ${median(second).toFixed(0)} ms`,
  `<= ${aim} ms of CPU`,
  median(first) <= aim,
  'about 30 ms of it are the parts of undici, node:http2 among them; the rest is what a check, the client and the card rules load and compile',
)
