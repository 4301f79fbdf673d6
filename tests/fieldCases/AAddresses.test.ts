import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { entry, fixture, open, openPublic } from './scene.ts'

const wellKnown = 'GET /.well-known/agent-card.json'

describe('A05 the card advertises an address that clients cannot reach', () => {
  const advertising = (url: string) => {
    const scene = fixture('A05')
    entry(scene, wellKnown).patch = { url }
    const { pathname } = new URL(url)
    const reply = { kind: 'message', messageId: 'm2', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] }
    scene.exchange?.push({ on: `POST ${pathname}`, json: { jsonrpc: '2.0', id: '$id', result: reply } })
    return scene
  }

  test.each([
    ['http://0.0.0.0:8000/', '0.0.0.0 is a bind address, not an address a client can call'],
    ['http://[::]:8081/invoke', ':: is a bind address, not an address a client can call'],
    ['http://10.0.3.7:9090/a2a', '10.0.3.7 is a private address'],
  ])('%s in a card from a public host fails', async (url, says) => {
    await using helpdesk = await openPublic(advertising(url))

    const failure = await helpdesk.failure(() => expect(helpdesk.agent()).toHaveValidAgentCard())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toMatch(/✗ url {2}url is /)
    for (const part of [`"${url}"`, 'https://desk.example/.well-known/agent-card.json', says])
      expect(failure).toContain(part)
  })

  test.each(['http://localhost:8000/', 'http://127.0.0.1:8000/'])(
    '%s in a card from a public host: a warning, because the path is called at the host that was given',
    async (url) => {
      await using helpdesk = await openPublic(advertising(url))

      const failure = await helpdesk.passing(() => expect(helpdesk.agent()).not.toHaveValidAgentCard())
      expect(failure).toContain(
        `! url  url is "${url}" (the card came from https://desk.example/.well-known/agent-card.json)`,
      )

      await expect(helpdesk.agent()).toReply('ping', 'hi')
    },
  )

  test('another port of the same host: an error where it is http after https, as in A06, else a warning', async () => {
    const plain = 'http://desk.example:8000/'
    await using helpdesk = await openPublic(advertising(plain))
    expect(await helpdesk.failure(() => expect(helpdesk.agent()).toHaveValidAgentCard())).toContain(
      `✗ url  url is "${plain}", plain http, but the card came from https://desk.example over https`,
    )

    await using other = await openPublic(advertising('https://desk.example:8443/'))
    const failure = await other.passing(() => expect(other.agent()).not.toHaveValidAgentCard())
    expect(failure).toContain(
      '! url  the card points to https://desk.example:8443, a different origin from https://desk.example',
    )
  })

  test.each(['http://0.0.0.0:4100/', 'http://[::]:4100/invoke', 'http://10.0.3.7:9090/a2a'])(
    '%s in a card from loopback: a warning',
    async (url) => {
      await using helpdesk = await open(advertising(url))

      const failure = await helpdesk.passing(() => expect(helpdesk.url).not.toHaveValidAgentCard())

      expect(failure).toContain(
        `! url  url is "${url}" (the card came from http://127.0.0.1:4100/.well-known/agent-card.json)`,
      )
    },
  )

  test('the field path says which interface it is', async () => {
    const scene = fixture('A05')
    const bad = { url: 'https://0.0.0.0/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }
    Object.assign(entry(scene, wellKnown), { json: '$CARD10', patch: { supportedInterfaces: [bad] } })
    await using helpdesk = await openPublic(scene)

    expect(await helpdesk.failure(() => expect(helpdesk.agent()).toHaveValidAgentCard())).toContain(
      '✗ supportedInterfaces[0].url  supportedInterfaces[0].url is "https://0.0.0.0/"',
    )
  })

  test('the option endpoint overrides the card', async () => {
    await using helpdesk = await open(advertising('http://10.0.3.7:9090/a2a'))

    await expect(helpdesk.agent({ endpoint: `${helpdesk.origin}/a2a` })).toPassSmokeCheck()
  })

  test('a connection error says that the address came from the card', async () => {
    await using closed = await open(fixture('A02'))
    await closed.close()
    await using helpdesk = await open(advertising(`${closed.origin}/rpc`))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[error\] /)
    expect(failure).toContain(`could not connect to ${new URL(closed.origin).host}: connection refused`)
    expect(failure).toContain('the address comes from the agent card (url)')
    expect(failure).toContain('Option endpoint calls another address')
  })

  test('a private address is not called for an agent at a public one', async () => {
    await using helpdesk = await openPublic(advertising('https://10.0.3.7:9090/a2a'))

    const failure = await helpdesk.failure(() => expect(helpdesk.agent()).toPassSmokeCheck())

    expect(failure).toMatch(/^\[error\] /)
    expect(failure).toContain('not called: https://10.0.3.7:9090/a2a (from the agent card, url)')
  })
})

