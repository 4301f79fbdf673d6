import { afterEach, describe, expect, test } from 'vitest'
import { createAgent } from '../../../src/agent/handle.ts'
import type { AgentOptions } from '../../../src/client/types.ts'
import type { SignatureOptions } from '../../../src/card/signatures/types.ts'
import { createKeyFetcher } from '../../../src/card/signatures/jku.ts'
import { checkSignedCard } from '../../../src/checks/card/checkSignedCard.ts'
import { systemDeps } from '../../../src/core/deps.ts'
import { signCard } from '../../../src/testing/index.ts'
import type { Verdict } from '../../../src/checks/verdict.ts'
import { CARD10, type FixtureExchange } from '../../support/fixture.ts'
import { startFixture, type FixtureServer } from '../../support/fixtureServer.ts'
import { manualClock } from '../../support/manualClock.ts'
import { loopbackLookup, testCa, testTls } from '../../support/tls.ts'
import { jwk, pem, privateKey } from './signed.ts'

/** Not an address of the fixture server, which would fill in its own port after the card was signed. */
const card = {
  ...CARD10,
  supportedInterfaces: [{ ...CARD10.supportedInterfaces[0], url: 'https://desk.example/rpc' }],
}
const keySet = { keys: [{ ...jwk, kid: 'k1' }] }
/** From RFC 8037, appendix A. */
const wrongKey = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
const servers: FixtureServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(...args: Parameters<typeof startFixture>): Promise<FixtureServer> {
  const server = await startFixture(...args)
  servers.push(server)
  return server
}

interface Scene {
  /** Address of the key set; a path is at the card's own origin. */
  jku?: string
  keys?: Partial<FixtureExchange>
  options?: SignatureOptions
  agent?: AgentOptions
  tls?: boolean
}

/** Serves a signed card and its keys, and checks it. */
async function visit({ jku = '/jwks.json', keys = { json: keySet }, options, agent, tls }: Scene): Promise<{
  verdict: Verdict
  asked: string[]
}> {
  const signed = (origin: string): object =>
    signCard(card, {
      key: privateKey,
      kid: 'k1',
      alg: 'ES256',
      jku: jku.startsWith('/') ? origin + jku : jku,
    })
  const clock = manualClock()
  let origin = ''
  const server = await serve(
    [
      { on: 'GET /.well-known/agent-card.json', reply: () => ({ json: signed(origin) }) },
      { on: 'GET /jwks.json', times: '*', ...keys },
    ],
    tls === true ? { tls: testTls, host: 'desk.example' } : {},
  )
  origin = server.origin
  const handle = createAgent(
    origin,
    { ...(tls === true && { tls: { ca: testCa } }), ...agent },
    systemDeps({ clock, env: {}, lookup: loopbackLookup }),
  )
  if (keys.delayMs !== undefined) void server.held().then(() => clock.advance(keys.delayMs ?? 0))
  try {
    const signal = new AbortController().signal
    const verdict = await checkSignedCard({ kind: 'agent', agent: handle }, [options ?? {}], { signal })
    return { verdict, asked: server.requests.map(({ method, path }) => `${method} ${path}`) }
  } finally {
    await handle.close()
  }
}

const cardOnly = ['GET /.well-known/agent-card.json']
const both = [...cardOnly, 'GET /jwks.json']
const messages = ({ findings }: Verdict): string[] => findings.map(({ message }) => message)

