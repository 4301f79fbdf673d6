import { describe, expect, test } from 'vitest'
import { checkAgentCard } from '../../src/card/checkAgentCard.ts'
import { doubledPathHint, placeInterface } from '../../src/card/placement.ts'
import type { AgentInterface } from '../../src/protocol/model.ts'
import { card01, card03, card10, interface10, local, without } from './cards.ts'

function ways(card: unknown, options = {}): string[] {
  return checkAgentCard(card, options).interfaces.map(({ url, binding, dialect, version, tenant, path }) =>
    [path, binding, dialect, version ?? '-', ...(tenant ? [tenant] : []), url].join(' '),
  )
}

describe('interfaces to call', () => {
  test('0.x: url when the preferred transport is JSON-RPC or is not stated', () => {
    const way = 'url JSONRPC 0.3 0.3.0 http://127.0.0.1:4100/rpc'
    expect(ways(card03())).toEqual([way])
    expect(ways(without(card03(), 'preferredTransport'))).toEqual([way])
    expect(ways(card03({ preferredTransport: '' }))).toEqual([way])
  })

  test('0.x: otherwise the first JSON-RPC entry of additionalInterfaces comes first', () => {
    const card = card03({
      preferredTransport: 'GRPC',
      url: 'http://a.example:50051',
      additionalInterfaces: [
        { url: 'http://a.example/rest', transport: 'HTTP+JSON' },
        { url: 'http://a.example/rpc', transport: 'jsonrpc' },
      ],
    })
    expect(ways(card)).toEqual([
      'additionalInterfaces[1] jsonrpc 0.3 0.3.0 http://a.example/rpc',
      'url GRPC 0.3 0.3.0 http://a.example:50051',
      'additionalInterfaces[0] HTTP+JSON 0.3 0.3.0 http://a.example/rest',
    ])
    expect(ways(card, { bindings: ['HTTP+JSON'] })[0]).toContain('additionalInterfaces[0] HTTP+JSON')
  })

  test('0.1 and 0.2', () => {
    expect(ways(card01())).toEqual(['url JSONRPC 0.1 - http://127.0.0.1:4100/rpc'])
    expect(ways(card03({ protocolVersion: '0.2.6' }))[0]).toContain('JSONRPC 0.3 0.2.6')
  })

  test('1.0: the order of the card, each interface with its version and tenant', () => {
    const card = card10({
      supportedInterfaces: [
        interface10({ protocolBinding: 'HTTP+JSON', url: 'https://a.example/rest', tenant: 'blue' }),
        interface10({ protocolVersion: '0.3' }),
        interface10(),
      ],
    })
    expect(ways(card)).toEqual([
      'supportedInterfaces[0] HTTP+JSON 1.0 1.0 blue https://a.example/rest',
      'supportedInterfaces[1] JSONRPC 0.3 0.3 http://127.0.0.1:4100/rpc',
      'supportedInterfaces[2] JSONRPC 1.0 1.0 http://127.0.0.1:4100/rpc',
    ])
  })

  test('hybrid: a 0.3 url is a further way, once', () => {
    const card = card10({ url: 'http://127.0.0.1:4100/old', protocolVersion: '0.3.0' })
    expect(ways(card)).toEqual([
      'supportedInterfaces[0] JSONRPC 1.0 1.0 http://127.0.0.1:4100/rpc',
      'url JSONRPC 0.3 0.3.0 http://127.0.0.1:4100/old',
    ])
    const twice = card10({
      supportedInterfaces: [interface10(), interface10({ protocolVersion: '0.3' })],
      url: 'http://127.0.0.1:4100/rpc',
    })
    expect(ways(twice)).toHaveLength(2)
  })

  test('ambiguous: a 0.x layout that says 1.0 is tried as 1.0, then as 0.3', () => {
    expect(ways(card03({ protocolVersion: '1.0' }))).toEqual([
      'url JSONRPC 1.0 1.0 http://127.0.0.1:4100/rpc',
      'url JSONRPC 0.3 - http://127.0.0.1:4100/rpc',
    ])
    const claims03 = card10({ supportedInterfaces: [interface10({ protocolVersion: '0.3' })] })
    expect(ways(claims03)).toEqual(['supportedInterfaces[0] JSONRPC 0.3 0.3 http://127.0.0.1:4100/rpc'])
  })

  test.each([
    ['/a2a/desk', 'http://127.0.0.1:4100/a2a/desk'],
    ['a2a/desk', 'http://127.0.0.1:4100/.well-known/a2a/desk'],
    ['//desk.example/rpc', 'http://desk.example/rpc'],
    ['', ''],
    ['mailto:a@b.example', 'mailto:a@b.example'],
  ])('a relative url %j is read against the address of the card', (url, resolved) => {
    expect(checkAgentCard(card03({ url }), local).interfaces[0]?.url).toBe(resolved)
  })
})

