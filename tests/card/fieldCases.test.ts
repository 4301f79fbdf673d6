import { describe, expect, test } from 'vitest'
import { checkAgentCard } from '../../src/card/checkAgentCard.ts'
import { discoverCard, discoveryError } from '../../src/card/discover.ts'
import type { CardReport, Discovery } from '../../src/card/types.ts'
import { systemDeps } from '../../src/deps.ts'
import type { A2AError } from '../../src/errors.ts'
import { createTransport, type TransportOptions } from '../../src/transport/transport.ts'
import {
  startFixture,
  type Fixture,
  type FixtureOptions,
  type RecordedRequest,
} from '../support/fixtureServer.ts'
import { loopbackLookup, testCa, testTls } from '../support/tls.ts'
import { card03, card10, interface10, local } from './cards.ts'

interface Seen {
  discovery: Discovery
  report?: CardReport
  error?: A2AError
  requests: RecordedRequest[]
  url: string
}

/** Serves a fixture over a socket, looks for its card there, and judges it. */
async function look(
  fixture: Fixture,
  options: Partial<TransportOptions> & { cardUrl?: string } = {},
  server: FixtureOptions = {},
): Promise<Seen> {
  await using served = await startFixture(fixture, server)
  const deps = systemDeps(server.host === undefined ? {} : { lookup: loopbackLookup })
  const url = server.host === undefined ? served.url : served.url.replace('127.0.0.1', server.host)
  const transport = createTransport({ typedUrl: url, deps, ...options })
  try {
    const cardUrl = options.cardUrl === undefined ? {} : { cardUrl: served.fill(options.cardUrl) }
    const discovery = await discoverCard({ target: url, transport, ...cardUrl })
    const seen: Seen = { discovery, requests: served.requests, url }
    const error = discoveryError(discovery)
    if (error !== undefined) seen.error = error
    const { found } = discovery
    if (found !== undefined) {
      const { mediaType, headers } = found
      seen.report = checkAgentCard(found.json, {
        typedUrl: url,
        cardUrl: found.url,
        response: { mediaType, headers },
      })
    }
    return seen
  } finally {
    await transport.close()
  }
}

const paths = ({ requests }: Seen): string[] => requests.map(({ method, path }) => `${method} ${path}`)
const levels = (report: CardReport | undefined): string[] =>
  (report?.findings ?? []).filter(({ level }) => level !== 'note').map(({ id, level }) => `${level} ${id}`)

const bare = (patch: Record<string, unknown> = {}): Record<string, unknown> => {
  const { protocolVersion: _, preferredTransport: __, ...card } = card03(patch)
  return card
}

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

  test('a 0.1 card there is right too, for 0.1 knows no other path', async () => {
    const { report } = await look(scene(bare({ authentication: { schemes: ['bearer'] } })))
    expect(levels(report)).toEqual(['warning card/protocol-version'])
  })

  test('whoever types the legacy address asked for it', async () => {
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
    expect(seen.error?.mend).toBe('Pass the option cardUrl when the card is served elsewhere.')
  })
})

const desk = 'https://desk.example'
const fromDesk = { typedUrl: desk, cardUrl: `${desk}/.well-known/agent-card.json` }