describe("a key at the card's own origin", () => {
  test('is fetched if no key is passed, and does not prove who wrote the card', async () => {
    const { verdict, asked } = await visit({})
    expect(verdict.outcome).toBe('passed')
    expect(verdict.findings).toEqual([
      expect.objectContaining({
        id: 'card/signature-own-key',
        level: 'note',
        message: expect.stringMatching(
          /its key came from the agent itself \("k1" of "http:.*\/jwks\.json"\), so the card is intact/,
        ),
      }),
    ])
    expect(asked).toEqual(both)
    expect(verdict.exchanges.map(({ purpose }) => purpose)).toEqual(['agent card', 'key set'])
  })

  test.each([
    ['a JWKS', keySet],
    ['one JWK', { ...jwk, kid: 'k1' }],
    ['one key without a name', { keys: [jwk] }],
    ['PEM texts by kid', { k0: 'not a key', k1: pem }],
    [
      'a JWKS with something that is not a key',
      { keys: [{ kty: 'oct', k: 'AAAA', kid: 'k1' }, null, ...keySet.keys] },
    ],
  ])('may be in %s', async (_what, json) => {
    expect((await visit({ keys: { json } })).verdict.outcome).toBe('passed')
  })

  test('is fetched by https', async () => {
    expect((await visit({ tls: true })).verdict.outcome).toBe('passed')
  })

  test('is fetched once for several signatures', async () => {
    let origin = ''
    const server = await serve([
      {
        on: 'GET /.well-known/agent-card.json',
        reply: () => {
          const how = { key: privateKey, kid: 'k1', alg: 'ES256', jku: `${origin}/jwks.json` }
          return { json: signCard(signCard(card, how), how) }
        },
      },
      { on: 'GET /jwks.json', json: keySet, times: 1 },
    ])
    origin = server.origin
    const agent = createAgent(origin, {}, systemDeps({ env: {} }))
    const signal = new AbortController().signal
    const verdict = await checkSignedCard({ kind: 'agent', agent }, [{ minimum: 2 }], { signal })
    await agent.close()
    expect(verdict.outcome).toBe('passed')
  })

  test.each<[string, SignatureOptions]>([
    ['by false', { allowJku: false }],
    ['by a list without it', { allowJku: ['https://keys.example'] }],
    ['because a key was given', { keys: { k0: wrongKey } }],
    ['because a secret was given', { secret: 'a secret' }],
  ])('is not fetched if not allowed: %s', async (_how, options) => {
    const { verdict, asked } = await visit({ options })
    expect(verdict.outcome).toBe('error')
    expect(messages(verdict)).toEqual([
      expect.stringMatching(
        /^its key is at "http:.*\/jwks\.json" \(jku\).*, which was not fetched, because allowJku does not allow it$/,
      ),
    ])
    expect(asked).toEqual(cardOnly)
  })

  test('counts in addition to the given keys if allowed', async () => {
    const options = {
      keys: { k0: wrongKey },
      allowJku: true,
    }
    expect((await visit({ options })).verdict.outcome).toBe('passed')
  })
})

