import { describe, expect, test } from 'vitest'
import { cardLocations, discoverCard, discoveryError, noCardLead } from '../../src/card/discover.ts'
import type { Discovery } from '../../src/card/types.ts'
import { systemDeps } from '../../src/core/deps.ts'
import { A2AConnectionError, A2APolicyError, A2AUsageError, type A2AError } from '../../src/core/errors.ts'
import { createTransport, defaultLimits, type TransportOptions } from '../../src/http/transport.ts'
import type { HttpRequest, OpenResponse, Transport } from '../../src/http/types.ts'
import { startFixture, type Fixture } from '../support/fixtureServer.ts'
import { freePort } from '../support/freePort.ts'
import { card03, card10 } from './cards.ts'

async function look(
  fixture: Fixture,
  options: Partial<TransportOptions> = {},
): Promise<{ discovery: Discovery; sent: string[] }> {
  await using served = await startFixture(fixture)
  const transport = createTransport({ typedUrl: served.url, deps: systemDeps(), ...options })
  try {
    const discovery = await discoverCard({ target: served.url, transport })
    const sent = served.requests.map(
      ({ path, headers }) => `${path} ${headers['a2a-version'] ?? 'no version'}`,
    )
    return { discovery, sent }
  } finally {
    await transport.close()
  }
}

/** A transport that answers from a table: an error to throw, or a body with its status and type. */
function canned(
  answer: (request: HttpRequest) => Partial<OpenResponse> | Error,
): Transport & { sent: HttpRequest[] } {
  const sent: HttpRequest[] = []
  return {
    limits: defaultLimits,
    exchanges: [],
    sent,
    close: async () => {},
    async open(request) {
      sent.push(request)
      const given = answer(request)
      if (given instanceof Error) throw given
      return {
        status: 200,
        headers: {},
        mediaType: 'application/json',
        url: request.url,
        exchange: {
          purpose: '',
          method: 'GET',
          url: request.url,
          requestHeaders: {},
          withheld: [],
          redirects: [],
          startedAt: 0,
        },
        text: async () => '{}',
        chunks: async function* () {},
        abort: () => {},
        ...given,
      }
    },
  }
}

const outcomes = ({ attempts }: Discovery): string[] => attempts.map(({ outcome }) => outcome)
const target = 'http://desk.example/support'

describe('the locations', () => {
  test.each([
    [
      'https://a.example/support',
      [
        '/support/.well-known/agent-card.json',
        '/support/.well-known/agent.json',
        '/.well-known/agent-card.json',
        '/.well-known/agent.json',
      ],
    ],
    [
      'https://a.example/support/',
      [
        '/support/.well-known/agent-card.json',
        '/support/.well-known/agent.json',
        '/.well-known/agent-card.json',
        '/.well-known/agent.json',
      ],
    ],
    ['https://a.example', ['/.well-known/agent-card.json', '/.well-known/agent.json']],
    ['https://a.example/', ['/.well-known/agent-card.json', '/.well-known/agent.json']],
    ['https://a.example/?key=1#top', ['/.well-known/agent-card.json?key=1', '/.well-known/agent.json?key=1']],
    ['https://a.example/cards/desk.json', ['/cards/desk.json']],
    ['https://a.example/cards/desk.JSON?v=2', ['/cards/desk.JSON?v=2']],
    ['https://a.example/.well-known/agent-card.json/', ['/.well-known/agent-card.json']],
    [
      'https://a.example/a%20b',
      [
        '/a%20b/.well-known/agent-card.json',
        '/a%20b/.well-known/agent.json',
        '/.well-known/agent-card.json',
        '/.well-known/agent.json',
      ],
    ],
  ])('of %s', (typed, paths) => {
    expect(cardLocations(typed)).toEqual(paths.map((path) => `https://a.example${path}`))
  })

  test.each([
    ['https://b.example/v1/card', 'https://b.example/v1/card'],
    ['/v1/card', 'https://a.example/v1/card'],
  ])('with cardUrl %s', (cardUrl, url) => {
    expect(cardLocations('https://a.example/support', cardUrl)).toEqual([url])
  })

  test('of something other than an address', () => {
    expect(() => cardLocations('a.example')).toThrow(
      'the agent address "a.example" must be an absolute http(s) URL',
    )
    expect(() => cardLocations('https://a.example', 'ftp://b')).toThrow('option cardUrl "ftp://b" must be')
    expect(() => cardLocations('a.example')).toThrow(expect.objectContaining({ code: 'BAD_SUBJECT' }))
  })
})

