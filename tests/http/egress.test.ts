import { describe, expect, test } from 'vitest'
import { createEgress, sameOrigin, type EgressOptions } from '../../src/http/egress.ts'
import { testCa } from '../support/tls.ts'
import { failure, get, json, lookupIn, post, serve, transportFor } from './support.ts'

async function refusal(options: EgressOptions, url: string, by = {}): Promise<string | undefined> {
  try {
    await createEgress({ lookup: lookupIn({ 'desk.example': ['93.184.216.34'] }), ...options }).check(
      new URL(url),
      by,
    )
    return undefined
  } catch (error) {
    expect(error).toMatchObject({ name: 'A2APolicyError', code: 'REFUSED_BY_POLICY' })
    return (error as Error).message
  }
}

describe('where requests may go', () => {
  const typedUrl = 'http://desk.example/agents/one'

  test.each([
    ['http://127.0.0.1:8000/', '"127.0.0.1" is a loopback address'],
    ['http://localhost:8000/', '"localhost" is a loopback address'],
    ['http://[::1]:8000/', '"::1" is a loopback address'],
    ['http://0x7f000001/', '"127.0.0.1" is a loopback address'],
    ['http://[::ffff:10.0.0.1]/', '"::ffff:a00:1" is a private address'],
    ['http://10.0.3.7:9090/a2a', '"10.0.3.7" is a private address'],
    ['http://0.0.0.0:8000/', '"0.0.0.0" is a bind address, not an address a client can call'],
    ['http://169.254.1.1/', '"169.254.1.1" is a link-local address'],
    ['http://169.254.169.254/latest', '"169.254.169.254" is the address of a cloud metadata service'],
    [
      'http://metadata.google.internal/',
      '"metadata.google.internal" is the address of a cloud metadata service',
    ],
    ['http://198.18.0.1/', '"198.18.0.1" is not an address of the public internet'],
  ])('from a public agent not to %s', async (url, why) => {
    expect(await refusal({ typedUrl }, url, { addressFrom: 'url' })).toBe(
      `not called: ${new URL(url).origin}${new URL(url).pathname} (from the agent card, url), because ${why}, ` +
        'while the agent was given by a public address (http://desk.example)',
    )
    expect(await refusal({ typedUrl, trustedOrigins: [url] }, url)).toBeUndefined()
    expect(await refusal({ typedUrl: 'http://127.0.0.1:4100' }, url)).toBeUndefined()
    expect(await refusal({ typedUrl: 'http://agent:4100' }, url)).toBeUndefined()
    expect(await refusal({}, url)).toBeUndefined()
    expect(await refusal({ typedUrl: url }, url)).toBeUndefined()
  })

  test('a public host may be named from anywhere', async () => {
    expect(await refusal({ typedUrl }, 'https://other.example/')).toBeUndefined()
    expect(await refusal({ typedUrl }, 'http://8.8.8.8/')).toBeUndefined()
  })

  test('a name that resolves in a private network is not public', async () => {
    const lookup = lookupIn({ 'desk.example': ['10.1.2.3'] })
    expect(await refusal({ typedUrl, lookup }, 'http://10.0.3.7/')).toBeUndefined()
    const onThisMachine = lookupIn({ 'desk.example': ['127.0.0.1'] })
    expect(await refusal({ typedUrl, lookup: onThisMachine }, 'http://10.0.3.7/')).toContain('10.0.3.7')
    expect(await refusal({ typedUrl, lookup: lookupIn({}) }, 'http://10.0.3.7/')).toContain('10.0.3.7')
  })

  test('http after https', async () => {
    const secure = { typedUrl: 'https://desk.example/' }
    expect(await refusal(secure, 'http://desk.example/rpc', { addressFrom: 'url' })).toBe(
      'not called: http://desk.example/rpc (from the agent card, url), because it is http, and https://desk.example is https',
    )
    expect(await refusal({ typedUrl }, 'http://b.example/', { redirectedFrom: 'https://a.example/x' })).toBe(
      'not called: http://b.example/ (where https://a.example/x redirects to), because it is http, and https://a.example is https',
    )
    expect(
      await refusal({ ...secure, trustedOrigins: ['http://desk.example'] }, 'http://desk.example/rpc'),
    ).toBeUndefined()
    expect(await refusal({ typedUrl: 'https://localhost:1/' }, 'http://127.0.0.1:2/')).toBeUndefined()
    expect(await refusal({ typedUrl }, 'https://desk.example/')).toBeUndefined()
  })

  test('neither http nor https', async () => {
    expect(await refusal({ typedUrl }, 'file:///etc/passwd')).toContain('"file" is neither http nor https')
  })

  test('a served agent does not lead out of this machine', async () => {
    const served = { typedUrl: 'http://127.0.0.1:4100', servedOrigin: true }
    expect(await refusal(served, 'https://agents.example/rpc', { addressFrom: 'url' })).toBe(
      'not called: https://agents.example/rpc (from the agent card, url), because the agent is served by this test at ' +
        'http://127.0.0.1:4100, and a request there would leave it',
    )
    expect(await refusal(served, 'http://127.0.0.1:4999/')).toBeUndefined()
    expect(
      await refusal({ ...served, trustedOrigins: ['https://agents.example'] }, 'https://agents.example/rpc'),
    ).toBeUndefined()
  })

  test('origins are equal, or both loopback with one port', () => {
    const same = (a: string, b: string): boolean => sameOrigin(new URL(a), new URL(b))
    expect(same('http://localhost:4100', 'http://127.0.0.1:4100/x')).toBe(true)
    expect(same('http://[::1]:4100', 'http://127.0.0.1:4100/x')).toBe(true)
    expect(same('http://localhost:4100', 'http://127.0.0.1:4101')).toBe(false)
    expect(same('http://localhost:4100', 'https://localhost:4100')).toBe(false)
    expect(same('https://desk.example', 'https://desk.example:443/')).toBe(true)
    expect(same('https://desk.example', 'https://desk.example.evil.test')).toBe(false)
  })
})

