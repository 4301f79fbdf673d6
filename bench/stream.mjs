// What a stream costs: raw undici, this package and the official SDK read the same events in turns; memory over 1 GiB; and how soon
// the end of a slow task is seen.
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as sdk03 from 'a2a-sdk-0.3/client'
import * as sdk10 from 'a2a-sdk-1/client'
import { Agent, request } from 'undici'
import { installedVersion } from '../scripts/consumer.mjs'
import { median, middleHalf, ratios, report } from './figures.mjs'

const entry = process.argv[2]
const { a2aAgent } = await import(pathToFileURL(entry).href)

const events = 2_000
const said = (count) => `${count} events of 24`
const warmUpMs = 2_500
const measureMs = 6_000
const aimRaw = 1.5
const aimSdk = 0.75
const aimFirst = 1.6
const aimSeenMs = 20
const slowMs = 700
const slowTasks = 5
const memoryEvents = 1_024
const memorySize = 2 ** 20
const aimMemoryMb = 128

const sdks = {
  0.3: {
    name: `SDK ${installedVersion('a2a-sdk-0.3')}`,
    connect: (url) => new sdk03.ClientFactory().createFromUrl(url),
    params: (text) => ({
      message: { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text }] },
    }),
  },
  '1.0': {
    name: `SDK ${installedVersion('a2a-sdk-1')}`,
    connect: (url) => new sdk10.ClientFactory().createFromUrl(url),
    params: (text) => ({
      tenant: '',
      message: {
        messageId: randomUUID(),
        contextId: '',
        taskId: '',
        role: 1,
        parts: [{ content: { $case: 'text', value: text } }],
        extensions: [],
        referenceTaskIds: [],
      },
    }),
  },
}

/** The events of one response, as little as can be done: cut at blank lines, and `JSON.parse`. */
async function* rawEvents(body) {
  body.setEncoding('utf8')
  let rest = ''
  for await (const piece of body) {
    const frames = (rest + piece).split('\n\n')
    rest = frames.pop()
    for (const frame of frames) yield JSON.parse(frame.slice(6))
  }
}

/** The three ways to read a stream, each given the number of events: they give the number that came, and when the first did. */
async function ways(version, url) {
  const agent = a2aAgent(url)
  await agent.stream(said(1)).reply()
  const { url: endpoint, requestHeaders: headers, requestBody } = agent.exchanges.at(-1)
  const dispatcher = new Agent()
  const { connect, params } = sdks[version]
  const client = await connect(url)
  const count = async (open) => {
    const begun = performance.now()
    let first
    let seen = 0
    for await (const _ of await open()) {
      first ??= performance.now() - begun
      seen++
    }
    return { seen, first, all: performance.now() - begun }
  }
  const raw = (text) =>
    count(async () => {
      const body = requestBody.replace(said(1), text)
      const response = await request(endpoint, { dispatcher, method: 'POST', headers, body })
      return rawEvents(response.body)
    })
  return {
    raw,
    ours: (text) => count(() => agent.stream(text)),
    sdk: (text) => count(() => client.sendMessageStream(params(text))),
    close: () => Promise.all([agent.close(), dispatcher.close()]),
  }
}

async function measure(ways, text, expected, forMs) {
  const names = Object.keys(ways)
  const taken = Object.fromEntries(names.map((name) => [name, { all: [], first: [] }]))
  const begun = performance.now()
  for (let round = 0; performance.now() - begun < forMs; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]
      const { seen, first, all } = await ways[name](text)
      if (seen !== expected) throw new Error(`${name} read ${seen} events, not ${expected}`)
      taken[name].all.push(all)
      taken[name].first.push(first)
    }
  }
  return taken
}

/** How long after a slow task was done `send()` gave its reply, in ms, a task at a time. */
async function seenAfter(url, completed) {
  const agent = a2aAgent(url)
  const delays = []
  for (let task = 0; task <= slowTasks; task++) {
    const reply = await agent.send(`Work for ${slowMs + task * 37} ms`)
    const seen = performance.timeOrigin + performance.now()
    if (reply.state !== 'completed') throw new Error(`the task is ${reply.state}`)
    // The first one pays for what is loaded late.
    if (task > 0) delays.push(seen - (await completed(reply.taskId)))
  }
  await agent.close()
  return delays
}

