import { describe, expect, test } from 'vitest'
import { ExchangeLog } from '../../src/http/exchanges.ts'
import type { HttpRequest } from '../../src/http/types.ts'
import { json, post, serve, transportFor } from './support.ts'

const request = (body: string): HttpRequest => post('http://127.0.0.1/rpc', body)

describe('the exchange log', () => {
  test('forgets the oldest exchanges beyond 16 MiB', () => {
    const log = new ExchangeLog()
    const made = Array.from({ length: 400 }, (_, at) => {
      const exchange = log.start(request(`${at} ${'x'.repeat(60_000)}`), at)
      exchange.responseBody = 'y'.repeat(40_000)
      log.end(exchange)
      return exchange
    })
    const kept = log.all.reduce((sum, one) => sum + (one.requestBody?.length ?? 0) + 40_000, 0)
    expect(kept).toBeLessThan(16 * 2 ** 20)
    expect(log.all.length).toBeGreaterThan(100)
    expect(log.all).toEqual(made.slice(-log.all.length))
    expect(made[0]).toMatchObject({ requestBody: undefined, responseBody: undefined })
  })

  test('is bounded for small exchanges, too', () => {
    const log = new ExchangeLog()
    for (let at = 0; at < 20_000; at++) log.end(log.start(request(''), at))
    expect(log.all.length).toBeLessThan(10_000)
    expect(log.all.at(-1)?.startedAt).toBe(19_999)
  })

  test('is not confused by an answer that ends after its exchange was forgotten', () => {
    const log = new ExchangeLog()
    const slow = log.start(request('slow'), 0)
    for (let at = 0; at < 10_000; at++) log.end(log.start(request(''), at))
    slow.responseBody = 'z'.repeat(2 ** 24)
    log.end(slow)
    log.end(log.start(request('last'), 1))
    expect(log.all.length).toBeGreaterThan(5_000)
  })

  test('keeps no bodies once its handle is closed', async () => {
    const server = await serve((_, response) => json(response, { city: 'Oslo' }))
    const transport = transportFor({ typedUrl: server.url })
    const response = await transport.open(post(`${server.url}/rpc`, '{"a":1}'))
    await response.text()
    await transport.close()

    expect(transport.exchanges).toHaveLength(1)
    expect(transport.exchanges[0]).toMatchObject({ purpose: 'SendMessage', status: 200 })
    expect(transport.exchanges[0]).not.toHaveProperty('requestBody')
    expect(transport.exchanges[0]).not.toHaveProperty('responseBody')
    // A reply that a test still holds can be printed in full.
    expect(response.exchange).toMatchObject({ requestBody: '{"a":1}', responseBody: '{"city":"Oslo"}' })
  })
})