describe('a key elsewhere', () => {
  test('is not fetched', async () => {
    const keys = await serve([{ on: 'GET /jwks.json', json: keySet, times: '*' }])
    const { verdict } = await visit({ jku: `${keys.origin}/jwks.json` })
    expect(verdict.outcome).toBe('error')
    expect(verdict.findings[0]).toMatchObject({
      id: 'card/signature-unverifiable',
      message: `its key is at "${keys.origin}/jwks.json" (jku), at a different origin from the card, which was not fetched, because allowJku does not allow it`,
      fix: `Pass the public key with the option keys, or allow that address with allowJku: ['${keys.origin}'].`,
    })
    expect(keys.requests).toEqual([])
  })

  test('is fetched from an origin that is listed, without the credentials of the agent', async () => {
    const keys = await serve([{ on: 'GET /jwks.json', json: keySet }])
    const { verdict } = await visit({
      jku: `${keys.origin}/jwks.json`,
      options: { allowJku: [keys.origin] },
      agent: { headers: { authorization: 'Bearer t0ken' } },
    })
    expect([verdict.outcome, verdict.findings]).toEqual(['passed', []])
    expect(keys.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  test('is not fetched by way of a redirect', async () => {
    const keys = await serve([{ on: 'GET /jwks.json', json: keySet }])
    const { verdict } = await visit({
      keys: { status: 302, headers: { location: `${keys.origin}/jwks.json` } },
    })
    expect(verdict.outcome).toBe('error')
    expect(messages(verdict)[0]).toContain(`not called: "${keys.origin}/jwks.json", where it redirects to`)
    expect(messages(verdict)[0]).toContain('because that is another origin')
    expect(keys.requests).toEqual([])
  })

  test('is not fetched from a private address that a public card names, listed or not', async () => {
    const options = { allowJku: ['https://10.1.2.3'] }
    const { verdict } = await visit({ jku: 'https://10.1.2.3/jwks.json', options, tls: true })
    expect(verdict.outcome).toBe('error')
    expect(messages(verdict)[0]).toContain('"10.1.2.3" is a private address')
  })

  test('is not fetched by plain http', async () => {
    const fetched: string[] = []
    const fetchKeys = createKeyFetcher({
      cardUrl: 'http://desk.example/.well-known/agent-card.json',
      allow: true,
      fetchJson: (url) => {
        fetched.push(url)
        return Promise.resolve(keySet)
      },
    })
    expect(await fetchKeys('http://desk.example/jwks.json', 'signatures[0]')).toEqual({
      why: 'its key is at "http://desk.example/jwks.json" (jku), which was not fetched, because it is plain http',
      fix: "Publish the keys by https, or allow that address with allowJku: ['http://desk.example'].",
    })
    expect(fetched).toEqual([])
  })

  test.each(['/jwks.json?', 'file:///etc/passwd', 'desk.example/jwks.json', 'data:application/json,{}'])(
    'is not fetched from %s for a bare card, or if it is not an address',
    async (jku) => {
      const raw = signCard(card, { key: privateKey, kid: 'k1', alg: 'ES256', jku })
      const verdict = await checkSignedCard({ kind: 'card', card: raw }, [], {
        signal: new AbortController().signal,
      })
      expect(verdict.outcome).toBe('error')
      expect(messages(verdict)[0]).toContain(
        `its key is at ${JSON.stringify(jku)} (jku), which is not an http(s) address`,
      )
    },
  )

  test('is not fetched for a card object', async () => {
    const raw = signCard(card, { key: privateKey, kid: 'k1', alg: 'ES256', jku: 'https://desk.example/k' })
    const verdict = await checkSignedCard({ kind: 'card', card: raw }, [], {
      signal: new AbortController().signal,
    })
    expect(verdict.outcome).toBe('error')
    expect(messages(verdict)).toEqual([
      'its key is at "https://desk.example/k" (jku), and nothing is fetched for a card without its agent',
    ])
  })
})

describe('a key set without a usable key', () => {
  test.each<[string, Partial<FixtureExchange>, AgentOptions, string]>([
    ['is missing', { status: 404, text: 'no' }, {}, 'which could not be fetched: GET http'],
    ['is not JSON', { text: '<p>Log in' }, {}, 'answered 200 with something that is not JSON'],
    ['is too large', { text: ' '.repeat(5000) }, { limits: { maxCardBytes: 4000 } }, 'limits.maxCardBytes'],
    ['is slow', { delayMs: 60_000 }, { limits: { cardTimeoutMs: 100 } }, 'limits.cardTimeoutMs'],
    ['is empty', { json: { keys: [] } }, {}, 'which has no key at all'],
    ['is a list', { json: [] }, {}, 'which has no key at all'],
    [
      'has others',
      {
        json: {
          keys: [
            { ...jwk, kid: 'k0' },
            { ...jwk, kid: 'k2' },
          ],
        },
      },
      {},
      'there is no key "k1" at',
    ],
  ])('%s', async (_what, keys, agent, message) => {
    const { verdict, asked } = await visit({ keys, agent })
    expect(verdict.outcome).toBe('error')
    expect(messages(verdict)).toEqual([expect.stringContaining(message)])
    expect(asked).toEqual(both)
  })

  test('is a failure if the named key does not match', async () => {
    const other = {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    }
    const { verdict } = await visit({ keys: { json: { keys: [{ ...other, kid: 'k1' }] } } })
    expect(verdict.outcome).toBe('failed')
    expect(messages(verdict)[0]).toMatch(
      /^it does not match the card with the key "k1" of "http:.*\/jwks\.json"/,
    )
  })
})