describe('a request for a card', () => {
  test('asks for JSON in the newest version, with the limits of cards', async () => {
    const transport = canned(() => ({ status: 404, mediaType: '' }))
    await discoverCard({ target, transport })
    expect(transport.sent).toHaveLength(4)
    expect(transport.sent[0]).toMatchObject({
      method: 'GET',
      url: 'http://desk.example/support/.well-known/agent-card.json',
      headers: { Accept: 'application/json', 'A2A-Version': '1.0' },
      purpose: 'agent card',
      timeoutMs: 20_000,
      timeoutOption: 'limits.cardTimeoutMs',
      maxBytes: 524_288,
      maxBytesOption: 'maxCardBytes',
    })
  })

  test.each([
    ['0.3', [undefined, '1.0']],
    ['0.1', [undefined, '1.0']],
    ['1.0', ['1.0', undefined]],
  ] as const)(
    'for an agent that is to be called as %s asks for the card of that version first',
    async (version, asked) => {
      const transport = canned(({ headers }) => ({
        status: headers['A2A-Version'] === asked[0] ? 400 : 200,
        mediaType: 'application/json',
      }))
      const { findings } = await discoverCard({ target: `${target}/card.json`, version, transport })
      expect(transport.sent.map(({ headers }) => headers['A2A-Version'])).toEqual(asked)
      const [first, second] = asked[0] === undefined ? ['without', 'with'] : ['with', 'without']
      expect(findings[0]?.message).toContain(
        `400 to a request ${first} the header A2A-Version: 1.0, and 200 to one ${second} it`,
      )
    },
  )

  test.each([400, 406])('is repeated once without the version header after %i', async (status) => {
    const { discovery, sent } = await look({
      exchange: [
        { on: 'GET /.well-known/agent-card.json', needs: { 'a2a-version': '1.0' }, status, times: 1 },
        { on: 'GET /.well-known/agent-card.json', json: '$CARD03' },
      ],
    })
    expect(sent).toEqual(['/.well-known/agent-card.json 1.0', '/.well-known/agent-card.json no version'])
    expect(discovery.found?.json).toMatchObject({ protocolVersion: '0.3.0' })
    expect(discovery.findings).toMatchObject([{ id: 'card/version-header', level: 'note' }])
  })

  test('is repeated only once', async () => {
    const { discovery, sent } = await look({
      exchange: [{ on: 'GET /.well-known/agent-card.json', status: 400, times: '*' }],
    })
    expect(sent).toEqual([
      '/.well-known/agent-card.json 1.0',
      '/.well-known/agent-card.json no version',
      '/.well-known/agent.json 1.0',
    ])
    expect(discovery.findings).toEqual([])
    expect(discovery.attempts[0]?.status).toBe(400)
  })
})

describe('the first 200 answer that is a JSON object', () => {
  test('wins, and nothing more is requested', async () => {
    const { discovery, sent } = await look({
      base: 'http://127.0.0.1:4100/desk',
      exchange: [
        { on: 'GET /desk/.well-known/agent-card.json', json: ['no', 'object'] },
        { on: 'GET /desk/.well-known/agent.json', status: 500, json: card03() },
        { on: 'GET /.well-known/agent-card.json', json: card10() },
        { on: 'GET /.well-known/agent.json', json: card03() },
      ],
    })
    expect(outcomes(discovery)).toEqual([
      '200 application/json, expected a JSON object, not a list',
      '500 application/json',
      '200 application/json',
    ])
    expect(discovery.attempts.map(({ found }) => found)).toEqual([false, false, true])
    expect(discovery.found?.url).toMatch(/\/\.well-known\/agent-card\.json$/)
    expect(sent).toHaveLength(3)
    expect(discoveryError(discovery)).toBeUndefined()
  })

  test('is found after redirects', async () => {
    const { discovery } = await look({
      exchange: [
        { on: 'GET /.well-known/agent-card.json', status: 302, headers: { location: '/cards/desk' } },
        { on: 'GET /cards/desk', json: card03() },
      ],
    })
    expect(discovery.found?.url).toMatch(/\/cards\/desk$/)
  })

  test('may begin with a byte order mark', async () => {
    const transport = canned(() => ({ text: async () => `\uFEFF${JSON.stringify(card03())}` }))
    expect((await discoverCard({ target, transport })).found?.json).toEqual(card03())
  })
})