describe('the guarded lookup', () => {
  test('sees the address that is connected to, when a public name turns private', async () => {
    const inside = await serve((_, response) => json(response, { secret: true }))
    const lookup = lookupIn({ 'desk.example': ['127.0.0.1'], 'rebound.example': ['127.0.0.1'] })
    const transport = transportFor({ typedUrl: 'http://desk.example/', deps: { lookup } })
    const url = `http://rebound.example:${inside.port}/rpc`
    const error = await failure(
      transport.open(post(url, '{}', { addressFrom: 'supportedInterfaces[0].url' })),
    )
    expect(error).toMatchObject({ name: 'A2APolicyError', code: 'REFUSED_BY_POLICY' })
    expect(error.message).toBe(
      `not called: ${url} (from the agent card, supportedInterfaces[0].url), because "rebound.example" resolves to 127.0.0.1, ` +
        'a loopback address, while the agent was given by a public address (http://desk.example)',
    )
    expect(error['fix']).toBe(
      `If that is meant, allow it: trustedOrigins: ['http://rebound.example:${inside.port}'].`,
    )
    expect(inside.connections).toBe(0)
    expect(transport.exchanges[0]?.error).toBe(error)
  })

  test('refuses a name as soon as one of its addresses is private', async () => {
    const lookup = lookupIn({
      'desk.example': ['93.184.216.34'],
      'two.example': ['93.184.216.34', '10.0.0.1'],
    })
    const { lookup: guarded } = createEgress({ typedUrl: 'http://desk.example', lookup })
    const ask = (hostname: string, all: boolean): Promise<unknown> =>
      new Promise((resolve, reject) =>
        guarded(hostname, { all }, (error, address) => (error ? reject(error) : resolve(address))),
      )
    await expect(ask('two.example', true)).rejects.toThrow(
      '"two.example" resolves to 10.0.0.1, a private address',
    )
    expect(await ask('desk.example', true)).toEqual([{ address: '93.184.216.34', family: 4 }])
    expect(await ask('desk.example', false)).toBe('93.184.216.34')
    await expect(ask('none.example', false)).rejects.toThrow('ENOTFOUND')
  })

  test('leaves the typed origin alone, wherever its name leads', async () => {
    const server = await serve((_, response) => json(response, {}))
    const lookup = lookupIn({ 'desk.example': ['127.0.0.1'] })
    const typedUrl = `http://desk.example:${server.port}`
    expect((await transportFor({ typedUrl, deps: { lookup } }).open(get(typedUrl))).status).toBe(200)
  })

  test('a redirect from a public host into this machine', async () => {
    const inside = await serve((_, response) => json(response, {}))
    const outside = await serve(
      (_, response) => void response.writeHead(307, { location: `${inside.url}/admin` }).end(),
    )
    const lookup = lookupIn({ 'desk.example': ['127.0.0.1'] })
    const typedUrl = `http://desk.example:${outside.port}/rpc`
    const error = await failure(transportFor({ typedUrl, deps: { lookup } }).open(post(typedUrl, '{}')))
    expect(error.message).toContain(
      `not called: ${inside.url}/admin (where ${typedUrl} redirects to), because "127.0.0.1" is a loopback address`,
    )
    expect(inside.connections).toBe(0)
  })

  test('a redirect from https to http', async () => {
    const plain = await serve((_, response) => json(response, {}))
    const secure = await serve(
      (_, response) => void response.writeHead(307, { location: `http://desk.example:${plain.port}/` }).end(),
      { secure: true },
    )
    const lookup = lookupIn({ 'desk.example': ['127.0.0.1'] })
    const typedUrl = `https://desk.example:${secure.port}/`
    const transport = transportFor({ typedUrl, tls: { ca: testCa }, deps: { lookup } })
    const error = await failure(transport.open(post(typedUrl, '{}')))
    expect(error['code']).toBe('REFUSED_BY_POLICY')
    expect(error.message).toContain('because it is http, and https://desk.example')
    expect(plain.connections).toBe(0)
  })
})

