// Reads one long stream, keeping nothing, and prints how far the memory of this process went up: in MiB, and of how many MiB read.
import { pathToFileURL } from 'node:url'

const [entry, url, events, size] = process.argv.slice(2)
const { a2aAgent } = await import(pathToFileURL(entry).href)
const most = Number.MAX_SAFE_INTEGER
const agent = a2aAgent(url, { limits: { maxStreamBytes: most, maxEvents: most, idleTimeoutMs: 60_000 } })

async function read(count) {
  let peak = 0
  let seen = 0
  const stream = agent.stream(`${count} events of ${size}`, { keep: false, waitMs: 600_000 })
  for await (const _ of stream) {
    if (++seen % 16 === 0) peak = Math.max(peak, process.memoryUsage.rss())
  }
  return { peak, seen, ended: stream.ended, ms: stream.timings.endedAt - stream.timings.requestedAt }
}

// Warming up does not depend on the length of the stream.
const before = (await read(64)).peak
const { peak, seen, ended, ms } = await read(Number(events))
await agent.close()
process.send({ rose: (peak - before) / 2 ** 20, peak: peak / 2 ** 20, seen, ended, ms })
process.disconnect()
