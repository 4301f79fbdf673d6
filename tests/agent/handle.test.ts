import { describe, expect, test } from 'vitest'
import { card03, card10, failure, handleOf, message03, message10, posts, result } from '../client/support.ts'
import { CARD03, startFixture } from '../support/fixtureServer.ts'
import { freePort } from '../support/freePort.ts'

const echo03 = { on: 'POST /rpc', rpc: 'message/send', ...result(message03('hi')) }
const echo10 = { on: 'POST /rpc', rpc: 'SendMessage', ...result(message10('hi')) }
const gets = (server: { requests: { method: string }[] }) =>
  server.requests.filter(({ method }) => method === 'GET').length

describe('a handle', () => {
  test('sends nothing before it is used', async () => {
    await using helpdesk = await startFixture([card03()])

    const agent = handleOf(helpdesk)

    expect(agent).toMatchObject({ isA2AAgent: true, url: helpdesk.url, exchanges: [], secrets: [] })
    expect(agent.label()).toBe(helpdesk.url)
    expect(helpdesk.requests).toEqual([])
  })

  test('fetches the card once for all callers', async () => {
    await using helpdesk = await startFixture([card03(), echo03])
    const agent = handleOf(helpdesk)

    const [one, two] = await Promise.all([agent.card(), agent.card(), agent.send('hi')])
    await agent.card()

    expect(two).toBe(one)
    expect(gets(helpdesk)).toBe(1)
  })

  test('is labelled with the name in its card once known, or with a name from the options', async () => {
    await using helpdesk = await startFixture([card03()])
    const [agent, named] = [handleOf(helpdesk), handleOf(helpdesk, { name: 'my helpdesk' })]

    await agent.card()

    expect(agent.label()).toBe(`Echo Desk (${helpdesk.url})`)
    expect(named.label()).toBe(`my helpdesk (${helpdesk.url})`)
  })

  test('forgets everything it has learnt on refresh()', async () => {
    await using helpdesk = await startFixture([
      { ...card03({ name: 'Old' }), times: 1 },
      { ...card10({ name: 'New' }), times: 1 },
      echo03,
      echo10,
    ])
    const agent = handleOf(helpdesk)

    const before = await agent.send('hi')
    agent.refresh()
    expect(agent.label()).toBe(helpdesk.url)
    const after = await agent.send('hi')

    expect([before.dialect, after.dialect]).toEqual(['0.3', '1.0'])
    expect(agent.label()).toBe(`New (${helpdesk.url})`)
  })

  test('does not remember that the agent could not be reached', async () => {
    await using helpdesk = await startFixture([
      { on: 'GET /.well-known/agent-card.json', times: 1, drop: true },
      { on: 'GET /.well-known/agent.json', drop: true },
      card03(),
      echo03,
    ])
    const agent = handleOf(helpdesk)

    expect(await failure(agent.send('hi'))).toMatchObject({ name: 'A2AConnectionError', code: 'UNREACHABLE' })
    expect((await agent.send('hi')).text).toBe('hi')
  })

  test('cannot be used after close(), which runs its callback once', async () => {
    await using helpdesk = await startFixture([card03()])
    let closed = 0
    const agent = handleOf(helpdesk, {}, { extra: { onClose: async () => void (closed += 1) } })

    await agent.card()
    await Promise.all([agent.close(), agent[Symbol.asyncDispose]()])

    expect(closed).toBe(1)
    for (const use of [agent.card(), agent.send('hi'), agent.getTask('t1')]) {
      expect(await failure(use)).toMatchObject({
        name: 'A2AUsageError',
        code: 'BAD_USE',
        message: `the handle of Echo Desk (${helpdesk.url}) was closed`,
      })
    }
  })

  test('returns the log of all exchanges', async () => {
    await using helpdesk = await startFixture([card03(), echo03])
    const agent = handleOf(helpdesk)

    await agent.send('hi')

    expect(agent.exchanges.map(({ purpose, status }) => `${purpose} ${status}`)).toEqual([
      'agent card 200',
      'message/send 200',
    ])
  })
})

