import { describe, expect, test } from 'vitest'
import { checkAgentCard } from '../../../src/card/checkAgentCard.ts'
import { testCa, testTls } from '../../support/tls.ts'
import { card03, card10, interface10, local } from '../../card/cards.ts'
import { levels, look } from '../../card/look.ts'

const helpdesk = 'https://desk.example'
const fromHelpdesk = { typedUrl: helpdesk, cardUrl: `${helpdesk}/.well-known/agent-card.json` }

describe('A05 the card advertises an unroutable or container-only address', () => {
  test.each([
    ['http://0.0.0.0:8000/', '0.0.0.0 is a bind address, not an address a client can call'],
    ['http://[::]:8081/invoke', ':: is a bind address, not an address a client can call'],
    ['http://10.0.3.7:9090/a2a', '10.0.3.7 is a private address'],
    ['http://desk.example:8000/', 'plain http, but the card came from https://desk.example over https'],
  ])('%s in a card from a public host: an error', (url, says) => {
    const { errors } = checkAgentCard(card03({ url }), fromHelpdesk)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ path: 'url' })
    expect(errors[0]?.message).toContain(JSON.stringify(url))
    expect(errors[0]?.message).toContain(helpdesk)
    expect(errors[0]?.message).toContain(says)
  })

  test.each(['http://localhost:8000/', 'http://127.0.0.1:8000/'])(
    '%s in a card from a public host: a warning and no error, because the path is moved onto the host that was given',
    (url) => {
      const report = checkAgentCard(card03({ url }), fromHelpdesk)
      expect(levels(report)).toEqual(['warning card/loopback-address'])
      expect(report.warnings[0]?.message).toContain(`its path is called at ${helpdesk} instead`)
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
    expect(levels(checkAgentCard(card03({ url: `${helpdesk}:8443/` }), fromHelpdesk))).toEqual([
      'warning card/other-origin',
    ])
  })

  test('in supportedInterfaces the path says which one', () => {
    const card = card10({
      supportedInterfaces: [
        interface10({ url: `${helpdesk}/rpc` }),
        interface10({ url: 'https://0.0.0.0/' }),
      ],
    })
    expect(checkAgentCard(card, fromHelpdesk).errors.map(({ path }) => path)).toEqual([
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
    expect(errors[0]?.fix).toContain('X-Forwarded-Proto')
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
    /^the card points to http:\/\/127\.0\.0\.1:\d+, a different origin from http:\/\/127\.0\.0\.1:\d+; credentials were not sent there/,
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
