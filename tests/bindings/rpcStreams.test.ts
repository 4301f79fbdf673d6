import { describe, expect, test } from 'vitest'
import { agent, answering, collect, event, id, message, sse, stream } from './rpcAgent.ts'
import { failure } from '../http/support.ts'

describe('streams', () => {
  test('each event is the result of its envelope', async () => {
    const { call, server } = await agent(
      sse(
        event({ jsonrpc: '2.0', id, result: 1 }),
        ': ping\n\n',
        event({ jsonrpc: '2.0', id, result: { a: 2 } }),
      ),
    )
    const result = await call(stream)
    expect(await collect(result)).toEqual([1, { a: 2 }])
    expect(result.findings).toEqual([])
    expect(server.seen[0]?.headers.accept).toBe('text/event-stream')
    expect(result.exchange.responseBody).toContain(': ping')
  })

  test('a plain call that is answered by a stream gives events too', async () => {
    const { call } = await agent(sse(event({ jsonrpc: '2.0', id, result: message })))
    expect(await collect(await call())).toEqual([message])
  })

  test('an error as the only event', async () => {
    const { call } = await agent(
      sse(
        `event: error\n${event({ jsonrpc: '2.0', id, error: { code: -32004, message: 'streaming is off' } })}`,
      ),
    )
    const error = await failure(collect(await call(stream)))
    expect(error).toMatchObject({ code: 'RPC_ERROR', rpcCode: -32004 })
    expect(error.message).toContain('-32004 (UnsupportedOperation): "streaming is off"')
  })

  test('an error as plain JSON with HTTP 200', async () => {
    const { call } = await answering({
      jsonrpc: '2.0',
      id,
      error: { code: -32004, message: 'streaming is off' },
    })
    const error = await failure(call(stream))
    expect(error.message).toContain('-32004 (UnsupportedOperation): "streaming is off"')
    expect(error.message).toContain('answered with application/json, not text/event-stream')
  })

  test('one plain result is one event, with a warning', async () => {
    const { call } = await answering({ jsonrpc: '2.0', id, result: message })
    const result = await call(stream)
    expect(result).toMatchObject({ kind: 'result', result: message })
    expect(result.findings).toMatchObject([{ id: 'wire/stream-as-json', level: 'warning' }])
    expect(result.findings[0]?.message).toContain('answered with application/json, not text/event-stream')
  })

  test('zero events are never a success', async () => {
    const { call } = await agent(sse())
    expect((await failure(collect(await call(stream)))).message).toContain(
      'the stream ended without any event',
    )
  })

  test('a last event without its blank line is used with a warning; cut short it is a failure', async () => {
    const whole = await (await agent(sse(event({ jsonrpc: '2.0', id, result: 1 }).trimEnd()))).call(stream)
    expect(await collect(whole)).toEqual([1])
    expect(whole.findings).toMatchObject([
      {
        id: 'wire/sse-unterminated',
        level: 'warning',
        message: 'the last SSE event was not terminated by a blank line',
      },
    ])
    const cut = await (
      await agent(sse(event({ jsonrpc: '2.0', id, result: 1 }), 'data: {"jsonrpc":"2.0","res'))
    ).call(stream)
    const error = await failure(collect(cut))
    expect(error['code']).toBe('BAD_REPLY')
    expect(error.message).toContain('stream cut inside an event: …"{\\"jsonrpc\\":\\"2.0\\",\\"res"')
  })

  test('an event that is not JSON, or not a response', async () => {
    const bad = await (await agent(sse('data: hello\n\n'))).call(stream)
    expect((await failure(collect(bad))).message).toMatch(
      /^event 1 of the stream of POST \S+ is not JSON: "hello"$/,
    )
    const bare = await (await agent(sse(event(message)))).call(stream)
    expect((await failure(collect(bare))).message).toContain('JSON that is not a JSON-RPC response')
  })

  test('a stray id is one warning for the whole stream', async () => {
    const result = await (
      await agent(sse(event({ jsonrpc: '2.0', id: 'x', result: 1 }).repeat(3)))
    ).call(stream)
    expect(await collect(result)).toEqual([1, 1, 1])
    expect(result.findings.map((each) => each.id)).toEqual(['wire/rpc-id'])
  })

  test('hanging up ends the events without an error, and the connection', async () => {
    let closed = (): void => {}
    const gone = new Promise<void>((resolve) => (closed = resolve))
    const { call, transport } = await agent((_, response) => {
      response.on('close', closed)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event({ jsonrpc: '2.0', id, result: 1 }))
    })
    const result = await call(stream)
    if (result.kind !== 'events') throw new Error('expected events')
    const seen: unknown[] = []
    for await (const each of result.events) {
      seen.push(each)
      result.abort()
    }
    expect(seen).toEqual([1])
    await gone
    expect(transport.exchanges[0]?.error).toBeUndefined()
  })

  test('the signal of the call ends a stream with its reason', async () => {
    const { call } = await agent((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event({ jsonrpc: '2.0', id, result: 1 }))
    })
    const controller = new AbortController()
    const result = await call({ ...stream, signal: controller.signal })
    const reading = failure(collect(result))
    const reason = Object.assign(new Error('out of time'), { name: 'A2AConnectionError', code: 'DEADLINE' })
    controller.abort(reason)
    expect(await reading).toBe(reason)
  })

  test('a connection that breaks within a stream', async () => {
    const { call } = await agent((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event({ jsonrpc: '2.0', id, result: 1 }), () => response.destroy())
    })
    const error = await failure(collect(await call(stream)))
    expect(error).toMatchObject({ name: 'A2AConnectionError', code: 'UNREACHABLE' })
    expect(error.message).toMatch(/^the connection broke within the answer to POST \S+, after \d+ bytes/)
  })
})