describe('A06 TLS ends at the proxy: a card fetched by https says http', () => {
  const second = { url: 'http://desk.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }

  test('an error at every interface, with the usual fix', async () => {
    const scene = fixture('A06')
    const patch = entry(scene, wellKnown).patch as { supportedInterfaces: object[] }
    patch.supportedInterfaces.push(second)
    await using helpdesk = await openPublic(scene)

    const failure = await helpdesk.failure(() => expect(helpdesk.agent()).toHaveValidAgentCard())

    expect(failure).toMatch(/^\[failed\] /)
    for (const part of [
      '✗ supportedInterfaces[0].url  supportedInterfaces[0].url is "http://desk.example/rpc", plain http, but the card came from https://desk.example over https',
      '✗ supportedInterfaces[1].url  supportedInterfaces[1].url is "http://desk.example/rest"',
      'X-Forwarded-Proto, or configure its public https URL',
    ])
      expect(failure).toContain(part)
  })

  test('nothing is posted over http, so no credential is either', async () => {
    const scene = fixture('A06')
    await using helpdesk = await openPublic(scene)
    const agent = helpdesk.agent({ headers: { authorization: 'Bearer secret' } })

    const failure = await helpdesk.failure(() => expect(agent).toPassSmokeCheck())

    expect(failure).toMatch(/^\[error\] /)
    expect(failure).toContain(
      'not called: http://desk.example/rpc (from the agent card, supportedInterfaces[0].url), because it is http',
    )
    expect(failure).toContain("trustedOrigins: ['http://desk.example']")
    expect(failure).not.toContain('secret')
    expect(helpdesk.posts()).toEqual([])
  })

  test('trustedOrigins lets http be called, and the credential go there', async () => {
    const result = { message: { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } }
    const answer = { on: 'POST /rpc', rpc: 'SendMessage', json: { jsonrpc: '2.0', id: '$id', result } }
    await using plain = await open({ exchange: [answer] }, { host: 'desk.example' })
    const scene = fixture('A06')
    const patch = entry(scene, wellKnown).patch as { supportedInterfaces: { url: string }[] }
    patch.supportedInterfaces[0]!.url = `${plain.origin}/rpc`
    await using helpdesk = await openPublic(scene)
    const options = { headers: { authorization: 'Bearer secret' }, trustedOrigins: [plain.origin] }

    await expect(helpdesk.agent(options)).toReply('ping', 'hi')

    expect(plain.posts()[0]?.headers.authorization).toBe('Bearer secret')
  })

  test('http on loopback is fine', async () => {
    await using helpdesk = await open(fixture('A02'))

    await expect(helpdesk.url).toHaveValidAgentCard({ failOn: 'warning' })
  })
})

describe('A07 the url of the card is relative or empty', () => {
  const withUrl = (url: string) => {
    const scene = fixture('A07')
    entry(scene, wellKnown).patch = { url }
    return scene
  }

  test.each(['/a2a/desk', '', 'a2a/desk', '//desk.example/rpc'])(
    '%j fails the check of the card',
    async (url) => {
      await using helpdesk = await open(withUrl(url))

      const failure = await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())

      expect(failure).toMatch(/^\[failed\] /)
      expect(failure).toContain(`✗ url  url ${JSON.stringify(url)} must be an absolute http(s) URL`)
      expect(failure).not.toMatch(/Invalid URL|Failed to parse/)
    },
  )

  test('/a2a/desk is called anyway, with a warning', async () => {
    await using helpdesk = await open(withUrl('/a2a/desk'))

    const failure = await helpdesk.passing(() => expect(helpdesk.url).not.toPassSmokeCheck())

    expect(failure).toContain(
      '! url  url is "/a2a/desk", which must be an absolute http(s) URL; it was read as http://127.0.0.1:4100/a2a/desk',
    )
  })

  test('a2a/desk is read against the URL of the card, where it does not answer', async () => {
    await using helpdesk = await open(withUrl('a2a/desk'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toContain('POST http://127.0.0.1:4100/.well-known/a2a/desk')
    expect(failure).toContain('this address comes from the agent card (url)')
  })

  test('an empty one has no reading', async () => {
    await using helpdesk = await open(withUrl(''))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('its url is ""')
    expect(helpdesk.posts()).toEqual([])
  })

  test('//desk.example/rpc names another host, so it is not called over the scheme of the card unasked', async () => {
    await using helpdesk = await openPublic(withUrl('//10.0.3.7/rpc'))

    const failure = await helpdesk.failure(() => expect(helpdesk.agent()).toPassSmokeCheck())

    expect(failure).toContain('not called: https://10.0.3.7/rpc (from the agent card, url)')
  })
})

describe('A11 a gateway rewrites the card and doubles the path', () => {
  test('the card passes, and a call reports its address and where that came from', async () => {
    await using helpdesk = await open(fixture('A11'))

    await expect(helpdesk.url).toHaveValidAgentCard({ failOn: 'warning' })
    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    for (const part of [
      'POST http://127.0.0.1:4100/a2a/tick/a2a/tock/ answered HTTP 404',
      '"no route"',
      'this address comes from the agent card (supportedInterfaces[0].url)',
      'path looks doubled by a proxy',
    ])
      expect(failure).toContain(part)
    expect(failure).not.toContain('empty reply')
  })
})
