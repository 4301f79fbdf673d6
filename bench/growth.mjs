// How time and memory grow with what an agent sends and a test does: each size is four times the one before.
import { createServer } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pathToFileURL } from 'node:url'
import { cpuSince, report } from './figures.mjs'

const { a2aAgent, checkAgentCard } = await import(pathToFileURL(process.argv[2]).href)

/** Time may grow by this much where the size grows fourfold: a little more than four, for collecting garbage. */
const mostFactor = 6

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

const card = (url, skills = 1) => ({
  name: 'Growth',
  description: 'Answers with as much as it is asked for.',
  version: '1.0.0',
  protocolVersion: '0.3.0',
  url: `${url}/rpc`,
  preferredTransport: 'JSONRPC',
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: Array.from({ length: skills }, (_, at) => ({
    id: `skill-${at}`,
    name: `Skill ${at}`,
    description: 'Does something.',
    tags: ['growth'],
  })),
})

const ids = { taskId: 't1', contextId: 'c1' }
const task = { kind: 'task', id: 't1', contextId: 'c1', status: { state: 'working' } }
const chunk = (at) => ({
  kind: 'artifact-update',
  ...ids,
  append: at > 0,
  artifact: { artifactId: 'a1', parts: [{ kind: 'text', text: `chunk ${at} ` }] },
})
const end = { kind: 'status-update', ...ids, status: { state: 'completed' }, final: true }
const message = (text) => ({
  kind: 'message',
  messageId: 'm1',
  role: 'agent',
  parts: [{ kind: 'text', text }],
})

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify(card(`http://${request.headers.host}`)))
  }
  const pieces = []
  for await (const piece of request) pieces.push(piece)
  const body = Buffer.concat(pieces).toString()
  const [, kind, size = '0'] = /"(chunks|text) (\d+)"/.exec(body) ?? []
  const rpc = (result) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: JSON.parse(body.slice(0, 200).replace(/,"method".*$/s, '}')).id,
      result,
    })
  if (kind !== 'chunks') {
    response.setHeader('content-type', 'application/json')
    return response.end(rpc(message('x'.repeat(Number(size) || 4))))
  }
  response.setHeader('content-type', 'text/event-stream')
  const frames = [task, ...Array.from({ length: Number(size) }, (_, at) => chunk(at)), end]
  response.end(frames.map((frame) => `data: ${rpc(frame)}\n\n`).join(''))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${server.address().port}`

async function withAgent(use) {
  const agent = a2aAgent(url)
  try {
    return await use(agent)
  } finally {
    await agent.close()
  }
}

/** What grows, its sizes, and what is done for one size. */
const rows = {
  'events of a stream': [
    [2_000, 8_000, 32_000],
    (n) => withAgent((agent) => agent.stream(`chunks ${n}`).reply()),
  ],
  'chunks that answer send()': [
    [2_000, 8_000, 32_000],
    (n) => withAgent((agent) => agent.send(`chunks ${n}`)),
  ],
  'characters of a reply': [
    [250_000, 1_000_000, 4_000_000],
    (n) => withAgent((agent) => agent.send(`text ${n}`)),
  ],
  'bytes of a file that is sent': [
    [2 ** 20, 2 ** 22, 2 ** 24],
    (n) =>
      withAgent((agent) => agent.send(['Look', { kind: 'file', bytes: Buffer.alloc(n).toString('base64') }])),
  ],
  'skills of a card': [[250, 1_000, 4_000], async (n) => checkAgentCard(card(url, n))],
  'turns with one handle': [
    [100, 400, 1_600],
    (n) =>
      withAgent(async (agent) => {
        for (let turn = 0; turn < n; turn++) await agent.send('text 10')
      }),
  ],
}

for (const [what, [sizes, act]] of Object.entries(rows)) {
  await act(sizes[0])
  const taken = []
  for (const size of sizes) {
    const begun = process.cpuUsage()
    await act(size)
    taken.push(cpuSince(begun) / 1e3)
  }
  const factor = taken.at(-1) / taken.at(-2)
  report(
    `(13) growth: ${what}`,
    `${sizes.map((size, at) => `${size.toLocaleString('en')}: ${taken[at].toFixed(0)} ms`).join(', ')} of CPU, agent included`,
    `linear (4x as many take <= ${mostFactor}x)`,
    factor <= mostFactor,
    `the last step took ${factor.toFixed(1)}x`,
  )
}

const exchanges = await withAgent(async (agent) => {
  const used = []
  for (let sent = 1; sent <= 2_000; sent++) {
    await agent.send('text 60000')
    if (sent % 1_000 !== 0) continue
    collect()
    used.push(process.memoryUsage().heapUsed / 2 ** 20)
  }
  return { used, kept: agent.exchanges.length }
})
server.close()
const [early, late] = exchanges.used
report(
  '(13) growth: exchanges kept',
  `${exchanges.kept} of 2,001 are kept; the heap rose by ${(late - early).toFixed(1)} MiB from the 1,000th answer of 60 kB to the 2,000th`,
  '<= 8 MiB more',
  late - early <= 8,
  'the log of a handle holds on to more than 16 MiB of bodies',
)
