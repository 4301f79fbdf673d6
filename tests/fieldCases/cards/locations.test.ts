import { describe, expect, test } from 'vitest'
import { checkAgentCard } from '../../../src/card/checkAgentCard.ts'
import { startFixture, type Fixture } from '../../support/fixtureServer.ts'
import { bare, card03, interface10 } from '../../card/cards.ts'
import { levels, look, type Seen } from '../../card/look.ts'

const paths = ({ requests }: Seen): string[] => requests.map(({ method, path }) => `${method} ${path}`)

describe('A01 only the pre-0.3 card path exists', () => {
  const scene = (card: unknown): Fixture => ({
    exchange: [
      { on: 'GET /.well-known/agent-card.json', status: 404, json: { detail: 'Not Found' } },
      { on: 'GET /.well-known/agent.json', json: card },
    ],
  })

  test('a card without a version there: a warning with both paths', async () => {
    const seen = await look(scene(bare()))
    expect(seen.discovery.attempts.map(({ outcome, found }) => [outcome, found])).toEqual([
      ['404 application/json', false],
      ['200 application/json', true],
    ])
    expect(levels(seen.report)).toEqual(['warning card/legacy-path', 'warning card/protocol-version'])
    expect(seen.report?.warnings[0]?.message).toBe(
      'the card is only at the legacy path /.well-known/agent.json; clients of A2A 0.3 and later look for /.well-known/agent-card.json',
    )
  })

  test('a 0.3 card there: a warning', async () => {
    expect(levels((await look(scene(card03()))).report)).toEqual(['warning card/legacy-path'])
  })

  test('a card that says 0.2 there is right', async () => {
    expect(levels((await look(scene(card03({ protocolVersion: '0.2.6' })))).report)).toEqual([])
  })

  test('a 0.1 card there is right too, because 0.1 has no other path', async () => {
    const { report } = await look(scene(bare({ authentication: { schemes: ['bearer'] } })))
    expect(levels(report)).toEqual(['warning card/protocol-version'])
  })

  test('no warning if the user typed the legacy address', async () => {
    await using served = await startFixture(scene(card03()))
    const url = `${served.origin}/.well-known/agent.json`
    const report = checkAgentCard(card03(), { typedUrl: url, cardUrl: url })
    expect(levels(report)).not.toContain('warning card/legacy-path')
  })

  test('a 403 does not stop the search, because all locations are tried whatever they answer; it leads the message', async () => {
    const found = await look({
      exchange: [
        { on: 'GET /.well-known/agent-card.json', status: 403, text: 'no' },
        { on: 'GET /.well-known/agent.json', json: card03() },
      ],
    })
    expect(found.report?.errors).toEqual([])
    const none = await look({
      base: 'http://127.0.0.1:4100/desk',
      exchange: [{ on: 'GET /.well-known/agent.json', status: 503, text: 'down' }],
    })
    expect(none.error).toMatchObject({ name: 'A2AReplyError', code: 'NO_CARD', status: 503 })
    expect(none.error?.message).toMatch(
      /^no agent card was found: \S+\/\.well-known\/agent\.json answered 503/,
    )
    expect(paths(none)).toHaveLength(4)
    for (const { url, outcome } of none.discovery.attempts) {
      expect(none.error?.message).toContain(`${url} → ${outcome}`)
    }
  })
})

describe('A02 the base URL has a path, and the card lives under it', () => {
  test.each(['/agents/desk', '/agents/desk/', '/agents/desk///'])('%s', async (path) => {
    const seen = await look({
      base: `http://127.0.0.1:4100${path}`,
      exchange: [{ on: 'GET /agents/desk/.well-known/agent-card.json', json: '$CARD03' }],
    })
    expect(paths(seen)).toEqual(['GET /agents/desk/.well-known/agent-card.json'])
    expect(levels(seen.report)).toEqual([])
  })

  test.each(['/agents/desk/.well-known/agent-card.json', '/.well-known/agent.json', '/cards/desk.json'])(
    'the card URL %s is asked as it is, and nothing else',
    async (path) => {
      const found = await look({
        base: `http://127.0.0.1:4100${path}`,
        exchange: [{ on: `GET ${path}`, json: '$CARD03' }],
      })
      expect(paths(found)).toEqual([`GET ${path}`])
      expect(levels(found.report)).toEqual([])
      const none = await look({ base: `http://127.0.0.1:4100${path}`, exchange: [] })
      expect(paths(none)).toEqual([`GET ${path}`])
    },
  )
})

