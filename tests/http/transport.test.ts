import { describe, expect, test } from 'vitest'
import { manualClock } from '../support/manualClock.ts'
import { failure, get, json, post, serve, transportFor } from './support.ts'

describe('a request', () => {
  test('is sent as asked and logged', async () => {
    const server = await serve((request, response) =>
      json(response, { got: request.body }, 200, { 'x-a': '1' }),
    )
    const transport = transportFor({ typedUrl: server.url, headers: { Authorization: 'Bearer secret' } })
    const first = await transport.open(post(`${server.url}/rpc`, '{"a":1}'))
    expect(first.status).toBe(200)
    expect(first.mediaType).toBe('application/json')
    expect(await first.text()).toBe('{"got":"{\\"a\\":1}"}')
    await (await transport.open(post(`${server.url}/rpc`, '{}'))).text()

    expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/rpc', body: '{"a":1}' })
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      'user-agent': 'expect-a2a',
    })
    expect(transport.exchanges).toHaveLength(2)
    expect(transport.exchanges[0]).toMatchObject({
      purpose: 'SendMessage',
      method: 'POST',
      url: `${server.url}/rpc`,
      requestBody: '{"a":1}',
      status: 200,
      responseBody: '{"got":"{\\"a\\":1}"}',
      withheld: [],
      redirects: [],
    })
    expect(transport.exchanges[0]?.responseHeaders?.['x-a']).toBe('1')
    expect(transport.exchanges[0]?.error).toBeUndefined()
  })

  test('handles share their connections, and closing one leaves them open', async () => {
    const server = await serve((_, response) => json(response, {}))
    for (let turn = 0; turn < 10; turn++) {
      const transport = transportFor({ typedUrl: server.url })
      await (await transport.open(get(server.url))).text()
      await transport.close()
    }
    // undici hands a connection back one turn of the event loop after its answer, so two alternate.
    expect(server.connections).toBeLessThanOrEqual(2)
  })

  test('the name and password of the typed address become a header and stay out of every message', async () => {
    const server = await serve((_, response) => json(response, {}))
    const secrets: string[] = []
    const typedUrl = server.url.replace('//', '//ann:p%40ss@')
    const transport = transportFor({ typedUrl, secretsSink: (value) => secrets.push(value) })
    await (await transport.open(get(`${typedUrl}/card`))).text()
    const basic = Buffer.from('ann:p@ss').toString('base64')
    expect(server.seen[0]?.headers.authorization).toBe(`Basic ${basic}`)
    expect(transport.exchanges[0]?.url).toBe(`${server.url}/card`)
    expect(secrets).toContain(basic)
  })

  test('a header that cannot be sent is a mistake in the options, and its value is not told', async () => {
    const transport = transportFor({
      typedUrl: 'http://127.0.0.1:1',
      headers: { authorization: 'Bearer s3cret\n' },
    })
    const error = await failure(transport.open(get('http://127.0.0.1:1')))
    expect(error).toMatchObject({ code: 'BAD_OPTIONS', name: 'A2AUsageError' })
    expect(error.message).toBe('option headers: "authorization" cannot be sent as an HTTP header')
    expect(error.message + String(error['fix'])).not.toContain('s3cret')
  })

  test('an address that is none says where it comes from', async () => {
    const transport = transportFor()
    const typed = await failure(transport.open(get('helpdesk')))
    expect(typed).toMatchObject({ code: 'BAD_OPTIONS' })
    const fromCard = await failure(transport.open(get('/a2a', { addressFrom: 'supportedInterfaces[0].url' })))
    expect(fromCard).toMatchObject({ code: 'NO_INTERFACE' })
    expect(fromCard.message).toBe(
      'the agent card\'s supportedInterfaces[0].url is "/a2a", which is not an address that can be called',
    )
  })

  test('a query parameter of a credential is sent, and left out of messages', async () => {
    const server = await serve((_, response) => json(response, {}))
    const secrets: string[] = []
    const transport = transportFor({
      typedUrl: server.url,
      authorize: async () => ({ headers: { 'X-Api-Key': 'k-1' }, query: { key: 'top-secret' } }),
      secretsSink: (value) => secrets.push(value),
    })
    const response = await transport.open(get(`${server.url}/card?x=1`))
    await response.text()
    expect(server.seen[0]?.url).toBe('/card?x=1&key=top-secret')
    expect(server.seen[0]?.headers['x-api-key']).toBe('k-1')
    expect(response.url).toBe(`${server.url}/card?x=1`)
    expect(secrets).toEqual(['k-1', 'top-secret'])
  })
})