describe('A05 the card advertises an unroutable or container-only address', () => {
  test.each([
    ['http://0.0.0.0:8000/', '0.0.0.0 is a bind address, not an address a client can call'],
    ['http://[::]:8081/invoke', ':: is a bind address, not an address a client can call'],
    ['http://10.0.3.7:9090/a2a', '10.0.3.7 is a private address'],
    ['http://desk.example:8000/', 'plain http, but the card came from https://desk.example by https'],
  ])('%s in a card from a public host: an error', (url, says) => {
    const { errors } = checkAgentCard(card03({ url }), fromDesk)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ path: 'url' })
    expect(errors[0]?.message).toContain(JSON.stringify(url))
    expect(errors[0]?.message).toContain(desk)
    expect(errors[0]?.message).toContain(says)
  })

  test.each(['http://localhost:8000/', 'http://127.0.0.1:8000/'])(
    '%s in a card from a public host: a warning and no error, because the path is moved onto the host that was given',
    (url) => {
      const report = checkAgentCard(card03({ url }), fromDesk)
      expect(levels(report)).toEqual(['warning card/loopback-address'])
      expect(report.warnings[0]?.message).toContain(`its path is called at ${desk} instead`)
    },
  )

  test.each(['http://0.0.0.0:4100/', 'http://[::]:4100/invoke', 'http://10.0.3.7:9090/a2a'])(
    '%s in a card from loopback: warnings',
    (url) => {
      const report = checkAgentCard(card03({ url }), local)
      expect(report.errors).toEqual([])
      expect(report.warnings.length).toBeGreaterThan(0)
    },
  )

  test('the same host with another port: a warning', () => {
    expect(levels(checkAgentCard(card03({ url: `${desk}:8443/` }), fromDesk))).toEqual([
      'warning card/other-origin',
    ])
  })

  test('in supportedInterfaces the path says which one', () => {
    const card = card10({
      supportedInterfaces: [interface10({ url: `${desk}/rpc` }), interface10({ url: 'https://0.0.0.0/' })],
    })
    expect(checkAgentCard(card, fromDesk).errors.map(({ path }) => path)).toEqual([
      'supportedInterfaces[1].url',
    ])
  })
})

describe('A06 TLS ends at the proxy: the card fetched by https says http', () => {
  test('over a real TLS connection', async () => {
    const card = card10({
      supportedInterfaces: [
        interface10({ url: 'http://desk.example/rpc' }),
        interface10({ url: 'http://desk.example/rest', protocolBinding: 'HTTP+JSON' }),
      ],
    })
    const seen = await look(
      { exchange: [{ on: 'GET /.well-known/agent-card.json', json: card }] },
      { tls: { ca: testCa } },
      { tls: testTls, host: 'desk.example' },
    )
    expect(seen.url).toMatch(/^https:\/\/desk\.example:\d+$/)
    const errors = seen.report?.errors ?? []
    expect(errors.map(({ id, path }) => [id, path])).toEqual([
      ['card/plain-http', 'supportedInterfaces[0].url'],
      ['card/plain-http', 'supportedInterfaces[1].url'],
    ])
    expect(errors[0]?.message).toContain('"http://desk.example/rpc"')
    expect(errors[0]?.message).toContain(seen.url)
    expect(errors[0]?.mend).toContain('X-Forwarded-Proto')
  })

  test('http on loopback is fine', () => {
    expect(levels(checkAgentCard(card10(), local))).toEqual([])
  })
})

