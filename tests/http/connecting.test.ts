import { describe, expect, test } from 'vitest'
import { freePort } from '../support/freePort.ts'
import { testCa, testTls } from '../support/tls.ts'
import { failure, get, json, lookupIn, post, serve, transportFor } from './support.ts'

describe('TLS', () => {
  test('tls.ca makes a private authority known, and without it the message names the option', async () => {
    const server = await serve((_, response) => json(response, { ok: true }), { secure: true })
    const lookup = lookupIn({ 'desk.example': ['127.0.0.1'] })
    const url = `https://desk.example:${server.port}/`
    const trusting = transportFor({ typedUrl: url, tls: { ca: testCa }, deps: { lookup } })
    expect(await (await trusting.open(get(url))).text()).toBe('{"ok":true}')

    const error = await failure(transportFor({ typedUrl: url, deps: { lookup } }).open(get(url)))
    expect(error).toMatchObject({ name: 'A2AConnectionError', code: 'TLS' })
    expect(error.message).toMatch(
      new RegExp(
        `^the TLS certificate of desk\\.example:${server.port} was not accepted: the authority that signed`,
      ),
    )
    expect(error['fix']).toContain('tls.ca')

    const lax = transportFor({ typedUrl: url, tls: { rejectUnauthorized: false }, deps: { lookup } })
    expect((await lax.open(get(url))).status).toBe(200)
  })

  test('a certificate for another host, a server without TLS, and a ca that is none', async () => {
    const secure = await serve((_, response) => json(response, {}), { secure: true })
    const plain = await serve((_, response) => json(response, {}))
    const lookup = lookupIn({ 'elsewhere.test': ['127.0.0.1'] })
    const url = `https://elsewhere.test:${secure.port}/`
    const other = await failure(
      transportFor({ typedUrl: url, tls: { ca: testCa }, deps: { lookup } }).open(get(url)),
    )
    expect(other['code']).toBe('TLS')
    expect(other.message).toContain('its certificate is for another host')

    const untls = await failure(transportFor().open(get(plain.url.replace('http:', 'https:'))))
    expect(untls['code']).toBe('TLS')
    expect(untls.message).toMatch(/^127\.0\.0\.1:\d+ does not speak TLS/)
    expect(untls['fix']).toBe(`If it is a plain http server, use http://127.0.0.1:${plain.port}.`)

    const bad = await failure(
      transportFor({ typedUrl: secure.url, tls: { cert: 'nonsense', key: testTls.key } }).open(
        get(secure.url),
      ),
    )
    expect(bad).toMatchObject({ name: 'A2AUsageError', code: 'BAD_OPTIONS' })
    expect(bad.message).toMatch(/^option tls cannot be used: /)
  })
})

describe('connecting', () => {
  test('refused: who, what was tried, and where the address comes from', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const error = await failure(transportFor().open(get(url)))
    expect(error).toMatchObject({
      name: 'A2AConnectionError',
      code: 'UNREACHABLE',
      fix: 'Is the agent running?',
    })
    expect(error.message).toBe(`could not connect to 127.0.0.1:${port}: connection refused`)
    expect(error.cause).toBeDefined()

    const fromCard = await failure(
      transportFor().open(get(url, { addressFrom: 'supportedInterfaces[0].url' })),
    )
    expect(fromCard.message).toBe(
      `could not connect to 127.0.0.1:${port}: connection refused; the address comes from the agent card (supportedInterfaces[0].url)`,
    )
    expect(fromCard['fix']).toContain('Option endpoint')
  })

  test('refused on every address of a name', async () => {
    const port = await freePort()
    const lookup = lookupIn({ 'desk.example': ['127.0.0.2', '127.0.0.3'] })
    const error = await failure(transportFor({ deps: { lookup } }).open(get(`http://desk.example:${port}`)))
    expect(error.message).toBe(
      `could not connect to desk.example:${port} (tried 127.0.0.2, 127.0.0.3): connection refused`,
    )
  })

  test('a name that is not known', async () => {
    const lookup = lookupIn({})
    const error = await failure(transportFor({ deps: { lookup } }).open(get('http://desk.exmaple/')))
    expect(error.message).toBe(
      'could not connect to desk.exmaple:80: the host name "desk.exmaple" is not known (ENOTFOUND)',
    )
  })

  test('a server that hangs up without a word', async () => {
    const server = await serve((_, response) => response.destroy())
    const error = await failure(transportFor().open(post(`${server.url}/rpc`, '{}')))
    expect(error['code']).toBe('UNREACHABLE')
    expect(error.message).toMatch(
      /^127\.0\.0\.1:\d+ closed the connection before it answered POST http:\/\/127\.0\.0\.1:\d+\/rpc \(/,
    )
  })
})
