import { expect, test } from 'vitest'
import { faults, startAgentFrom, startTestRunner, type Fault } from '../../src/testing/index.ts'
import { openStream, rpc, type RawStream } from './wire.ts'

const v1 = { 'a2a-version': '1.0' }
const say = {
  message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'Run the tests at a41d7c3' }] },
}
const whole = ['task', 'WORKING', 'artifact', 'artifact', 'artifact', 'artifact', 'artifact', 'COMPLETED']

/** One word an event: its state, or its kind. */
function words(events: Record<string, never>[]): string[] {
  return events.map((event) => {
    const { task, statusUpdate } = (event['result'] ?? event) as Record<
      string,
      { status: { state: string } } | undefined
    >
    if (task) return 'task'
    return statusUpdate?.status.state.replace('TASK_STATE_', '') ?? 'artifact'
  })
}

/** The stream of one run, with a fault laid over the agent, over JSON-RPC and over HTTP+JSON. */
async function both(fault: Fault, judge: (stream: RawStream) => Promise<void>): Promise<void> {
  await using agent = await startTestRunner({ fault })
  await judge(await openStream(`${agent.url}/a2a/jsonrpc`, rpc('SendStreamingMessage', say), v1))
  await judge(await openStream(`${agent.url}/a2a/rest/message:stream`, say, v1))
}

test.each<[string, () => Fault, string[]]>([
  ['no fault', () => ({}), whole],
  [
    'dropEvents()',
    () => faults.dropEvents((result, at) => at === 0 || 'artifactUpdate' in result),
    ['WORKING', 'COMPLETED'],
  ],
  ['swapEvents()', () => faults.swapEvents(0), ['WORKING', 'task', ...whole.slice(2)]],
  ['swapEvents() of the last', () => faults.swapEvents(7), whole],
  ['endStream()', () => faults.endStream(2), ['task', 'WORKING']],
  ['endStream() before anything', () => faults.endStream(0), []],
  [
    'addEvents()',
    () => faults.addEvents((results) => [results[1], results[2]]),
    [...whole, 'WORKING', 'artifact'],
  ],
  [
    'stream()',
    () =>
      faults.stream(async function* (events) {
        for await (const event of events) yield* [event, event]
      }),
    whole.flatMap((word) => [word, word]),
  ],
])('%s', async (_, fault, expected) => {
  await both(fault(), async (stream) => expect(words(await stream.rest())).toEqual(expected))
})

test('addEvents() puts its results into envelopes where the stream has them', async () => {
  await using agent = await startTestRunner({ fault: faults.addEvents(() => [{ odd: true }]) })
  const stream = await openStream(`${agent.url}/a2a/jsonrpc`, rpc('SendStreamingMessage', say, 's'), v1)
  expect((await stream.rest()).at(-1)).toEqual({ jsonrpc: '2.0', id: 's', result: { odd: true } })
})

test('cutStream() breaks the connection after the given number of events', async () => {
  await both(faults.cutStream(3), async (stream) => {
    expect(words([await stream.next(), await stream.next(), await stream.next()])).toEqual(whole.slice(0, 3))
    await expect(stream.next()).rejects.toThrow('terminated')
  })
})

test('neverEndStream() sends everything and stays open', async () => {
  await both(faults.neverEndStream(), async (stream) => {
    for (const word of whole) expect(words([await stream.next()])).toEqual([word])
    const more = stream.next().catch((error: Error) => error.name)
    stream.abort()
    expect(await more).toBe('AbortError')
  })
})

test('holdEvents() sends an event when its place is released', async () => {
  const releases: (() => void)[] = []
  const gates = Array.from({ length: 3 }, () => new Promise<void>((resolve) => releases.push(resolve)))
  await using agent = await startAgentFrom({
    respond: () => [{ state: 'working' }, { state: 'completed' }],
    fault: faults.holdEvents((at) => gates[at] ?? Promise.resolve()),
  })
  const stream = await openStream(`${agent.url}/a2a/jsonrpc`, rpc('SendStreamingMessage', say), v1)
  for (const [at, word] of ['task', 'WORKING', 'COMPLETED'].entries()) {
    let come = false
    const event = stream.next().then((one) => {
      come = true
      return one
    })
    await new Promise(setImmediate)
    expect(come).toBe(false)
    releases[at]?.()
    expect(words([await event])).toEqual([word])
  }
  expect(await stream.next()).toBeUndefined()
})

test('a stream is sent no faster than it is read', async () => {
  let made = 0
  const fault = faults.stream(async function* () {
    for (; made < 500; made++) yield { filler: 'x'.repeat(100_000) }
  })
  await using agent = await startTestRunner({ fault })
  const stream = await openStream(`${agent.url}/a2a/jsonrpc`, rpc('SendStreamingMessage', say), v1)
  await stream.next()
  expect(made).toBeLessThan(400)
  expect(await stream.rest()).toHaveLength(499)
})