describe('time', () => {
  test('no headers within the limit', async () => {
    const clock = manualClock()
    const server = await serve(() => clock.advance(2_000))
    const transport = transportFor({ deps: { clock } })
    const error = await failure(transport.open(post(`${server.url}/rpc`, '{}', { timeoutMs: 2_000 })))
    expect(error).toMatchObject({ name: 'A2AConnectionError', code: 'TIMEOUT' })
    expect(error.message).toBe(
      `no response headers from POST ${server.url}/rpc within 2000 ms (option requestTimeoutMs)`,
    )
    expect(transport.exchanges[0]).toMatchObject({ error, ms: 2_000 })
    expect(clock.pending).toBe(0)
  })

  test('headers at once, body never', async () => {
    const clock = manualClock()
    const server = await serve((_, response) => void response.write('{'))
    const response = await transportFor({ deps: { clock } }).open(
      get(server.url, { timeoutMs: 20_000, timeoutOption: 'limits.cardTimeoutMs' }),
    )
    const text = failure(response.text())
    await clock.advance(19_999)
    await clock.advance(1)
    const error = await text
    expect(error['code']).toBe('TIMEOUT')
    expect(error.message).toMatch(
      /^the answer to GET http:\S+ did not end within 20000 ms \(option limits\.cardTimeoutMs\); [01] bytes had arrived$/,
    )
  })

  test('a deadline has its own code, and a stream has no limit on its whole length', async () => {
    const clock = manualClock()
    const server = await serve((request, response) => {
      if (request.url === '/late') return void clock.advance(5)
      response.write('data: 1\n\n')
    })
    const transport = transportFor({ deps: { clock } })
    const late = await failure(
      transport.open(get(`${server.url}/late`, { timeoutMs: 5, timeoutOption: 'deadlineMs' })),
    )
    expect(late['code']).toBe('DEADLINE')
    const response = await transport.open(get(server.url, { timeoutMs: 5 }))
    const chunks = response.chunks()[Symbol.asyncIterator]()
    await chunks.next()
    await clock.advance(1_000_000)
    expect(clock.pending).toBe(0)
    response.abort()
    response.abort()
  })

  test('a signal ends the request with its own reason when that is ours', async () => {
    const server = await serve(() => {})
    const transport = transportFor()
    for (const aborted of [true, false]) {
      const controller = new AbortController()
      const reason = Object.assign(new Error('the matcher ran out of time'), {
        name: 'A2AConnectionError',
        code: 'DEADLINE',
      })
      if (aborted) controller.abort(reason)
      const opening = failure(transport.open(get(server.url, { signal: controller.signal })))
      controller.abort(reason)
      expect(await opening).toBe(reason)
    }
    const controller = new AbortController()
    const opening = failure(transport.open(get(server.url, { signal: controller.signal })))
    controller.abort()
    const error = await opening
    expect(error['code']).toBe('ABORTED')
    expect(error.message).toBe(`GET ${server.url}/ was aborted by its caller: This operation was aborted`)
  })

  test('closing the transport ends what runs', async () => {
    const transport = transportFor()
    const server = await serve(() => transport.close())
    const error = await failure(transport.open(get(server.url)))
    expect(error.message).toBe('the agent handle was closed during a request')
  })
})

