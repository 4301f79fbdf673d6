import { describe, expect, test } from 'vitest'
import type { AgentOptions } from '../../../src/client/types.ts'
import { readCard } from '../../../src/card/readCard.ts'
import { agentAddress, planRoutes, type RoutePlan } from '../../../src/client/route/plan.ts'
import { locate } from '../../../src/client/route/locate.ts'
import { CARD03, CARD10 } from '../../support/fixtureServer.ts'

function question(card: object, options: AgentOptions = {}, typedUrl = 'http://127.0.0.1:4100') {
  const read = readCard(card, {
    ...(options.version && { version: options.version }),
    cardUrl: `${typedUrl}/.well-known/agent-card.json`,
  })
  const document = {
    url: `${typedUrl}/.well-known/agent-card.json`,
    json: card as Record<string, unknown>,
    mediaType: '',
    headers: {},
  }
  return { found: { ...read, discovery: { attempts: [], findings: [], found: document } }, options, typedUrl }
}
const choose = (...args: Parameters<typeof question>): RoutePlan => planRoutes(question(...args))
const first = (...args: Parameters<typeof question>) => {
  const { url, binding, dialect } = choose(...args).interfaces[0]!
  return `${dialect} ${binding} ${url}`
}
const at = (url: string, protocolBinding: string, protocolVersion = '1.0') => ({
  url,
  protocolBinding,
  protocolVersion,
})
const card10 = (...supportedInterfaces: object[]) => ({ ...CARD10, supportedInterfaces })

describe('a 0.x card', () => {
  test('is called at url when its transport is JSON-RPC, or not said', () => {
    expect(first(CARD03)).toBe('0.3 JSONRPC http://127.0.0.1:4100/rpc')
    expect(first({ ...CARD03, preferredTransport: undefined })).toBe('0.3 JSONRPC http://127.0.0.1:4100/rpc')
  })

  test('is called at its first additional JSON-RPC interface otherwise', () => {
    const card = {
      ...CARD03,
      preferredTransport: 'GRPC',
      additionalInterfaces: [
        { url: 'http://127.0.0.1:4100/rest', transport: 'HTTP+JSON' },
        { url: 'http://127.0.0.1:4100/rpc2', transport: 'JSONRPC' },
      ],
    }

    expect(first(card)).toBe('0.3 JSONRPC http://127.0.0.1:4100/rpc2')
  })

  test("as a last resort is called at the agent's own address, and then over its HTTP+JSON interface", () => {
    const card = { ...CARD03, url: 'http://127.0.0.1:4100/rest', preferredTransport: 'HTTP+JSON' }

    const plan = choose(card, {}, 'http://127.0.0.1:4100/desk')

    expect(plan.interfaces.map(({ url, binding }) => `${binding} ${url}`)).toEqual([
      'JSONRPC http://127.0.0.1:4100/desk',
      'JSONRPC http://127.0.0.1:4100/desk',
      'JSONRPC http://127.0.0.1:4100/desk',
      'HTTP+JSON http://127.0.0.1:4100/rest',
    ])
    expect(plan.lastResort).toBe('HTTP+JSON at "http://127.0.0.1:4100/rest"')
    expect(plan.findings).toMatchObject([
      {
        id: 'wire/last-resort',
        message:
          'the card offers HTTP+JSON at "http://127.0.0.1:4100/rest", so JSON-RPC is tried at the agent\'s own ' +
          'address http://127.0.0.1:4100/desk',
      },
    ])
  })

  test('is called over HTTP+JSON if the user asks for it', () => {
    const card = {
      ...CARD03,
      additionalInterfaces: [{ url: 'http://127.0.0.1:4100/rest', transport: 'HTTP+JSON' }],
    }

    expect(first(card, { binding: 'HTTP+JSON' })).toBe('0.3 HTTP+JSON http://127.0.0.1:4100/rest')
    expect(first({ ...CARD03, preferredTransport: 'HTTP+JSON' }, { bindings: ['HTTP+JSON'] })).toBe(
      '0.3 HTTP+JSON http://127.0.0.1:4100/rpc',
    )
  })

  test('whose url is empty cannot be called (A07)', () => {
    expect(() => choose({ ...CARD03, url: '' })).toThrow(
      expect.objectContaining({
        code: 'NO_INTERFACE',
        message: expect.stringContaining('the agent card lacks an address: its url is ""') as string,
      }) as Error,
    )
  })
})

