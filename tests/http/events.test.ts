import { expect, test } from 'vitest'
import { eventsOf } from '../../src/http/events.ts'
import { post, serve, transportFor } from './support.ts'

test('events that have arrived are ready without waiting, in order and once', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end('data: 1\n\ndata: 2\n\ndata: 3\n\n')
  })
  const transport = transportFor({ typedUrl: server.url })
  const response = await transport.open(post(`${server.url}/rpc`, '{}'))
  const result = eventsOf(transport, response, [], (json) => json)
  const iterator = result.events[Symbol.asyncIterator]()

  expect(result.ready()).toBeUndefined()
  expect(await iterator.next()).toEqual({ done: false, value: 1 })
  expect(result.ready()).toMatchObject({ value: 2 })
  expect(await iterator.next()).toEqual({ done: false, value: 3 })
  expect(result.ready()).toBeUndefined()
  expect(await iterator.next()).toEqual({ done: true, value: undefined })
})
