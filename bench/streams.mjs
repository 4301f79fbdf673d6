// What a stream costs, how soon its first event is there, how soon the end of a slow task is seen, and what memory a long stream takes.
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ClientFactory } from 'a2a-sdk-1/client'
import { Agent, request } from 'undici'
import { installedVersion } from '../scripts/consumer.mjs'
import { median, middleHalf, ratios, report } from './figures.mjs'

const aim = 1.5
const measureMs = 6_000
const eventsInStream = 2_000
const slowTasks = 12
const longStream = { bytes: 65_536, events: 16_384 }

const { a2aAgent } = await import(pathToFileURL(process.argv[2]).href)
const sdkName = `SDK ${installedVersion('a2a-sdk-1')}`
const now = () => performance.timeOrigin + performance.now()

const server = fork(fileURLToPath(new URL('streamAgent.mjs', import.meta.url)))
const urls = await new Promise((resolve) => server.once('message', resolve))
const agent = a2aAgent(urls.streaming)
await agent.stream('events 1').reply()
const { url: endpoint, requestHeaders: headers } = agent.exchanges.at(-1)
const dispatcher = new Agent()
const sdk = await new ClientFactory().createFromUrl(urls.streaming)

/** Each way gives the events of one stream as they come. */
const ways = {
  async *raw(said) {
    const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: said }] }
    const call = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } }
    const body = JSON.stringify(call)
    const response = await request(endpoint, { dispatcher, method: 'POST', headers, body })
    let rest = ''
    for await (const chunk of response.body.setEncoding('utf8')) {
      const frames = (rest + chunk).split('\n\n')
      rest = frames.pop()
      for (const frame of frames) yield JSON.parse(frame.slice(6)).result
    }
  },
  ours: (said) => agent.stream(said),
  sdk: (said) =>
    sdk.sendMessageStream({
      tenant: '',
      message: {
        messageId: randomUUID(),
        contextId: '',
        taskId: '',
        role: 1,
        parts: [{ content: { $case: 'text', value: said } }],
        extensions: [],
        referenceTaskIds: [],
      },
    }),
}

/** Milliseconds to the first event and to the end, by way and round. Who goes first changes from round to round. */
async function measure(events, forMs) {
  const names = Object.keys(ways)
  const taken = Object.fromEntries(names.map((name) => [name, { first: [], whole: [] }]))
  const begun = performance.now()
  for (let round = 0; performance.now() - begun < forMs; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]
      const started = performance.now()
      let count = 0
      for await (const _ of ways[name](`events ${events}`)) {
        if (count++ === 0) taken[name].first.push(performance.now() - started)
      }
      if (count !== events + 2) throw new Error(`${name} saw ${count} events`)
      taken[name].whole.push(performance.now() - started)
    }
  }
  return taken
}

function judge(label, figures, ours, raw, theirs, reason) {
  const toRaw = ratios(ours, raw)
  const ratio = median(toRaw)
  const toSdk = median(ratios(ours, theirs))
  report(
    label,
    `${figures}, ${ratio.toFixed(2)}x raw undici (middle half ${middleHalf(toRaw, 2)}, ${toRaw.length} rounds), ${toSdk.toFixed(2)}x ${sdkName}`,
    `<= ${aim}x raw, and below the SDK`,
    ratio <= aim && toSdk < 1,
    reason,
  )
}

await measure(eventsInStream, measureMs / 2)
{
  const { raw, ours, sdk: theirs } = await measure(eventsInStream, measureMs)
  const perSecond = Math.round(eventsInStream / (median(ours.whole) / 1_000))
  const perEvent = ((median(ours.whole) - median(raw.whole)) * 1_000) / eventsInStream
  judge(
    '(4) events of a stream',
    `${perSecond.toLocaleString('en')} events a second`,
    ours.whole,
    raw.whole,
    theirs.whole,
    `raw only splits and parses; ours adds ${perEvent.toFixed(1)} µs an event for framing of every kind, reading by shape, folding and limits`,
  )
}
{
  const { raw, ours, sdk: theirs } = await measure(1, measureMs / 2)
  judge(
    '(5) first event',
    `after ${median(ours.first).toFixed(2)} ms`,
    ours.first,
    raw.first,
    theirs.first,
    'such a stream is one round trip on loopback, of which everything that is checked is a large part; any agent that thinks outweighs it',
  )
}

/** How long after its end a slow task was seen to be done in ms, for tasks of several lengths at once. */
async function delays(url) {
  const one = a2aAgent(url)
  await one.card()
  const seen = await Promise.all(
    Array.from({ length: slowTasks }, async (_, at) => {
      const { task } = await one.send(`slow ${400 + at * 90}`)
      const at1 = now()
      const { metadata } = await one.getTask(task.id)
      return at1 - metadata.completedAt
    }),
  )
  await one.close()
  return seen
}
{
  const subscribed = await delays(urls.streaming)
  report(
    '(6) end of a slow task, subscribed',
    `seen after ${median(subscribed).toFixed(1)} ms (worst ${Math.max(...subscribed).toFixed(1)})`,
    '<= 20 ms',
    median(subscribed) <= 20,
    'this machine is busy',
  )
  const polled = await delays(urls.polling)
  report(
    '(6) end of a slow task, polling',
    `seen after ${median(polled).toFixed(0)} ms (worst ${Math.max(...polled).toFixed(0)})`,
    '<= 1 step (1,000 ms)',
    Math.max(...polled) <= 1_020,
    'this machine is busy',
  )
}
{
  const { bytes, events } = longStream
  const long = a2aAgent(urls.streaming, { limits: { maxStreamBytes: 2 ** 31 } })
  await long.card()
  const before = process.memoryUsage().rss
  let peak = before
  let count = 0
  const started = performance.now()
  for await (const _ of long.stream(`bytes ${bytes} x ${events}`, { keep: false })) {
    if (count++ % 200 === 0) peak = Math.max(peak, process.memoryUsage().rss)
  }
  await long.close()
  const grown = (peak - before) / 2 ** 20
  report(
    '(7) a stream of 1 GiB',
    `${grown.toFixed(0)} MiB more memory at most, ${((performance.now() - started) / 1_000).toFixed(1)} s`,
    '<= 128 MiB',
    grown <= 128,
    'the garbage collector of this Node waits longer',
  )
}
await Promise.all([agent.close(), dispatcher.close()])
server.disconnect()