describe('the card', () => {
  test('is judged by the rules of its version, and knows where it was found', async () => {
    await using helpdesk = await startFixture([card03()])

    const { discovery, report } = await handleOf(helpdesk).card()

    expect(discovery.found?.url).toBe(`${helpdesk.url}/.well-known/agent-card.json`)
    expect(report.shape).toMatchObject({ kind: 'card', version: '0.3' })
    expect(report.errors).toEqual([])
  })

  test('passed as an object is not fetched', async () => {
    await using helpdesk = await startFixture([echo03])
    const card = JSON.parse(helpdesk.fill(JSON.stringify(CARD03))) as Record<string, unknown>

    for (const agent of [
      handleOf(helpdesk, { card }),
      handleOf(helpdesk, {}, { extra: { cardObject: card } }),
    ]) {
      expect((await agent.card()).report.errors).toEqual([])
      expect((await agent.send('hi')).text).toBe('hi')
    }
    expect(gets(helpdesk)).toBe(0)
  })

  test('passed as an object may have a relative url', async () => {
    await using helpdesk = await startFixture([echo03])

    const reply = await handleOf(helpdesk, { card: { ...CARD03, url: '/rpc' } }).send('hi')

    expect(reply.text).toBe('hi')
    expect(reply.findings).toMatchObject([{ id: 'wire/relative-address' }])
  })

  test('at cardUrl is the only one requested', async () => {
    await using helpdesk = await startFixture([{ ...card10(), on: 'GET /v1/card' }, echo10])

    expect((await handleOf(helpdesk, { cardUrl: `${helpdesk.origin}/v1/card` }).send('hi')).text).toBe('hi')
    expect(gets(helpdesk)).toBe(1)
  })

  test('missing on the server is returned as a result, for a check to report', async () => {
    await using helpdesk = await startFixture([])

    const { discovery, report } = await handleOf(helpdesk).card()

    expect(discovery.found).toBeUndefined()
    expect(discovery.attempts).toHaveLength(2)
    expect(report).toMatchObject({ scores: { card: 0 }, interfaces: [], errors: [{ id: 'card/found' }] })
  })

  test('missing on the server ends a conversation, with every location that was tried', async () => {
    await using helpdesk = await startFixture({ base: 'http://127.0.0.1:4100/desk', exchange: [] })

    const error = await failure(handleOf(helpdesk).send('hi'))

    expect(error).toMatchObject({ name: 'A2AReplyError', code: 'NO_CARD' })
    for (const below of ['/desk', '']) {
      for (const name of ['agent-card.json', 'agent.json']) {
        expect(error.message).toContain(`${helpdesk.origin}${below}/.well-known/${name} → 404`)
      }
    }
    expect(posts(helpdesk)).toEqual([])
  })

  test('of an agent that does not answer at all is a connection error (J04)', async () => {
    const helpdesk = { url: `http://127.0.0.1:${await freePort()}` }
    const agent = handleOf(helpdesk)

    for (const work of [agent.card(), agent.send('hi')]) {
      const error = await failure(work)
      expect(error).toMatchObject({ name: 'A2AConnectionError', code: 'UNREACHABLE' })
      expect(error.message).toContain(`could not connect to ${new URL(helpdesk.url).host}`)
      expect(error.message).toContain('connection refused')
      expect(error.fix).toContain('Is the agent running?')
    }
  })

  test('J04: localhost is ::1 only, and the message says what to use', async () => {
    const port = await freePort()
    const agent = handleOf(
      { url: `http://localhost:${port}` },
      {},
      {
        deps: {
          lookup: (_host, options, callback) =>
            options.all ? callback(null, [{ address: '::1', family: 6 }]) : callback(null, '::1', 6),
        },
      },
    )

    const error = await failure(agent.card())

    expect(error.name).toBe('A2AConnectionError')
    expect(error.message).toContain(`could not connect to localhost:${port} (tried ::1)`)
    // A machine without IPv6 says something else than "refused".
    if (String(error.message).includes('refused')) {
      expect(error.fix).toBe(
        `Is the agent running? If it listens on IPv4 only, use http://127.0.0.1:${port}.`,
      )
    }
  })
})

