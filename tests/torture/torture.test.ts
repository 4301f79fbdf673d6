import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { createAgent } from '../../src/agent/handle.ts'
import { checkStream } from '../../src/checks/stream/checkStream.ts'
import { systemDeps } from '../../src/core/deps.ts'
import { isA2AError } from '../../src/core/errors.ts'
import { framing } from './framing.ts'
import { kinds } from './kinds.ts'
import { lives } from './lives.ts'
import { watchedClock } from '../support/watchedClock.ts'
import { rawAgent } from './rawAgent.ts'
import { megabytes } from './row.ts'

const rows = [...framing, ...kinds, ...lives]

describe('toStream', () => {
  test.each(rows.map((row) => [row.name, row] as const))('%s', async (_, row) => {
    await using server = await rawAgent(row, row)
    const clock = row.waits && watchedClock()
    const options = { ...row.options, ...clock?.options }
    const agent = createAgent(server.url, options, systemDeps({ env: {}, ...(clock && { clock }) }))
    const [outcome, received] = row.says
    const budget = { signal: new AbortController().signal }
    try {
      const checking = checkStream(agent, ['Hi', { waitMs: 600_000, ...row.check }], budget)
      checking.catch(() => {})
      if (clock) {
        await clock.silent(row.waits?.after ?? 0)
        await clock.advance(row.waits?.ms ?? 0)
      }
      const verdict = await checking
      expect([verdict.outcome, verdict.received]).toEqual([outcome, expect.stringMatching(received)])
      expect(verdict.findings.map(({ id }) => id).toSorted()).toEqual(row.findings ?? [])
    } catch (error) {
      if (!isA2AError(error)) throw error
      expect(['error', error.message]).toEqual([outcome, expect.stringMatching(received)])
    } finally {
      await agent.close()
    }
  })
})

test('stops reading a stream beyond the limit', async () => {
  await using server = await rawAgent({ body: megabytes(1024) })
  const agent = createAgent(server.url, { limits: { maxStreamBytes: 16 * 2 ** 20 } }, systemDeps({ env: {} }))

  await expect(agent.stream('Hi', { waitMs: 600_000 }).reply()).rejects.toThrow('limits.maxStreamBytes')
  expect(server.written()).toBeLessThan(64 * 2 ** 20)
  await agent.close()
})

test('reads a stream beyond the default limit if it is raised, without buffering it', async () => {
  await using server = await rawAgent({ body: megabytes(280, { append: true }) })
  const agent = createAgent(server.url, { limits: { maxStreamBytes: 2 ** 30 } }, systemDeps({ env: {} }))
  const before = held()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, held())), 250)

  const stream = agent.stream('Hi', { keep: false, waitMs: 600_000 })
  const reply = await stream.reply().finally(() => clearInterval(watch))

  expect(reply.state).toBe('completed')
  expect(stream.timings.events).toHaveLength(283)
  // What is kept of 280 MiB by default would be above.
  expect(most - before).toBeLessThan(140 * 2 ** 20)
  await agent.close()
})

/** Bytes that are in use: what only waits to be collected differs from run to run, as resident memory does. */
function held(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
