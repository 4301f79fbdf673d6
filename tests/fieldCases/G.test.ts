import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { CARD10, type Fixture } from '../support/fixtureServer.ts'
import { manualClock } from '../support/manualClock.ts'
import { entry, fixture, open } from './scene.ts'

describe('G01 a stream that is closed while the task is working', () => {
  test('fails, and a poll of the task shows what was lost', async () => {
    await using helpdesk = await open(fixture('G01'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toStream('Write'))
    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(
      'Received: the stream ended while task t1 was working (no completed, failed, canceled, rejected or input-required state), ' +
        'after 2 events, the last an update of artifact a1; GetTask now returns completed with 34 characters; the stream delivered 17',
    )
    expect(helpdesk.methods()).toEqual(['SendStreamingMessage', 'GetTask'])
  })

  test('a lone message is complete', async () => {
    const scene = fixture('G01')
    entry(scene, 'SendStreamingMessage').sse = [
      'data: {"jsonrpc":"2.0","id":"$id","result":{"message":{"messageId":"m2","role":"ROLE_AGENT","parts":[{"text":"hi"}]}}}\n\n',
    ]
    await using helpdesk = await open(scene)

    await expect(helpdesk.url).toStream('Write', { expected: 'hi' })
  })
})

describe('G03 append without a first chunk; a new artifact id for every chunk', () => {
  test('is read, with one warning per artifact', async () => {
    await using helpdesk = await open(fixture('G03'))

    const failure = await helpdesk.passing(() => expect(helpdesk.url).not.toStream('Hello'))
    expect(failure).toContain('task t1 completed with the text "Hello"')
    expect(failure.split('artifact a1: first chunk has append: true')).toHaveLength(2)
  })

  test('many small artifacts look like one', async () => {
    const scene = fixture('G03')
    const answer = entry(scene, 'message/stream')
    const [, , end = ''] = answer.sse ?? []
    const token = (at: number): string =>
      `data: {"jsonrpc":"2.0","id":"$id","result":{"kind":"artifact-update","taskId":"t1","contextId":"c1","append":false,"artifact":{"artifactId":"x${at}","parts":[{"kind":"text","text":"w${at}"}]}}}\n\n`
    answer.sse = [...Array.from({ length: 30 }, (_, at) => token(at)), end]
    await using helpdesk = await open(scene)

    const failure = await helpdesk.passing(() => expect(helpdesk.url).not.toStream('Hello'))
    expect(failure).toContain('looks like one artifact streamed under changing artifactIds')
  })
})

describe('G05 streaming is declared, but the stream carries no text', () => {
  test('fails, though a plain message passes', async () => {
    await using helpdesk = await open(fixture('G05'))

    await expect(helpdesk.url).toPassSmokeCheck()
    const failure = await helpdesk.failure(() => expect(helpdesk.url).toStream('Hello'))
    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('task t1 completed without any text')
    expect(failure).toContain('! artifact a1 has no parts')
  })

  test('reports more when both are compared', async () => {
    await using helpdesk = await open(fixture('G05'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toStream('Hello', { sameAsSend: true }))
    expect(failure).toContain(
      'Received: the stream completed without text, but message/send answered the same message with text',
    )
    expect(helpdesk.methods()).toEqual(['message/stream', 'message/send'])
  })
})

describe('G06 the capability and what the agent does disagree', () => {
  test.each<[string, object]>([
    ['streaming: false', { capabilities: { streaming: false } }],
    ['capabilities {}', { capabilities: {} }],
    ['capabilities absent', { capabilities: undefined }],
    ['streaming "true" (a string)', { capabilities: { streaming: 'true' } }],
  ])('%s: cannot be judged unless forced, and then with a warning', async (_, patch) => {
    const scene: Fixture = fixture('G06')
    const card = entry(scene, 'GET /.well-known/agent-card.json')
    card.patch = patch as Record<string, unknown>
    card.times = '*'
    await using helpdesk = await open(scene)

    const failure = await helpdesk.failure(() => expect(helpdesk.url).not.toStream('Hello'))
    expect(failure).toMatch(/^\[error\] /)
    expect(failure).toContain('capabilities.streaming is not declared in the agent card')
    expect(helpdesk.methods()).toEqual([])

    const forced = await helpdesk.passing(() => expect(helpdesk.url).not.toStream('Hello', { force: true }))
    expect(forced).toContain(
      '! streaming is not declared, but SendStreamingMessage answered with a stream; expected UnsupportedOperationError (-32004)',
    )
  })

  test('a plain message makes no use of streams', async () => {
    const scene = fixture('G06')
    scene.exchange?.push({
      on: 'POST /rpc',
      rpc: 'SendMessage',
      json: {
        jsonrpc: '2.0',
        id: '$id',
        result: { message: { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } },
      },
    })
    await using helpdesk = await open(scene)

    await expect(helpdesk.url).toPassSmokeCheck()
    expect(helpdesk.methods()).toEqual(['SendMessage'])
  })

  test('a text is not a boolean', async () => {
    await expect(CARD10).toHaveValidAgentCard()
    await expect({ ...CARD10, capabilities: { streaming: 'true' } }).not.toHaveValidAgentCard()
  })
})

describe('G07 a proxy that holds the stream back', () => {
  /** Lets the response go after three seconds on a clock that stands still otherwise. */
  async function held(options: object): Promise<string> {
    await using helpdesk = await open(fixture('G07'))
    const clock = manualClock()
    const agent = helpdesk.agent({}, { clock })
    const ran = helpdesk.failure(() => expect(agent).not.toStream('Hello', options))
    await helpdesk.held()
    await clock.advance(3000)
    helpdesk.release()
    return await ran
  }

  test('passes, with a note', async () => {
    const failure = await held({})
    expect(failure).toMatch(/^\[failed\] expect\(agent\)\.not/)
    expect(failure).toContain('Received: a stream of 5 events: task t1 completed with the text "abc"')
    expect(failure).toContain(
      '· 5 events arrived within 0 ms after 3000 ms of silence: the response looks buffered, perhaps by a proxy',
    )
  })

  test('fails where the test asks for steps, or for an early sign', async () => {
    await using helpdesk = await open(fixture('G07'))
    const clock = manualClock()
    const agent = helpdesk.agent({}, { clock })
    const ran = helpdesk.failure(() =>
      expect(agent).toStream('Hello', { incremental: true, firstEventMs: 1000 }),
    )
    await helpdesk.held()
    await clock.advance(3000)
    helpdesk.release()

    const failure = await ran
    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('✗ the first event arrived after 3000 ms, not within 1000 ms')
    expect(failure).toContain('✗ 5 events arrived within 0 ms after 3000 ms of silence')
  })
})

describe('streaming calls in the cases about errors and texts', () => {
  test('reports an HTTP error', async () => {
    await using helpdesk = await open(fixture('D01'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toStream('Hello'))
    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(
      'Received: POST http://127.0.0.1:4100/rpc answered HTTP 401 (WWW-Authenticate: Bearer realm="helpdesk"): "token expired"',
    )
  })

  test('a JSON-RPC error in plain JSON is not an empty stream', async () => {
    await using helpdesk = await open(fixture('D02'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toStream('Hello'))
    expect(failure).toMatch(/^\[failed\] /)
    for (const part of [
      '-32004',
      'streaming is off',
      'answered with application/json, not text/event-stream',
      'the card declares streaming',
    ])
      expect(failure).toContain(part)
  })

  test('an answer sent three times is read once', async () => {
    await using helpdesk = await open(fixture('E01'))

    await expect(helpdesk.url).toStream('capital?', { expected: (text: string) => text === 'Oslo' })
    const reply = await helpdesk.agent().stream('capital?').reply()
    expect(reply.progress).toEqual(['Oslo'])
  })
})
