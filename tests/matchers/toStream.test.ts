import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import { createAgent } from '../../src/agent/handle.ts'
import { systemDeps } from '../../src/core/deps.ts'
import {
  faults,
  startAgentFrom,
  startHelpdesk,
  startTestRunner,
  type Fault,
  type Json,
  type Step,
} from '../../src/testing/index.ts'
import { failureOf, misuse } from './support.ts'

const steps: Step[] = [
  { state: 'working', text: 'Looking it up' },
  { artifact: { artifactId: 'a1', parts: [{ text: 'Os' }] }, more: true },
  { artifact: { artifactId: 'a1', parts: [{ text: 'lo' }] }, append: true },
  { state: 'completed' },
]

/** An agent of 1.0 that streams a task, with a fault laid over it. */
const helpdesk = (fault: Fault[] = []) => startAgentFrom({ respond: () => [...steps], fault })
const stateOf = (result: Json): string =>
  ((result['statusUpdate'] ?? result['task']) as { status?: { state?: string } } | undefined)?.status
    ?.state ?? ''

test.each(['1.0', '0.3'] as const)('passes for a task and for a Message of %s', async (dialect) => {
  await using worker = await startAgentFrom({ dialect, respond: () => [...steps] })
  await using echo = await startAgentFrom({ dialect })

  await expect(worker.url).toStream('capital?')
  await expect(worker.url).toStream('capital?', { expected: 'Oslo', sameAsSend: true, firstEventMs: 5000 })
  await expect(echo.url).toStream('Hello', { expected: /You said/ })
})

test('passes for the demo agents, over both bindings', async () => {
  await using runner = await startTestRunner()
  await using helpdesk = await startHelpdesk()
  const rest = createAgent(runner.url, { binding: 'HTTP+JSON' }, systemDeps())

  await expect(runner.url).toStream('Run the tests at a41d7c3')
  await expect(rest).toStream('Run the tests at a41d7c3')
  await expect(helpdesk.url).toStream('My order has not arrived')
  await rest.close()
})

test('sends one message, and with sameAsSend two', async () => {
  await using agent = await helpdesk()

  await expect(agent.url).toStream('capital?')
  await expect(agent.url).toStream('capital?', { sameAsSend: true })

  const methods = agent.requests.flatMap(({ body }) => /"method":"(\w+)"/.exec(body)?.[1] ?? [])
  expect(methods).toEqual(['SendStreamingMessage', 'SendStreamingMessage', 'SendMessage'])
})

test('fails if the stream is closed while the task continues, and says what was lost', async () => {
  await using agent = await helpdesk([faults.endStream(3)])

  const failure = await failureOf(() => expect(agent.url).toStream('capital?'))
  // The state of the task at the time of the poll depends on timing.
  const shown = failure
    .slice(0, failure.indexOf('Exchanges'))
    .replace(/returns \w+ with \d/, 'returns completed with 4')
  expect(shown).toBe(
    `[failed] expect(agent).toStream("capital?")

Agent:    Echo Desk (http://127.0.0.1:<port>)
Expected: a valid event stream with a reply with some text, data or file
Received: the stream ended while task <id> was working (no completed, failed, canceled, rejected or input-required state), after 3 events, the last an update of artifact a1; GetTask now returns completed with 4 characters; the stream delivered 2   stream/ended-early
Fix:      Send the final state of the task before closing the stream; check the timeouts of proxies in front of the agent.

Events
  <n> ms  a Task (submitted)
  <n> ms  a status update (working)
  <n> ms  an update of artifact a1

`,
  )
})

/** Changes the text of the event at one place. */
const changed = (place: number, change: (text: string) => string): Fault =>
  faults.stream(async function* (events) {
    let at = 0
    for await (const event of events)
      yield at++ === place ? (JSON.parse(change(JSON.stringify(event))) as unknown) : event
  })