describe('headers and credentials', () => {
  const needs = { authorization: 'Bearer test' }
  const locked = {
    ...card10(),
    needs,
    else: {
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="helpdesk"' },
      json: { error: 'unauthorized' },
    },
  }

  test('headers are also sent with the card request (I01)', async () => {
    await using helpdesk = await startFixture([locked, { ...echo10, needs }])

    expect((await handleOf(helpdesk, { headers: needs }).send('hi')).text).toBe('hi')
  })

  test('without them the message starts with the 401 (I01)', async () => {
    await using helpdesk = await startFixture([locked])

    const error = await failure(handleOf(helpdesk).send('hi'))

    expect(error).toMatchObject({ code: 'NO_CARD', status: 401 })
    expect(error.message).toMatch(/^no agent card was found: http:\S+agent-card\.json answered 401/)
    expect(error.message).toContain('Bearer realm="helpdesk"')
    expect(error.fix).toContain('some hosts answer 401 for unknown paths')
  })

  test.each([
    [
      'good03',
      {
        ...card03({
          securitySchemes: { helpdesk: { type: 'apiKey', in: 'header', name: 'X-Desk-Key' } },
          security: [{ helpdesk: [] }],
        }),
      },
      echo03,
    ],
    [
      'good10',
      card10({
        securitySchemes: { helpdesk: { apiKeySecurityScheme: { location: 'header', name: 'X-Desk-Key' } } },
        securityRequirements: [{ schemes: { helpdesk: { list: [] } } }],
      }),
      echo10,
    ],
  ])('credentials become what the card says (I03, %s)', async (_, card, echo) => {
    await using helpdesk = await startFixture([card, { ...echo, needs: { 'x-desk-key': 'k-123' } }])
    const agent = handleOf(helpdesk, { credentials: { helpdesk: 'k-123' } })

    expect((await agent.send('hi')).text).toBe('hi')
    expect(posts(helpdesk)[0]?.headers).not.toHaveProperty('x-api-key')
    expect(agent.secrets).toContain('k-123')
  })

  test('credentials in the query', async () => {
    await using helpdesk = await startFixture([
      card03({ securitySchemes: { helpdesk: { type: 'apiKey', in: 'query', name: 'key' } } }),
      { ...echo03, on: 'POST /rpc?key=k-123' },
    ])

    expect((await handleOf(helpdesk, { credentials: { helpdesk: 'k-123' } }).send('hi')).text).toBe('hi')
  })

  test('a credential is created again after a 401', async () => {
    const card = card03({ securitySchemes: { helpdesk: { type: 'http', scheme: 'bearer' } } })
    await using helpdesk = await startFixture([
      card,
      { ...echo03, needs: { authorization: 'Bearer new' }, else: { status: 401, json: {} } },
    ])

    const agent = handleOf(helpdesk, {
      credentials: { helpdesk: ({ refresh }) => (refresh ? 'new' : 'old') },
    })

    expect((await agent.send('hi')).text).toBe('hi')
    expect(posts(helpdesk).map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new'])
  })

  test('a scheme that the card does not declare is a usage error, and the card can still be checked', async () => {
    await using helpdesk = await startFixture([
      card03({ securitySchemes: { helpdesk: { type: 'http', scheme: 'bearer' } } }),
      echo03,
    ])
    const agent = handleOf(helpdesk, { credentials: { desc: 'k' } })

    expect((await agent.card()).report.shape.kind).toBe('card')
    expect(await failure(agent.send('hi'))).toMatchObject({
      name: 'A2AUsageError',
      code: 'BAD_OPTIONS',
      message:
        'credentials names the scheme "desc", which the agent card does not declare: it has "helpdesk"',
    })
    expect(posts(helpdesk)).toEqual([])
  })

  test('credentials without a card are an error', async () => {
    await using helpdesk = await startFixture([echo03])
    const options = { endpoint: `${helpdesk.origin}/rpc`, credentials: { helpdesk: 'k' } }

    expect(await failure(handleOf(helpdesk, options).send('hi'))).toMatchObject({
      code: 'BAD_OPTIONS',
      message: 'option credentials needs the agent card, which says where they go; none was found',
    })
    expect(await failure(handleOf(helpdesk, { credentials: { helpdesk: 'k' } }).send('hi'))).toMatchObject({
      code: 'NO_CARD',
    })
  })

  test('is not sent to another origin that the card names, unless that is trusted (I05)', async () => {
    const fixture = [
      card03({ url: 'http://127.0.0.1:4999/rpc' }),
      { ...echo03, port: 4999, times: '*' as const },
    ]
    await using helpdesk = await startFixture(fixture)
    const headers = { authorization: 'Bearer secret' }

    const reply = await handleOf(helpdesk, { headers }).send('hi')

    expect(posts(helpdesk)[0]?.port).toBe(4999)
    expect(posts(helpdesk)[0]?.headers).not.toHaveProperty('authorization')
    expect(reply.findings).toContainEqual(
      expect.objectContaining({
        id: 'wire/credentials-withheld',
        level: 'warning',
        message: expect.stringContaining(
          `the card points to ${helpdesk.origins[4999]}, a different origin from ${helpdesk.origin}`,
        ) as string,
      }),
    )

    await handleOf(helpdesk, { headers, trustedOrigins: [helpdesk.origins[4999]!] }).send('hi')
    expect(posts(helpdesk)[1]?.headers.authorization).toBe('Bearer secret')
  })

  test('an endpoint from the options is trusted like the address', async () => {
    await using helpdesk = await startFixture([card03(), { ...echo03, port: 4999 }], { ports: [4999] })

    await handleOf(helpdesk, {
      headers: { authorization: 'Bearer secret' },
      endpoint: `${helpdesk.origins[4999]}/rpc`,
    }).send('hi')

    expect(posts(helpdesk)[0]).toMatchObject({ port: 4999, headers: { authorization: 'Bearer secret' } })
  })

  test('a password in the address is used, and never printed', async () => {
    await using helpdesk = await startFixture([card03(), echo03])
    const agent = handleOf({ url: helpdesk.url.replace('http://', 'http://ann:s3cret@') })

    await agent.send('hi')

    const basic = `Basic ${Buffer.from('ann:s3cret').toString('base64')}`
    expect(posts(helpdesk)[0]?.headers.authorization).toBe(basic)
    expect(agent.label()).not.toContain('s3cret')
    expect(agent.url).not.toContain('s3cret')
    expect(agent.secrets).toContain(basic)
  })
})

test('a subject that we serve is called at our origin, whatever its card says', async () => {
  await using helpdesk = await startFixture([card03({ url: 'https://prod.example/rpc' }), echo03])

  const reply = await handleOf(helpdesk, {}, { extra: { served: helpdesk.origin } }).send('hi')

  expect(reply.text).toBe('hi')
  expect(reply.findings).toMatchObject([{ id: 'wire/address-moved', level: 'note' }])
})