describe('A04 card at a vendor path behind a token', () => {
  const path = '/projects/p1/agents/desk/a2a/agentCard/v1.0'
  const scene: Fixture = {
    base: 'http://127.0.0.1:4100/projects/p1/agents/desk',
    exchange: [
      { on: `GET ${path}`, needs: { authorization: 'Bearer test' }, else: { status: 401 }, json: '$CARD10' },
    ],
  }

  test('is found with cardUrl and headers, and no well-known path is requested', async () => {
    const seen = await look(scene, {
      cardUrl: `http://127.0.0.1:4100${path}`,
      headers: { authorization: 'Bearer test' },
    })
    expect(paths(seen)).toEqual([`GET ${path}`])
    expect(levels(seen.report)).toEqual([])
  })

  test('cardUrl may be a path', async () => {
    const seen = await look(scene, { cardUrl: path, headers: { authorization: 'Bearer test' } })
    expect(paths(seen)).toEqual([`GET ${path}`])
  })

  test('fails without it, lists what was tried and names the option', async () => {
    const seen = await look(scene, { headers: { authorization: 'Bearer test' } })
    expect(seen.error?.code).toBe('NO_CARD')
    expect(seen.error?.message.match(/ → 404/g)).toHaveLength(4)
    expect(seen.error?.fix).toBe('Pass the option cardUrl when the card is served elsewhere.')
  })
})

describe('A09 HTML or plain text where the card should be', () => {
  test('an HTML page', async () => {
    const seen = await look({
      exchange: [
        {
          on: 'GET /.well-known/agent-card.json',
          headers: { 'content-type': 'text/html; charset=utf-8' },
          text: '<!doctype html><title>Desk</title>',
        },
      ],
    })
    expect(seen.requests[0]?.headers).toMatchObject({ accept: 'application/json', 'a2a-version': '1.0' })
    expect(seen.discovery.attempts[0]?.outcome).toBe(
      '200 text/html, an HTML page (login page or SPA fallback?), expected JSON: "<!doctype html><title>Desk</title>"',
    )
    expect(seen.error?.message).toContain(
      `${seen.url}/.well-known/agent-card.json → 200 text/html, an HTML page`,
    )
  })

  test.each([
    ['text/plain', 'the card is served as text/plain, not as application/json'],
    ['application/octet-stream', 'the card is served as application/octet-stream'],
    ['', 'the card is served without a content-type'],
  ])('JSON served as %j is read, with a warning', async (type, says) => {
    const seen = await look({
      exchange: [
        {
          on: 'GET /.well-known/agent-card.json',
          headers: { 'content-type': type },
          text: JSON.stringify(card03({ url: 'http://127.0.0.1:4100/rpc' })),
        },
      ],
    })
    expect(levels(seen.report)).toContain('warning card/content-type')
    expect(seen.report?.warnings.map(({ message }) => message).join('\n')).toContain(says)
  })

  test.each(['application/a2a+json', 'application/json; charset=utf-8'])('%s: no warning', async (type) => {
    const seen = await look({
      exchange: [
        { on: 'GET /.well-known/agent-card.json', headers: { 'content-type': type }, json: '$CARD03' },
      ],
    })
    expect(levels(seen.report)).toEqual([])
  })
})

test('A11 a gateway doubles the path: the card itself passes', async () => {
  const seen = await look({
    base: 'http://127.0.0.1:4100/a2a/tick',
    exchange: [
      {
        on: 'GET /a2a/tick/.well-known/agent-card.json',
        json: '$CARD10',
        patch: { supportedInterfaces: [interface10({ url: 'http://127.0.0.1:4100/a2a/tick/a2a/tock/' })] },
      },
    ],
  })
  expect(levels(seen.report)).toEqual([])
})

describe('I01 401 on the card', () => {
  const scene: Fixture = {
    exchange: [
      {
        on: 'GET /.well-known/agent-card.json',
        needs: { authorization: 'Bearer test' },
        else: {
          status: 401,
          headers: { 'www-authenticate': 'Bearer realm="helpdesk"' },
          json: { error: 'unauthorized' },
        },
        json: '$CARD10',
      },
    ],
  }

  test('headers go along with the request for the card', async () => {
    const seen = await look(scene, { headers: { authorization: 'Bearer test' } })
    expect(levels(seen.report)).toEqual([])
  })

  test('without them the message leads with the 401 and what it asks for', async () => {
    const { error, url } = await look(scene)
    expect(error?.message).toContain(
      `no agent card was found: ${url}/.well-known/agent-card.json answered 401 application/json (WWW-Authenticate: Bearer realm="helpdesk")`,
    )
    expect(error?.fix).toContain('credentials are missing (option headers) or the path is wrong')
    expect(error?.fix).toContain('some hosts answer 401 for unknown paths')
  })
})
