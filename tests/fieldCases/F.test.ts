import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import type { Fixture } from '../support/fixtureServer.ts'
import { entry, fixture, open } from './scene.ts'

/** The fixture's stream, its body changed. */
function changed(id: string, change: (body: string) => string): Fixture {
  const scene = fixture(id)
  const answer = entry(scene, 'message/stream')
  answer.sse = [change((answer.sse ?? []).join(''))]
  return scene
}

describe('F01 keep-alive comments, event, id and retry lines, empty data', () => {
  test('are not events', async () => {
    await using helpdesk = await open(fixture('F01'))

    await expect(helpdesk.url).toStream('Hello', { expected: 'hi' })

    const stream = helpdesk.agent().stream('Hello')
    expect((await stream.reply()).text).toBe('hi')
    expect(stream.timings.events).toHaveLength(3)
    expect(stream.findings).toEqual([])
  })

  test('an event by the name of error is an error by its JSON', async () => {
    await using helpdesk = await open(
      changed(
        'F01',
        () => 'event: error\ndata: {"jsonrpc":"2.0","id":"$id","error":{"code":-32603,"message":"boom"}}\n\n',
      ),
    )

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toStream('Hello'))
    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('error -32603 (InternalError): "boom"')
  })
})

describe('F02 CR, CRLF, a BOM, U+2028, and a last frame without its blank line', () => {
  test('are read, with a warning for the last frame', async () => {
    await using helpdesk = await open(fixture('F02'))

    const failure = await helpdesk.passing(() => expect(helpdesk.url).not.toStream('Hello'))
    expect(failure).toContain(
      'Received: a stream of 3 events: task t1 completed with the text "line one\u2028line two"',
    )
    expect(failure).toContain('! the last SSE event was not terminated by a blank line')
    await expect(helpdesk.url).toStream('Hello', { expected: 'line one\u2028line two' })
  })

  test('a truncated frame is not a frame', async () => {
    await using helpdesk = await open(changed('F02', (body) => body.trimEnd().slice(0, -20)))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toStream('Hello'))
    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toMatch(/stream cut inside an event: ….{40,}; after 2 events/)
  })

  test('bytes without a frame are reported', async () => {
    await using helpdesk = await open(changed('F02', () => 'Welcome to the stream'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toStream('Hello'))
    expect(failure).toContain('received 21 bytes of event-stream but no complete event')
  })
})

describe('F04 characters split between network chunks', () => {
  test.each<[string, (scene: Fixture) => void]>([
    ['inside these characters', () => {}],
    ['the same bytes in one-byte chunks', (scene) => (entry(scene, 'message/stream').oneByteChunks = true)],
  ])('come out whole: %s', async (_, change) => {
    const scene = fixture('F04')
    change(scene)
    await using helpdesk = await open(scene)

    await expect(helpdesk.url).toStream('Hello', { expected: (text: string) => text === 'Blåbær 🫐 ñ' })
    const stream = helpdesk.agent().stream('Hello')
    expect((await stream.reply()).text).toBe('Blåbær 🫐 ñ')
    expect(stream.timings.events).toHaveLength(2)
  })
})