describe('a 1.0 card', () => {
  test('is called at the first interface that this client speaks, in its own order', () => {
    const [grpc, rest, rpc] = [
      at('helpdesk:50051', 'GRPC'),
      at('http://a/rest', 'HTTP+JSON'),
      at('http://a/rpc', 'JSONRPC'),
    ]

    expect(first(card10(grpc, rest, rpc))).toBe('1.0 HTTP+JSON http://a/rest')
    expect(first(card10(rpc, rest))).toBe('1.0 JSONRPC http://a/rpc')
    expect(first(card10(rpc, rest), { binding: 'HTTP+JSON' })).toBe('1.0 HTTP+JSON http://a/rest')
  })

  test('with gRPC only has no usable interface, and the message names what it offers', () => {
    expect(() => choose(card10(at('helpdesk:50051', 'GRPC')))).toThrow(
      expect.objectContaining({
        name: 'A2AReplyError',
        code: 'NO_INTERFACE',
        message:
          'the agent card lacks an interface with the binding JSONRPC or HTTP+JSON; it offers GRPC at "helpdesk:50051", ' +
          'and this client speaks JSON-RPC and HTTP+JSON',
      }) as Error,
    )
  })

  test('without the requested binding is an error that names it', () => {
    expect(() => choose(CARD10, { binding: 'HTTP+JSON' })).toThrow(
      'the agent card lacks a HTTP+JSON interface; it offers JSONRPC at "http://127.0.0.1:4100/rpc"',
    )
  })

  test('is called in the version from the options, at the address for that version', () => {
    const both = card10(at('http://a/new', 'JSONRPC'), at('http://a/old', 'JSONRPC', '0.3'))

    expect(first(both, { version: '0.3' })).toBe('0.3 JSONRPC http://a/old')
    expect(choose(both, { version: '0.3' }).interfaces).toHaveLength(1)
    expect(first(both, { version: '0.1' })).toBe('0.1 JSONRPC http://a/new')
  })

  test('keeps its tenant, unless the user names another', () => {
    const card = card10({ ...at('http://a/rpc', 'JSONRPC'), tenant: 'blue' })

    expect(choose(card).interfaces[0]).toMatchObject({ tenant: 'blue' })
    expect(choose(card, { tenant: 'red' }).interfaces[0]).toMatchObject({ tenant: 'red' })
  })
})

test('a document that is not a card is an error', () => {
  expect(() => choose({ openapi: '3.1.0', info: {}, paths: {} })).toThrow(
    expect.objectContaining({
      code: 'NO_CARD',
      message: expect.stringMatching(/is not an A2A agent card: it looks like .*OpenAPI/) as string,
    }) as Error,
  )
})

test.each([
  ['http://a/desk', 'http://a/desk'],
  ['http://a/desk/.well-known/agent-card.json', 'http://a/desk'],
  ['http://a/.well-known/agent.json', 'http://a'],
  ['http://a/cards/desk.json', 'http://a/cards/desk.json'],
])("the agent's address behind %s", (typed, address) => {
  expect(agentAddress(typed)).toBe(address)
})

describe('addresses in a card', () => {
  const located = (url: string, typedUrl: string, servedOrigin?: string) => {
    const asked = question({ ...CARD03, url }, {}, typedUrl)
    const { interface: one, findings } = locate(planRoutes(asked).interfaces[0]!, {
      ...asked,
      ...(servedOrigin !== undefined && { servedOrigin }),
    })
    return { url: one.url, findings }
  }

  test.each([
    ['http://0.0.0.0:8000/', 'https://desk.example/'],
    ['http://[::]:8081/invoke', 'https://desk.example/invoke'],
    ['http://localhost:8000/', 'https://desk.example/'],
    ['http://127.0.0.1:8000/', 'https://desk.example/'],
  ])('%s in a card from elsewhere is moved onto the host that was given (A05)', (url, moved) => {
    const { url: called, findings } = located(url, 'https://desk.example')

    expect(called).toBe(moved)
    expect(findings).toMatchObject([
      {
        id: 'wire/address-moved',
        level: 'warning',
        path: 'url',
        message: expect.stringContaining(url) as string,
      },
    ])
  })

  test.each(['http://10.0.3.7:9090/a2a', 'http://desk.example:8000/'])('%s is left alone (A05)', (url) => {
    expect(located(url, 'https://desk.example')).toEqual({ url, findings: [] })
  })

  test('every address of a subject that we serve is moved onto our origin, with a note', () => {
    const { url, findings } = located(
      'https://prod.example/a2a',
      'http://127.0.0.1:4100',
      'http://127.0.0.1:4100',
    )

    expect(url).toBe('http://127.0.0.1:4100/a2a')
    expect(findings).toMatchObject([{ id: 'wire/address-moved', level: 'note' }])
  })

  test.each([
    ['/a2a/desk', 'http://127.0.0.1:4100/a2a/desk'],
    ['a2a/desk', 'http://127.0.0.1:4100/.well-known/a2a/desk'],
    ['//desk.example/rpc', 'http://desk.example/rpc'],
  ])('%s is read against the address of the card, with a warning (A07)', (url, read) => {
    const { url: called, findings } = located(url, 'http://127.0.0.1:4100')

    expect(called).toBe(read)
    expect(findings).toMatchObject([
      {
        id: 'wire/relative-address',
        level: 'warning',
        message: `url is "${url}", which must be an absolute http(s) URL; it was read as ${read}`,
      },
    ])
  })
})