describe('redirects', () => {
  test.each([307, 308])('%i keeps method and body', async (status) => {
    const server = await serve((request, response) => {
      if (request.url === '/rpc') return void response.writeHead(status, { location: '/rpc/' }).end('moved')
      json(response, { method: request.method, body: request.body })
    })
    const transport = transportFor({ typedUrl: server.url, headers: { authorization: 'Bearer x' } })
    const response = await transport.open(post(`${server.url}/rpc`, '{"a":1}'))
    expect(await response.text()).toBe('{"method":"POST","body":"{\\"a\\":1}"}')
    expect(server.seen[1]?.headers.authorization).toBe('Bearer x')
    expect(response.url).toBe(`${server.url}/rpc/`)
    expect(response.exchange).toMatchObject({
      redirects: [`${server.url}/rpc`],
      url: `${server.url}/rpc/`,
      status: 200,
    })
  })

  test.each([301, 302, 303])('%i on a POST is not followed', async (status) => {
    const server = await serve(
      (_, response) => void response.writeHead(status, { location: '/rpc/?k=1' }).end(),
    )
    const error = await failure(transportFor().open(post(`${server.url}/rpc`, '{}')))
    expect(error).toMatchObject({ name: 'A2AReplyError', code: 'HTTP_STATUS', status, transient: false })
    expect(error.message).toBe(
      `POST ${server.url}/rpc answered HTTP ${status} with a redirect to ${server.url}/rpc/; ` +
        'following it would turn the POST into a GET and lose its body',
    )
    expect(error['fix']).toContain('307 or 308')
    expect(server.seen).toHaveLength(1)
  })

  test('a GET follows every kind, up to the limit', async () => {
    const server = await serve((request, response) => {
      const hop = Number(request.url.slice(1))
      if (hop === 3) return json(response, {})
      response.writeHead([301, 302, 303][hop] ?? 302, { location: `${hop + 1}` }).end()
    })
    const transport = transportFor({ limits: { maxRedirects: 3 } })
    expect((await transport.open(get(`${server.url}/0`))).status).toBe(200)
    const error = await failure(transport.open(get(`${server.url}/4`)))
    expect(error).toMatchObject({ name: 'A2APolicyError', code: 'TOO_MANY_REDIRECTS' })
    expect(error.message).toBe(
      `GET ${server.url}/4 was redirected more than 3 times (option limits.maxRedirects): ` +
        [4, 5, 6, 7, 8].map((hop) => `${server.url}/${hop}`).join(' -> '),
    )
  })

  test('answers without a place to go to are handed on', async () => {
    const server = await serve((_, response) => void response.writeHead(304).end())
    expect((await transportFor().open(get(server.url))).status).toBe(304)
  })

  test('a location that is not a URL', async () => {
    const server = await serve((_, response) => void response.writeHead(302, { location: 'http://:' }).end())
    const error = await failure(transportFor().open(get(server.url)))
    expect(error.message).toContain('answered 302 with a location that is not a URL: "http://:"')
  })
})

describe('a 401', () => {
  test('is answered once with fresh headers', async () => {
    const server = await serve((request, response) => {
      if (request.headers.authorization === 'Bearer new') return json(response, {})
      json(response, { error: 'expired' }, 401)
    })
    const asked: unknown[] = []
    const transport = transportFor({
      typedUrl: server.url,
      headers: (about) => {
        asked.push(about)
        return { authorization: about.refresh ? 'Bearer new' : 'Bearer old' }
      },
    })
    const response = await transport.open(post(`${server.url}/rpc`, '{}'))
    expect(response.status).toBe(200)
    expect(asked).toEqual([
      { url: `${server.url}/rpc`, refresh: false },
      { url: `${server.url}/rpc`, refresh: true },
    ])
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
    expect(transport.exchanges.map(({ status }) => status)).toEqual([401, 200])
  })

  test('is final if asking again gives the same, or nothing can be asked', async () => {
    const server = await serve((_, response) => json(response, { error: 'no' }, 401))
    const same = transportFor({ typedUrl: server.url, headers: () => ({ authorization: 'Bearer x' }) })
    expect((await same.open(get(server.url))).status).toBe(401)
    const fixed = transportFor({ typedUrl: server.url, headers: { authorization: 'Bearer x' } })
    const response = await fixed.open(get(server.url))
    expect(await response.text()).toBe('{"error":"no"}')
    expect(server.seen).toHaveLength(2)
  })

  test('never leads to a third request', async () => {
    let turn = 0
    const server = await serve((_, response) => json(response, {}, 401))
    const transport = transportFor({
      typedUrl: server.url,
      headers: () => ({ authorization: `Bearer ${turn++}` }),
    })
    expect((await transport.open(get(server.url))).status).toBe(401)
    expect(server.seen).toHaveLength(2)
  })
})