const at = (url: string): AgentInterface => ({ url, binding: 'JSONRPC', dialect: '0.3', path: 'url' })

describe('where an interface is called', () => {
  test.each(['localhost', '127.0.0.1', '0.0.0.0', '[::1]', '[::]'])(
    'a card that says %s but was reached elsewhere: its path is moved there, with a warning',
    (host) => {
      const placed = placeInterface(at(`http://${host}:8000/a2a/rpc?x=1`), {
        typedUrl: 'https://desk.example/support',
      })
      expect(placed.url).toBe('https://desk.example/a2a/rpc?x=1')
      expect(placed.findings).toHaveLength(1)
      expect(placed.findings[0]).toMatchObject({ id: 'wire/address-moved', level: 'warning', path: 'url' })
      expect(placed.findings[0]?.message).toBe(
        `url is "http://${host}:8000/a2a/rpc?x=1", but the agent was reached at https://desk.example; ` +
          'requests went to https://desk.example/a2a/rpc?x=1 instead.',
      )
    },
  )

  test('a loopback address stays when the agent was reached at loopback', () => {
    const placed = placeInterface(at('http://localhost:5000/rpc'), { typedUrl: 'http://127.0.0.1:4100' })
    expect(placed).toEqual({ url: 'http://localhost:5000/rpc', findings: [] })
  })

  test('a bind address becomes the host that was typed, and keeps its port', () => {
    const placed = placeInterface(at('http://0.0.0.0:5000/rpc'), { typedUrl: 'http://127.0.0.1:4100' })
    expect(placed.url).toBe('http://127.0.0.1:5000/rpc')
    expect(placed.findings[0]?.message).toContain(
      '0.0.0.0 is a bind address, not an address a client can call',
    )
  })

  test.each(['https://prod.example/rpc', 'http://localhost:9999/rpc', 'http://10.1.2.3/rpc'])(
    'a served agent is never called at %s',
    (url) => {
      const placed = placeInterface(at(url), {
        typedUrl: 'http://127.0.0.1:4100',
        servedOrigin: 'http://127.0.0.1:4100',
      })
      expect(placed.url).toBe('http://127.0.0.1:4100/rpc')
      expect(placed.findings[0]).toMatchObject({ id: 'wire/address-moved', level: 'note' })
    },
  )

  test('origins are compared, not host names', () => {
    const served = { servedOrigin: 'http://127.0.0.1:4100' }
    expect(placeInterface(at('http://127.0.0.1:4101/rpc'), served).url).toBe('http://127.0.0.1:4100/rpc')
    expect(placeInterface(at('http://127.0.0.1:4100/rpc'), served)).toEqual({
      url: 'http://127.0.0.1:4100/rpc',
      findings: [],
    })
  })

  test('an address from the options, and every other address, stays', () => {
    const named: AgentInterface = { url: 'http://localhost:1/rpc', binding: 'JSONRPC', dialect: '1.0' }
    expect(placeInterface(named, { typedUrl: 'https://desk.example' }).url).toBe(named.url)
    expect(
      placeInterface(at('https://other.example/rpc'), { typedUrl: 'https://desk.example' }).findings,
    ).toEqual([])
    expect(placeInterface(at(''), { typedUrl: 'https://desk.example' })).toEqual({ url: '', findings: [] })
  })
})

test('a path that a proxy doubled is recognised', () => {
  const base = 'http://127.0.0.1:4100/a2a/tick'
  expect(doubledPathHint('http://127.0.0.1:4100/a2a/tick/a2a/tock/', base)).toBe(
    'path looks doubled by a proxy: /a2a/tick/a2a/tock/ repeats /a2a below /a2a/tick',
  )
  expect(doubledPathHint('http://127.0.0.1:4100/a2a/tick/rpc', base)).toBeUndefined()
  expect(doubledPathHint('http://127.0.0.1:4100/a2a/tock', base)).toBeUndefined()
  expect(doubledPathHint('http://other.example/a2a/tick/a2a/tock', base)).toBeUndefined()
  expect(doubledPathHint('http://127.0.0.1:4100/x', 'http://127.0.0.1:4100')).toBeUndefined()
})