function memory(url) {
  const file = fileURLToPath(new URL('streamMemory.mjs', import.meta.url))
  const child = fork(file, [entry, url, String(memoryEvents), String(memorySize)])
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`bench/streamMemory.mjs ended with ${code}`)))
  })
}

const desk = fork(fileURLToPath(new URL('streamAgent.mjs', import.meta.url)))
const { urls } = await new Promise((resolve) => desk.once('message', resolve))
const done = new Map()
const watchers = new Map()
desk.on('message', ({ completed, at }) => {
  done.set(completed, at)
  watchers.get(completed)?.(at)
})
const completed = (id) => done.get(id) ?? new Promise((resolve) => watchers.set(id, resolve))

const versions = Object.keys(sdks)
const ready = new Map()
for (const version of versions) ready.set(version, await ways(version, urls[version].streaming))
for (const { close: _, ...read } of ready.values()) await measure(read, said(events), events + 2, warmUpMs)
for (const version of versions) {
  const { close, ...read } = ready.get(version)
  const long = await measure(read, said(events), events + 2, measureMs)
  const short = await measure(read, said(1), 3, measureMs / 2)
  await close()
  const { name } = sdks[version]

  const toRaw = ratios(long.ours.all, long.raw.all)
  const toSdk = ratios(long.ours.all, long.sdk.all)
  const perSecond = (way) => Math.round(((events + 2) * 1_000) / median(way.all)).toLocaleString('en')
  const [ratio, ahead] = [median(toRaw), median(toSdk)]
  report(
    `(4) events of a stream, A2A ${version}`,
    `${perSecond(long.ours)} a second, ${ratio.toFixed(2)}x the time of raw undici (middle half ${middleHalf(toRaw, 2)}; ` +
      `${perSecond(long.raw)} a second), ${ahead.toFixed(2)}x that of ${name} (${perSecond(long.sdk)} a second)`,
    `<= ${aimRaw}x raw, <= ${aimSdk}x the SDK`,
    ratio <= aimRaw && ahead <= aimSdk,
    'each event passes through two async iterators (client/stream reads one at a time, though `ready()` of http/events.ts has the rest), ' +
      'is read by its shape and folded into a task; a profile shows the share of each',
  )
  const firstToRaw = ratios(short.ours.first, short.raw.first)
  const firstToSdk = median(ratios(short.ours.first, short.sdk.first))
  const firstRatio = median(firstToRaw)
  report(
    `(5) first event, A2A ${version}`,
    `${median(short.ours.first).toFixed(2)} ms, ${firstRatio.toFixed(2)}x raw undici (middle half ${middleHalf(firstToRaw, 2)}; ` +
      `${median(short.raw.first).toFixed(2)} ms), ${firstToSdk.toFixed(2)}x ${name} (${median(short.sdk.first).toFixed(2)} ms)`,
    `<= ${aimFirst}x raw, ahead of the SDK`,
    firstRatio <= aimFirst && firstToSdk <= 1,
    'the agent does nothing before its first event, so that what is added (writing the request, the policy, the log) is all there is to see',
  )
}

const { rose, peak, seen, ended, ms } = await memory(urls['1.0'].streaming)
if (seen !== memoryEvents + 2 || ended !== 'terminal') throw new Error(`read ${seen} events, then ${ended}`)
report(
  '(6) memory for a stream of 1 GiB',
  `${rose.toFixed(0)} MiB above a stream of 64 MiB, ${peak.toFixed(0)} MiB at most, ${(1024 / (ms / 1_000)).toFixed(0)} MiB a second`,
  `<= ${aimMemoryMb} MiB more`,
  rose <= aimMemoryMb,
  'the collector of V8 runs when it likes; run it again',
)

for (const version of versions) {
  const subscribed = await seenAfter(urls[version].streaming, completed)
  const polled = await seenAfter(urls[version].polling, completed)
  // After 50, 100, 200 and 400 ms the pause is 800 ms.
  const step = 800
  report(
    `(7) a slow task is seen to be done, A2A ${version}`,
    `subscribed ${median(subscribed).toFixed(1)} ms later (at most ${Math.max(...subscribed).toFixed(1)}), ` +
      `polling ${median(polled).toFixed(0)} ms later (at most ${Math.max(...polled).toFixed(0)})`,
    `<= ${aimSeenMs} ms, and one polling step of ${step} ms`,
    median(subscribed) <= aimSeenMs && Math.max(...polled) <= step + aimSeenMs,
    'other work on the machine kept the processes from being woken',
  )
}
desk.disconnect()
