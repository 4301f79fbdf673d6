import type { Fault, Json } from '../../src/testing/index.ts'
import type { FaultyAgent } from './faultyAgent.ts'
import { card03, card10, patch, public03 } from './baseCards.ts'
import { faultyCards } from './rows.ts'

const own = (card: Json): Json => ({ url: card['url'], transport: 'JSONRPC' })
const first = (change: (one: Json) => Json): Fault =>
  patch(({ supportedInterfaces }) => ({
    supportedInterfaces: (supportedInterfaces as Json[]).map((one, at) =>
      at === 0 ? { ...one, ...change(one) } : one,
    ),
  }))
const unless = (matches: (path: string) => boolean, from: string, to: string): Fault => ({
  request: (request) => ({
    ...request,
    path: matches(request.path) ? to : request.path === from ? '/gone' : request.path,
  }),
})
const serving = (headers: Record<string, string>): Fault => ({ reply: (reply) => ({ ...reply, headers }) })

/** Rules about the interfaces in a card, their addresses, and how the card is served. */
export const cardAddresses: FaultyAgent[] = faultyCards([
  [
    'card/supported-interfaces',
    'error',
    card10,
    'has no interfaces',
    'supportedInterfaces is empty',
    { supportedInterfaces: [] },
  ],
  [
    'card/interface-url',
    'error',
    card10,
    'gives a path as its address',
    '.url "/rpc" must be an absolute http(s) URL',
    first(() => ({ url: '/rpc' })),
  ],
  [
    'card/address-path',
    'warning',
    card03,
    'names the address of one operation',
    '/message:send", the address of one operation and not of the interface',
    patch(({ url }) => ({ url: `${url as string}/message:send` })),
  ],
  [
    'card/interface-binding',
    'error',
    card10,
    'does not say how to talk to it',
    'supportedInterfaces[0].protocolBinding is missing',
    first(() => ({ protocolBinding: undefined })),
  ],
  [
    'card/interface-version',
    'warning',
    card10,
    'gives the patch number of its version',
    '"1.0.0" should be Major.Minor, such as "1.0"',
    first(() => ({ protocolVersion: '1.0.0' })),
  ],
  [
    'card/interface-tenant',
    'error',
    card10,
    'numbers its tenant',
    'supportedInterfaces[0].tenant must be a string, not 7',
    first(() => ({ tenant: 7 })),
  ],
  [
    'card/interface-duplicate',
    'warning',
    card10,
    'lists an interface twice',
    'supportedInterfaces[2] repeats supportedInterfaces[0]',
    patch(({ supportedInterfaces: all }) => ({
      supportedInterfaces: [...(all as Json[]), (all as Json[])[0]],
    })),
  ],
  [
    'card/callable-interface',
    'warning',
    card10,
    'speaks gRPC only',
    'no interface can be called by this client',
    { supportedInterfaces: [{ url: 'a.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0' }] },
  ],
  [
    'card/preferred-transport',
    'error',
    card03,
    'prefers gRPC and has nothing else',
    'no JSON-RPC interface is listed',
    { preferredTransport: 'GRPC' },
  ],
  [
    'card/transport-name',
    'warning',
    card03,
    'writes its transport in small letters',
    '"JSONRPC" is meant',
    { preferredTransport: 'jsonrpc' },
  ],
  [
    'card/transport-conflict',
    'warning',
    card03,
    'speaks two bindings at one address',
    'is declared both as "JSONRPC" and as "HTTP+JSON"',
    patch((card) => ({ additionalInterfaces: [own(card), { ...own(card), transport: 'HTTP+JSON' }] })),
  ],
  [
    'card/additional-interfaces',
    'error',
    card03,
    'has an object of interfaces',
    'additionalInterfaces must be a list, not an object',
    { additionalInterfaces: {} },
  ],
  [
    'card/main-interface-listed',
    'warning',
    card03,
    'leaves its main interface out of the list',
    'does not repeat the main interface',
    patch(({ url }) => ({ additionalInterfaces: [{ url: `${String(url)}/rest`, transport: 'HTTP+JSON' }] })),
  ],

  [
    'card/bind-address',
    'warning',
    card03,
    'gives its bind address',
    '0.0.0.0 is a bind address',
    patch(({ url }) => ({ url: String(url).replace('127.0.0.1', '0.0.0.0') })),
  ],
  [
    'card/private-address',
    'warning',
    card03,
    'gives an address of its own network',
    '10.0.3.7 is a private address',
    { url: 'https://10.0.3.7:9090/a2a' },
    { options: { trustedOrigins: ['https://10.0.3.7:9090'] } },
  ],
  [
    'card/other-origin',
    'warning',
    card03,
    'is called at another origin',
    'a different origin from',
    { url: 'http://127.0.0.1:4999/a2a' },
  ],
  [
    'card/loopback-address',
    'warning',
    public03,
    'gives its loopback address to the world',
    'a loopback address: its path is called at https://desk.example',
    { url: 'http://localhost:8000/a2a' },
  ],
  [
    'card/plain-http',
    'error',
    public03,
    'is called without TLS, though its card came by it',
    'plain http, but the card came from',
    { url: 'http://desk.example/a2a' },
    { options: { trustedOrigins: ['http://desk.example'] } },
  ],

  [
    'card/content-type',
    'warning',
    card03,
    'serves its card as text',
    'served as text/plain, not as application/json',
    serving({ 'content-type': 'text/plain' }),
  ],
  [
    'card/cache-headers',
    'note',
    card10,
    'does not let clients cache its card',
    'served without cache-control',
    serving({}),
  ],
  [
    'card/legacy-path',
    'warning',
    card03,
    'serves its card where 0.2 had it',
    'only at the legacy path /.well-known/agent.json',
    unless(
      (path) => path === '/.well-known/agent.json',
      '/.well-known/agent-card.json',
      '/.well-known/agent-card.json',
    ),
  ],
])
