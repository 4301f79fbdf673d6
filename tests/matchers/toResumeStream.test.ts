import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import { createAgent } from '../../src/agent/handle.ts'
import { systemDeps } from '../../src/core/deps.ts'
import {
  faults,
  startAgentFrom,
  startSlowAgent,
  startTestRunner,
  type Fault,
  type Json,
} from '../../src/testing/index.ts'
import { methodOf, onSubscription, startResumable } from '../support/resuming.ts'
import { failureOf, misuse } from './support.ts'

test.each(['1.0', '0.3'] as const)('passes for an agent of %s', async (dialect) => {
  await using agent = await startResumable({ dialect })

  await expect(agent.url).toResumeStream('Hello')

  const [stream, subscribe, get] =
    dialect === '1.0'
      ? ['SendStreamingMessage', 'SubscribeToTask', 'GetTask']
      : ['message/stream', 'tasks/resubscribe', 'tasks/get']
  expect(agent.requests.map(methodOf).filter(Boolean)).toEqual([stream, subscribe, get])
})

test('passes over HTTP+JSON', async () => {
  await using agent = await startResumable()
  await using rest = createAgent(agent.url, { binding: 'HTTP+JSON' }, systemDeps())

  await expect(rest).toResumeStream('Hello')
})

test('interrupts later with `after`', async () => {
  await using agent = await startResumable()
  agent.release(2)

  await expect(agent.url).toResumeStream('Hello', { after: 3 })
})

test('fails if the subscription is refused while the task continues', async () => {
  const refuses = faults.method('SubscribeToTask', {
    json: { jsonrpc: '2.0', error: { code: -32004, message: 'not now' } },
  })
  await using agent = await startSlowAgent({ fault: refuses })

  expect(await failureOf(() => expect(agent.url).toResumeStream('Hello'))).toMatch(
    /Received: task <id> is submitted, but: SubscribeToTask was answered with error -32004 \(UnsupportedOperation\): "not now".* {3}stream\/resume-refused/,
  )
  await expect(agent.url).not.toResumeStream('Hello')
})

test.each<[string, Fault, RegExp]>([
  [
    'a subscription without the task',
    onSubscription(faults.dropEvents((_, at) => at === 0)),
    /the subscription starts with a status update \(working\), not with the current task {3}stream\/resume-first-event/,
  ],
  [
    'a subscription that loses a chunk',
    onSubscription(
      faults.dropEvents(
        (result) => 'artifactUpdate' in result && (result['artifactUpdate'] as Json)['append'] === true,
      ),
    ),
    /artifact answer has 15 characters in GetTask, but 10 in what was streamed before and after the interruption {3}stream\/lost/,
  ],
  [
    'a subscription that ends early',
    onSubscription(faults.endStream(2)),
    /the stream ended while task <id> was working .* GetTask now returns \w+ with \d+ characters; the stream delivered \d+ {3}stream\/ended-early/,
  ],
])('fails for %s', async (_, fault, expected) => {
  await using agent = await startResumable({ fault })

  const failure = await failureOf(() => expect(agent.url).toResumeStream('Hello'))
  expect(failure).toMatch(/^\[failed\] expect\(agent\)\.toResumeStream\("Hello"\)/)
  expect(failure).toMatch(expected)
  expect(failure).toContain('Expected: a stream that can be interrupted and resumed without losing events')
})

test('fails if the interruption cancels the task', async () => {
  const canceled: Fault = faults.method('GetTask', {
    json: { jsonrpc: '2.0', result: { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_CANCELED' } } },
  })
  const refuses = faults.method('SubscribeToTask', {
    json: { jsonrpc: '2.0', error: { code: -32004, message: 'it is over' } },
  })
  await using agent = await startResumable({ fault: [refuses, canceled] })

  expect(await failureOf(() => expect(agent.url).toResumeStream('Hello'))).toMatch(
    /task t1 was submitted when its stream was interrupted, and was then canceled {3}stream\/cut-cancels/,
  )
})

test('.not fails and says what was found', async () => {
  await using agent = await startResumable()

  const failure = await failureOf(() => expect(agent.url).not.toResumeStream('Hello'))
  expect(failure).toMatch(/^\[failed\] /)
  expect(failure).toMatch(
    /Received: task <id>, interrupted while submitted and resumed, ended in state completed after \d+ more events; GetTask returns the same\n/,
  )
})

test('an agent that is done at once, or answers with a Message, cannot be judged', async () => {
  await using quick = await startAgentFrom({ respond: () => [{ state: 'completed', text: 'Done.' }] })
  await using echo = await startAgentFrom()
  await using runner = await startTestRunner()

  for (const assertion of [expect(quick.url), expect(quick.url).not]) {
    expect(await failureOf(() => assertion.toResumeStream('Hi'))).toMatch(
      /^\[error\] [\s\S]*Received: task <id> had already finished when the subscription was opened\n/,
    )
  }
  expect(await failureOf(() => expect(echo.url).toResumeStream('Hi'))).toMatch(
    /^\[error\] [\s\S]*Received: a Message with the text "You said: Hi", so there is no task whose stream could be interrupted\n/,
  )
  expect(
    await failureOf(() => expect(runner.url).not.toResumeStream('Run the tests at a41d7c3', { after: 100 })),
  ).toMatch(/^\[error\] [\s\S]*had already finished after \d+ events/)
})

test('an agent that does not declare streaming cannot be judged', async () => {
  await using agent = await startAgentFrom({ card: { capabilities: {} } })

  expect(await failureOf(() => expect(agent.url).not.toResumeStream('Hi'))).toMatch(
    /^\[error\] [\s\S]*capabilities\.streaming is not declared in the agent card, so SendStreamingMessage was not called/,
  )
})

test.each([
  [
    [],
    'toResumeStream(): `message` must be a non-empty string or an array of strings and parts; received undefined.',
  ],
  [
    ['Hi', { after: 0 }],
    'toResumeStream(): `after` must be "first-event" or a whole number of at least 1; received 0.',
  ],
  [['Hi', { afters: 2 }], 'toResumeStream(): there is no option `afters`. Did you mean `after`?'],
])('misuse: %j', async (args, message) => {
  const failure = await failureOf(() => misuse(expect('http://127.0.0.1:9').not, 'toResumeStream')(...args))
  expect(failure).toMatch(/^\[error\] /)
  expect(failure).toContain(message)
})
