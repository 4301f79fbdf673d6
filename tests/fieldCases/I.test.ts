import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { a2aAgent } from '../../src/agent/a2aAgent.ts'
import type { Fixture } from '../support/fixtureServer.ts'
import { entry, fixture, open, type Desk } from './scene.ts'

const wellKnown = 'GET /.well-known/agent-card.json'

describe('I01 401 or 403 on the card', () => {
  test('headers go along with the request for the card', async () => {
    await using helpdesk = await open(fixture('I01'))
    await using agent = a2aAgent(helpdesk.url, helpdesk.options)

    await expect(agent).toHaveValidAgentCard({ failOn: 'warning' })

    expect(helpdesk.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer test'])
  })

  test.each([401, 403])('%i without them fails, and says what may be wrong', async (status) => {
    const scene = fixture('I01')
    Object.assign(entry(scene, wellKnown).else!, { status })
    await using helpdesk = await open(scene)

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(
      `Received: ${status} application/json (WWW-Authenticate: Bearer realm="helpdesk") from http://127.0.0.1:4100/.well-known/agent-card.json`,
    )
    expect(failure).toContain('Either credentials are missing (option headers) or the path is wrong')
    expect(failure).toContain(`some hosts answer ${status} for unknown paths`)
  })

  test('a call says the same', async () => {
    await using helpdesk = await open(fixture('I01'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toPassSmokeCheck())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('answered 401 application/json (WWW-Authenticate: Bearer realm="helpdesk")')
    expect(failure).toContain('Either credentials are missing (option headers) or the path is wrong')
  })

  test('a secret is never printed', async () => {
    await using helpdesk = await open(fixture('I01'))
    const headers = { authorization: 'Bearer hush-hush', 'x-desk': 'quiet-word' }

    const failures = [
      await helpdesk.failure(() => expect(helpdesk.agent({ headers })).toHaveValidAgentCard()),
      await helpdesk.failure(() => expect(helpdesk.agent({ headers })).toPassSmokeCheck()),
    ]

    for (const message of failures) {
      expect(message).toMatch(/^\[failed\] /)
      expect(message).not.toMatch(/hush|quiet/)
    }
    // A variable instead of stars, so that the line can be run.
    expect(failures[1]).toContain('"authorization: Bearer $TOKEN"')
  })
})

describe('I05 credentials and a host that the card names', () => {
  const secret = 'Bearer secret'
  const hi = {
    json: {
      jsonrpc: '2.0',
      id: '$id',
      result: { kind: 'message', messageId: 'm2', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] },
    },
  }
  const scene = (patch?: Record<string, unknown>): Fixture => {
    const made = fixture('I05')
    if (patch) entry(made, wellKnown).patch = patch
    made.exchange?.push(
      { on: 'POST /rpc', times: '*', ...hi },
      { on: 'POST /rpc', port: 4999, times: '*', ...hi },
    )
    return made
  }
  const elsewhere = { url: 'http://127.0.0.1:4999/rpc' }
  const headersAt = (helpdesk: Desk, port: number): (string | undefined)[] =>
    helpdesk.requests.filter((request) => request.port === port).map(({ headers }) => headers.authorization)

  test('the card is a warning; the option is called trustedOrigins', async () => {
    await using helpdesk = await open(scene())

    expect(
      await helpdesk.passing(() => expect(helpdesk.agent(helpdesk.options)).not.toHaveValidAgentCard()),
    ).toContain(
      '! additionalInterfaces[0].url  the card points to http://127.0.0.1:4999, a different origin from http://127.0.0.1:4100; ' +
        'credentials were not sent there (option trustedOrigins)',
    )
  })

  test('the token goes to the origin that was typed, and nothing goes elsewhere', async () => {
    await using helpdesk = await open(scene())

    await expect(helpdesk.agent(helpdesk.options)).toPassSmokeCheck()

    expect(headersAt(helpdesk, 4100)).toEqual([secret, secret])
    expect(headersAt(helpdesk, 4999)).toEqual([])
  })

  test('an agent elsewhere is called without the token, with a warning', async () => {
    await using helpdesk = await open(scene(elsewhere))

    const failure = await helpdesk.passing(() =>
      expect(helpdesk.agent(helpdesk.options)).not.toReply('ping', 'hi'),
    )

    expect(failure).toContain(
      '! url  the card points to http://127.0.0.1:4999, a different origin from http://127.0.0.1:4100; authorization not sent there (option trustedOrigins)',
    )
    expect(headersAt(helpdesk, 4100)).toEqual([secret])
    expect(headersAt(helpdesk, 4999)).toEqual([undefined])
  })

  test('trustedOrigins lets it see the token', async () => {
    await using helpdesk = await open(scene(elsewhere))
    const trustedOrigins = [helpdesk.origins[4999]!]

    await expect(helpdesk.agent({ ...helpdesk.options, trustedOrigins })).toHaveValidAgentCard({
      rules: { 'card/main-interface-listed': 'off' },
      failOn: 'warning',
    })
    await expect(helpdesk.agent({ ...helpdesk.options, trustedOrigins })).toReply('ping', 'hi')

    expect(headersAt(helpdesk, 4999)).toEqual([secret])
  })

  test('credentials are kept back like headers', async () => {
    const securitySchemes = { helpdesk: { type: 'apiKey', in: 'header', name: 'X-Desk-Key' } }
    await using helpdesk = await open(scene({ ...elsewhere, securitySchemes, security: [{ helpdesk: [] }] }))

    await expect(helpdesk.agent({ credentials: { helpdesk: 'secret-key' } })).toReply('ping', 'hi')

    for (const { headers } of helpdesk.posts()) expect(headers['x-desk-key']).toBeUndefined()
  })

  test.each([307, 308])('a redirect (%i) does not carry the token to another origin', async (status) => {
    const made = fixture('I05')
    made.exchange?.push({ on: 'POST /rpc', status, headers: {} }, { on: 'POST /rpc', port: 4999, ...hi })
    const answer = made.exchange?.find(({ on }) => on === 'POST /rpc')
    await using helpdesk = await open(made)
    // Headers are sent as they are, so the opened port is put in by hand.
    answer!.headers = { location: `${helpdesk.origins[4999]}/rpc` }

    const failure = await helpdesk.passing(() =>
      expect(helpdesk.agent(helpdesk.options)).not.toReply('ping', 'hi'),
    )

    expect(failure).toContain(
      '! url  a redirect leads to http://127.0.0.1:4999, a different origin from http://127.0.0.1:4100; authorization not sent there',
    )
    expect(headersAt(helpdesk, 4999)).toEqual([undefined])
  })

  test('neither does one of the card', async () => {
    const made = fixture('I05')
    const card = entry(made, wellKnown)
    made.exchange = [
      { on: wellKnown, status: 302, headers: {} },
      { ...card, port: 4999 },
    ]
    const redirect = made.exchange[0]!
    await using helpdesk = await open(made)
    redirect.headers = { location: `${helpdesk.origins[4999]}/.well-known/agent-card.json` }

    await expect(helpdesk.agent(helpdesk.options)).toHaveValidAgentCard()

    expect(headersAt(helpdesk, 4999)).toEqual([undefined])
  })
})