describe('A07 the card url is relative or empty', () => {
  test.each(['/a2a/desk', '', 'a2a/desk', '//desk.example/rpc'])('%j', (url) => {
    const { errors } = checkAgentCard(card03({ url }), local)
    expect(errors).toHaveLength(1)
    expect(errors[0]?.message).toBe(`url ${JSON.stringify(url)} must be an absolute http(s) URL`)
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

describe('B01 the right version, and nulls everywhere', () => {
  const nulls = {
    provider: null,
    documentationUrl: null,
    iconUrl: null,
    capabilities: { streaming: true, pushNotifications: null, extensions: null },
    skills: [
      {
        id: 'echo',
        name: 'Echo',
        description: 'Echo text',
        tags: ['demo'],
        examples: null,
        inputModes: null,
        outputModes: null,
      },
    ],
    securitySchemes: null,
    security: null,
    signatures: null,
  }

  test.each([
    ['1.0', card10({ ...nulls, supportedInterfaces: [interface10({ tenant: '' })] }), '1.0'],
    ['0.3', card03(nulls), '0.3'],
  ])('%s: one warning for all nulls', (_name, card, version) => {
    const report = checkAgentCard(card, local)
    expect(report.shape).toMatchObject({ version })
    expect(levels(report)).toEqual(['warning card/null-members'])
    expect(report.warnings[0]?.message).toBe(
      'null instead of absent: provider, documentationUrl, iconUrl, capabilities.pushNotifications, capabilities.extensions, ' +
        'securitySchemes, security, skills[0].examples, skills[0].inputModes, skills[0].outputModes, signatures',
    )
  })

  test('null in a required member is an error', () => {
    const report = checkAgentCard(card03({ url: null }), local)
    expect(levels(report)).toEqual(['error card/url'])
    expect(report.errors[0]?.message).toContain('url is null')
  })

  test('neither url nor supportedInterfaces', () => {
    const { url: _, ...card } = bare()
    expect(checkAgentCard(card, local).errors[0]?.message).toContain('neither url nor supportedInterfaces')
  })
})

test('B02 a card in the layout of 1.0 that claims 0.3 has no verdict by itself, and can still be called', () => {
  const report = checkAgentCard(
    card10({ supportedInterfaces: [interface10({ protocolVersion: '0.3' })] }),
    local,
  )
  expect(report.shape.kind).toBe('ambiguous')
  expect(report.interfaces).toMatchObject([
    { dialect: '0.3', version: '0.3', path: 'supportedInterfaces[0]' },
  ])
})

describe('B04 the card is written in snake_case', () => {
  const skills = [
    { id: 'echo', name: 'Echo', description: 'Echo text', tags: ['demo'], input_modes: ['text/plain'] },
  ]

  test('1.0: one grouped error with every rename, and the card is read', () => {
    const report = checkAgentCard(
      {
        name: 'Echo Desk',
        description: 'Repeats what it hears',
        version: '1.0.0',
        supported_interfaces: [
          { url: 'http://127.0.0.1:4100/rpc', protocol_binding: 'JSONRPC', protocol_version: '1.0' },
        ],
        capabilities: { streaming: true, push_notifications: false },
        default_input_modes: ['text/plain'],
        default_output_modes: ['text/plain'],
        skills,
      },
      local,
    )
    expect(levels(report)).toEqual(['error card/camel-case'])
    const message = report.errors[0]?.message ?? ''
    expect(message).toContain('field names must be camelCase')
    for (const rename of [
      'supported_interfaces → supportedInterfaces',
      'supported_interfaces[0].protocol_binding → protocolBinding',
      'supported_interfaces[0].protocol_version → protocolVersion',
      'capabilities.push_notifications → pushNotifications',
      'default_input_modes → defaultInputModes',
      'default_output_modes → defaultOutputModes',
      'skills[0].input_modes → inputModes',
    ]) {
      expect(message).toContain(rename)
    }
    expect(report.interfaces).toMatchObject([{ url: 'http://127.0.0.1:4100/rpc', dialect: '1.0' }])
  })

  test("0.x: a warning, because the product's card table says so", () => {
    const report = checkAgentCard(card03({ skills }), local)
    expect(levels(report)).toEqual(['warning card/camel-case'])
  })
})

describe('B05 empty card, empty skills, skills without tags', () => {
  test('empty: one error that names every required member', () => {
    const { errors, findings } = checkAgentCard({}, local)
    expect(findings).toHaveLength(1)
    for (const name of [
      'name',
      'description',
      'supportedInterfaces',
      'url',
      'version',
      'capabilities',
      'defaultInputModes',
      'defaultOutputModes',
      'skills',
    ]) {
      expect(errors[0]?.message).toContain(name)
    }
  })

  test('no skills, and twice the same id: a warning in 1.0', () => {
    expect(levels(checkAgentCard(card10({ skills: [] }), local))).toEqual(['warning card/skills-empty'])
    const one = { id: 'echo', name: 'A', description: 'a', tags: ['x'] }
    expect(levels(checkAgentCard(card10({ skills: [one, one] }), local))).toEqual([
      'warning card/skill-id-unique',
    ])
  })

  test('no tags: an error in 1.0 and a warning before, because the corpus of real cards is judged so', () => {
    const skills = [{ id: 'echo', name: 'Echo', description: 'Echo text' }]
    expect(levels(checkAgentCard(card10({ skills }), local))).toEqual(['error card/skill-tags'])
    expect(levels(checkAgentCard(card03({ skills }), local))).toEqual(['warning card/skill-tags'])
  })

  test("twice the same id before 1.0: an error, because the product's card table says so", () => {
    const one = { id: 'echo', name: 'A', description: 'a', tags: ['x'] }
    expect(levels(checkAgentCard(card03({ skills: [one, one] }), local))).toEqual([
      'error card/skill-id-unique',
    ])
  })
})

describe('I01 401 on the card', () => {
  const scene: Fixture = {
    exchange: [
      {
        on: 'GET /.well-known/agent-card.json',
        needs: { authorization: 'Bearer test' },
        else: {
          status: 401,
          headers: { 'www-authenticate': 'Bearer realm="desk"' },
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
      `no agent card was found: ${url}/.well-known/agent-card.json answered 401 application/json (WWW-Authenticate: Bearer realm="desk")`,
    )
    expect(error?.mend).toContain('credentials are missing (option headers) or the path is wrong')
    expect(error?.mend).toContain('some hosts answer 401 for unknown paths')
  })
})

describe('I03 API key scheme with the wrong key names', () => {
  const keyed = (scheme: unknown): Record<string, unknown> =>
    card03({ securitySchemes: { desk: scheme }, security: [{ desk: [] }] })

  test('bad', () => {
    const { errors } = checkAgentCard(keyed({ type: 'apiKey', in_: 'header', name: 'X-Desk-Key' }), local)
    expect(errors.map(({ message }) => message)).toEqual([
      'securitySchemes.desk: unknown key "in_", expected "in"',
    ])
  })

  test('good in 0.3 and in 1.0', () => {
    expect(
      levels(checkAgentCard(keyed({ type: 'apiKey', in: 'header', name: 'X-Desk-Key' }), local)),
    ).toEqual([])
    const card = card10({
      securitySchemes: { desk: { apiKeySecurityScheme: { location: 'header', name: 'X-Desk-Key' } } },
      securityRequirements: [{ schemes: { desk: { list: [] } } }],
    })
    expect(levels(checkAgentCard(card, local))).toEqual([])
  })

  test('a requirement that names an undeclared scheme', () => {
    const card = { ...keyed({ type: 'apiKey', in: 'header', name: 'X-Desk-Key' }), security: [{ desk2: [] }] }
    expect(checkAgentCard(card, local).errors[0]?.message).toBe(
      'security refers to "desk2", which is not in securitySchemes',
    )
  })
})

test('I05 the card points to another origin: a warning, and errors of the address rules do not hide it', async () => {
  const seen = await look({
    exchange: [
      {
        on: 'GET /.well-known/agent-card.json',
        json: '$CARD03',
        patch: { additionalInterfaces: [{ transport: 'JSONRPC', url: 'http://127.0.0.1:4999/rpc' }] },
      },
    ],
  })
  const other = seen.report?.warnings.find(({ id }) => id === 'card/other-origin')
  expect(other?.path).toBe('additionalInterfaces[0].url')
  expect(other?.message).toMatch(
    /^the card points to http:\/\/127\.0\.0\.1:\d+, another origin than http:\/\/127\.0\.0\.1:\d+; credentials were not sent there/,
  )
  expect(seen.report?.errors).toEqual([])
})

describe('where a card came from decides how much an address weighs', () => {
  const from = (typedUrl: string): { typedUrl: string; cardUrl: string } => ({
    typedUrl,
    cardUrl: `${typedUrl}/.well-known/agent-card.json`,
  })

  test('plain http from a public origin is an error, from a private network a warning', () => {
    const card = (url: string): Record<string, unknown> => card03({ url })
    expect(levels(checkAgentCard(card('http://desk.example/rpc'), from('http://desk.example')))).toEqual([
      'error card/plain-http',
    ])
    expect(levels(checkAgentCard(card('http://agent:8080/rpc'), from('http://agent:8080')))).toEqual([
      'warning card/plain-http',
    ])
  })

  test('the card of an agent that we serve names where it will be deployed: no warning', () => {
    const served = { ...local, served: true }
    expect(levels(checkAgentCard(card03({ url: 'https://prod.example/rpc' }), served))).toEqual([])
    expect(levels(checkAgentCard(card03({ url: 'http://localhost:3000/rpc' }), served))).toEqual([])
    expect(levels(checkAgentCard(card03({ url: 'http://0.0.0.0:3000/rpc' }), served))).toEqual([
      'warning card/bind-address',
    ])
  })
})