describe('an answer that is not a card', () => {
  test.each([
    ['', '200 application/json, an empty body, expected JSON'],
    ['{"name": ', '200 application/json, expected JSON: "{\\"name\\":"'],
    ['"text"', '200 application/json, expected a JSON object, not "text"'],
    ['null', '200 application/json, expected a JSON object, not null'],
    [
      '  <html>\n<body>',
      '200 application/json, an HTML page (login page or SPA fallback?), expected JSON: "<html> <body>"',
    ],
  ])('%j', async (body, outcome) => {
    const transport = canned(() => ({ text: async () => body }))
    const discovery = await discoverCard({ target, transport })
    expect(outcomes(discovery)).toEqual([outcome, outcome, outcome, outcome])
    const error = discoveryError(discovery)
    expect(error).toMatchObject({ name: 'A2AReplyError', code: 'NO_CARD' })
    expect(error?.message.split('\n')).toHaveLength(5)
    expect(error?.message).toMatch(/^no agent card was found at any location:/)
  })

  test('a card over 512 KB is refused, and the limit is named', async () => {
    const { discovery } = await look({
      exchange: [{ on: 'GET /.well-known/agent-card.json', json: card03({ blob: 'x'.repeat(600_000) }) }],
    })
    expect(discovery.found).toBeUndefined()
    expect(outcomes(discovery)[0]).toContain(
      'larger than 524288 bytes, so it was not read on (limits.maxCardBytes)',
    )
    expect(discoveryError(discovery)).toMatchObject({ code: 'NO_CARD' })
  })

  test('the limit can be raised', async () => {
    const { discovery } = await look(
      { exchange: [{ on: 'GET /.well-known/agent-card.json', json: card03({ blob: 'x'.repeat(600_000) }) }] },
      { limits: { maxCardBytes: 1_000_000 } },
    )
    expect(discovery.found?.json).toHaveProperty('blob')
  })

  test('401, 403 and 5xx come first in the message, at any location', () => {
    const attempts = [
      { url: 'https://a.example/1', outcome: '404', found: false, status: 404 },
      { url: 'https://a.example/2', outcome: '403 text/html', found: false, status: 403 },
    ]
    expect(noCardLead(attempts)).toMatchObject({
      status: 403,
      message: 'no agent card was found: https://a.example/2 answered 403 text/html; all locations:',
      fix: expect.stringContaining('some hosts answer 403 for unknown paths'),
    })
    expect(noCardLead([{ ...attempts[0]!, status: 502, outcome: '502' }]).fix).toContain("agent's own log")
  })
})

describe('no answer', () => {
  const refused = (): A2AError =>
    new A2AConnectionError('UNREACHABLE', 'could not connect', {
      cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
    })
  const causedByItself = (): A2AError => {
    const cause = new Error('in circles')
    cause.cause = cause
    return new A2AConnectionError('UNREACHABLE', 'could not connect', { cause })
  }

  test('a closed port: every location is tried, and the error is not a verdict about the agent', async () => {
    const url = `http://127.0.0.1:${await freePort()}/desk`
    const transport = createTransport({ typedUrl: url, deps: systemDeps() })
    const discovery = await discoverCard({ target: url, transport })
    await transport.close()
    expect(outcomes(discovery)).toEqual(Array.from({ length: 4 }, () => 'connection refused'))
    expect(discovery.attempts.every(({ status }) => status === undefined)).toBe(true)
    expect(discoveryError(discovery)).toMatchObject({ name: 'A2AConnectionError', code: 'UNREACHABLE' })
  })

  test.each([
    [new A2AConnectionError('TIMEOUT', 'x'), 'no answer within 20000 ms'],
    [
      new A2AConnectionError('TLS', 'the certificate of desk.example has expired\nmore'),
      'the certificate of desk.example has expired',
    ],
    [
      new A2APolicyError('REFUSED_BY_POLICY', 'not followed: http after https'),
      'not followed: http after https',
    ],
    [refused(), 'connection refused'],
    [new A2AConnectionError('UNREACHABLE', 'odd'), 'odd'],
    [causedByItself(), 'could not connect'],
  ])('%s', async (error, outcome) => {
    const discovery = await discoverCard({ target, transport: canned(() => error) })
    expect(outcomes(discovery)).toEqual([outcome, outcome, outcome, outcome])
    expect(discoveryError(discovery)).toBe(error)
  })

  test('at some locations only: a server answered, so the agent has no card', async () => {
    const transport = canned(({ url }) =>
      url.includes('support')
        ? new A2AConnectionError('TIMEOUT', 'x')
        : { status: 404, mediaType: 'text/plain' },
    )
    const discovery = await discoverCard({ target, transport })
    expect(outcomes(discovery)).toEqual([
      'no answer within 20000 ms',
      'no answer within 20000 ms',
      '404 text/plain',
      '404 text/plain',
    ])
    expect(discoveryError(discovery)).toMatchObject({ name: 'A2AReplyError', code: 'NO_CARD' })
  })

  test.each([
    new A2AConnectionError('DEADLINE', 'time is over'),
    new A2AConnectionError('ABORTED', 'stopped'),
    new A2AUsageError('BAD_OPTIONS', 'option headers …'),
    new TypeError('a bug'),
  ])('%s ends the search at once', async (error) => {
    const transport = canned(() => error)
    await expect(discoverCard({ target, transport })).rejects.toBe(error)
    expect(transport.sent).toHaveLength(1)
  })
})