test.each<[string, Fault, RegExp]>([
  [
    'a status first',
    faults.dropEvents((_, at) => at === 0),
    /Received: the stream starts with a status update \(working\), not with a Task or a Message {3}stream\/first-event/,
  ],
  [
    'something after the end',
    faults.addEvents((all) => [all[1]]),
    /Received: a status update \(working\) was sent after state completed, which ends the stream {3}stream\/after-end/,
  ],
  [
    'another task',
    changed(1, (text) => text.replace(/"taskId":"[^"]+"/, '"taskId":"t9"')),
    /Received: event 2 belongs to task "t9", not to task "<id>" {3}stream\/ids/,
  ],
])('fails for %s', async (_, fault, expected) => {
  await using agent = await helpdesk([fault])

  const failure = await failureOf(() => expect(agent.url).toStream('capital?'))
  expect(failure).toMatch(/^\[failed\] /)
  expect(failure).toMatch(expected)
})

test('counts what is broken when it is more than one rule', async () => {
  await using agent = await helpdesk([
    faults.dropEvents((_, at) => at === 0),
    faults.addEvents((all) => [all[0]]),
  ])

  const failure = await failureOf(() => expect(agent.url).toStream('capital?'))
  expect(failure).toContain('Received: a stream of 5 events that breaks <n> rules\n\n  ✗ ')
  expect(failure).toContain('stream/first-event  A2A 1.0 §3.1.2')
  expect(failure).toContain('stream/after-end  A2A 0.3 §7.2.2, A2A 1.0 §3.1.2')
})

test('fails if the connection breaks or the stream reports an error', async () => {
  await using cut = await helpdesk([faults.cutStream(2)])
  await using error = await helpdesk([
    changed(2, () =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'quota used up' } }),
    ),
  ])

  expect(await failureOf(() => expect(cut.url).toStream('capital?'))).toMatch(
    /Received: the connection broke after 2 events, the last a status update \(working\): .* {3}wire\/stream-cut/,
  )
  expect(await failureOf(() => expect(error.url).toStream('capital?'))).toMatch(
    /Received: .*error -32603 \(InternalError\): "quota used up".*; after 2 events, the last a status update \(working\) {3}rpc\/error/,
  )
})

test('fails where a task fails', async () => {
  await using agent = await startAgentFrom({ respond: () => [{ state: 'failed', text: 'Out of quota' }] })

  expect(await failureOf(() => expect(agent.url).toStream('capital?'))).toMatch(
    /Received: task <id> ended in state failed: Out of quota {3}reply\/task-failed/,
  )
})

test('fails if the text differs or is missing', async () => {
  await using agent = await helpdesk()
  await using mute = await helpdesk([
    faults.dropEvents((result) => 'artifactUpdate' in result || stateOf(result).endsWith('WORKING')),
  ])

  expect(await failureOf(() => expect(agent.url).toStream('capital?', { expected: 'Bergen' }))).toContain(
    'completed with the text "Oslo"; the text does not contain "Bergen"   reply/differs',
  )
  expect(await failureOf(() => expect(mute.url).toStream('capital?'))).toMatch(
    /completed without any text {3}reply\/empty/,
  )
  expect(await failureOf(() => expect(mute.url).toStream('capital?', { sameAsSend: true }))).toContain(
    'Received: the stream completed without text, but SendMessage answered the same message with text   stream/differs-from-send',
  )
})

test('.not fails and says what was found', async () => {
  await using agent = await helpdesk()

  const failure = await failureOf(() => expect(agent.url).not.toStream('capital?'))
  expect(failure).toMatch(/^\[failed\] expect\(agent\)\.not\.toStream\("capital\?"\)/)
  expect(failure).toContain('Expected: not a valid event stream with a reply with some text, data or file')
  expect(failure).toMatch(/Received: a stream of 5 events: task <id> completed with the text "Oslo"\n/)
})

test('an agent that does not declare streaming cannot be judged, unless forced', async () => {
  const card = { capabilities: {} }
  await using honest = await startAgentFrom({ card })
  await using eager = await startAgentFrom({
    respond: () => [...steps],
    fault: faults.card('capabilities', {}),
  })

  for (const url of [honest.url, eager.url]) {
    for (const assertion of [expect(url), expect(url).not]) {
      const failure = await failureOf(() => assertion.toStream('Hi'))
      expect(failure).toMatch(/^\[error\] /)
      expect(failure).toContain(
        'capabilities.streaming is not declared in the agent card, so SendStreamingMessage was not called',
      )
    }
  }
  await expect(honest.url).not.toStream('Hi', { force: true })
  const failure = await failureOf(() => expect(honest.url).toStream('Hi', { force: true }))
  expect(failure).toMatch(/^\[failed\] /)
  expect(failure).toContain('-32004')
  expect(failure).toContain('the card does not declare streaming, so the refusal is correct   stream/refused')
})

test.each([
  [[''], 'toStream(): `message` must be a non-empty string or an array of strings and parts; received "".'],
  [['Hi', { incremental: 'yes' }], 'toStream(): `incremental` must be true or false; received "yes".'],
  [
    ['Hi', { firstEventMs: 0 }],
    'toStream(): `firstEventMs` must be a positive number of milliseconds; received 0.',
  ],
  [['Hi', { increment: true }], 'toStream(): there is no option `increment`. Did you mean `incremental`?'],
  [['Hi', { expected: '' }], 'every text contains "", so toStream() would compare nothing.'],
])('misuse: %j', async (args, message) => {
  const failure = await failureOf(() => misuse(expect('http://127.0.0.1:9').not, 'toStream')(...args))
  expect(failure).toMatch(/^\[error\] /)
  expect(failure).toContain(message)
})