describe('credentials', () => {
  const headers = { authorization: 'Bearer secret', 'X-Trace': '1' }

  test('stay with the typed origin, and what was withheld is named', async () => {
    const other = await serve((_, response) => json(response, {}))
    const typed = await serve((_, response) => json(response, {}))
    const transport = transportFor({ typedUrl: typed.url, headers })
    await (await transport.open(get(typed.url))).text()
    await (
      await transport.open(post(`${other.url}/rpc`, '{}', { addressFrom: 'additionalInterfaces[0].url' }))
    ).text()
    expect(typed.seen[0]?.headers).toMatchObject({ authorization: 'Bearer secret', 'x-trace': '1' })
    expect(other.seen[0]?.headers).not.toHaveProperty('authorization')
    expect(other.seen[0]?.headers).not.toHaveProperty('x-trace')
    expect(transport.exchanges.map(({ withheld }) => withheld)).toEqual([[], ['authorization', 'x-trace']])
  })

  test('do not follow a redirect to another origin, and come back with the next', async () => {
    const typed = await serve((request, response) => {
      if (request.url === '/back') return json(response, {})
      response.writeHead(307, { location: `${other.url}/hop` }).end()
    })
    const other = await serve(
      (_, response) => void response.writeHead(307, { location: `${typed.url}/back` }).end(),
    )
    const transport = transportFor({ typedUrl: typed.url, headers })
    await (await transport.open(post(`${typed.url}/rpc`, '{}'))).text()
    expect(other.seen[0]?.headers).not.toHaveProperty('authorization')
    expect(typed.seen[1]?.headers.authorization).toBe('Bearer secret')
  })

  test('go to trusted origins', async () => {
    const other = await serve((_, response) => json(response, {}))
    const transport = transportFor({ typedUrl: 'http://127.0.0.1:1', headers, trustedOrigins: [other.url] })
    await (await transport.open(get(other.url))).text()
    expect(other.seen[0]?.headers.authorization).toBe('Bearer secret')
    expect(transport.exchanges[0]?.withheld).toEqual([])
  })

  test('a function is not asked for another origin', async () => {
    const other = await serve((_, response) => json(response, {}, 401))
    let asked = 0
    const transport = transportFor({
      typedUrl: 'http://127.0.0.1:1',
      headers: () => ({ authorization: `Bearer ${asked++}` }),
    })
    expect((await transport.open(get(other.url))).status).toBe(401)
    expect(asked).toBe(0)
    expect(other.seen).toHaveLength(1)
  })

  test('every secret is told, and harmless short values are not', async () => {
    const server = await serve((_, response) => json(response, {}))
    const told: string[] = []
    const transport = transportFor({
      typedUrl: server.url,
      headers,
      secretsSink: (value) => told.push(value),
    })
    await (await transport.open(get(server.url))).text()
    expect(told).toEqual(['Bearer secret', 'secret'])
  })
})

describe('proxies', () => {
  test('a public host goes through the proxy of the environment, loopback never does', async () => {
    const tunnels: string[] = []
    const agent = await serve((_, response) => json(response, { ok: true }))
    const proxy = await serve(() => {})
    proxy.server.on('connect', (request, socket) => {
      tunnels.push(request.url ?? '')
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    const env = { HTTP_PROXY: proxy.url, NO_PROXY: 'direct.example' }
    const lookup = lookupIn({ 'direct.example': ['127.0.0.1'] })
    const transport = transportFor({ typedUrl: agent.url, deps: { env, lookup } })
    expect((await transport.open(get(agent.url))).status).toBe(200)
    expect((await transport.open(get(`http://direct.example:${agent.port}/`))).status).toBe(200)
    expect(tunnels).toEqual([])
    const error = await failure(transport.open(get('http://desk.example/rpc')))
    expect(tunnels).toEqual(['desk.example:80'])
    expect(error['code']).toBe('UNREACHABLE')
    expect(error.message).toContain(
      'could not connect to desk.example:80 through the proxy: Proxy response (403)',
    )
    expect(error['fix']).toContain('NO_PROXY')
  })
})
