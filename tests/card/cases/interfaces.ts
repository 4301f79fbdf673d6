import { card03, card10, interface10, local, without } from '../cards.ts'
import type { Case, Cases } from './types.ts'

const rpc = { url: 'http://127.0.0.1:4100/rpc', transport: 'JSONRPC' }
const rest = { url: 'http://127.0.0.1:4100/rest', transport: 'HTTP+JSON' }

/** Where the agent is called, and how. */
export const interfaces: Cases = {
  'card/additional-interfaces': [
    {
      broken: card03({ additionalInterfaces: {} }),
      repaired: card03({ additionalInterfaces: [rpc] }),
      level: 'error',
      says: 'additionalInterfaces must be a list, not an object',
    },
    {
      broken: card03({ additionalInterfaces: [rpc, { transport: 'GRPC' }] }),
      repaired: card03({ additionalInterfaces: [rpc] }),
      level: 'warning',
      says: 'additionalInterfaces[1].url is missing',
    },
    {
      broken: card03({ additionalInterfaces: [rpc, 'x'] }),
      repaired: card03({ additionalInterfaces: [rpc] }),
      level: 'warning',
      says: 'additionalInterfaces[1] must be an object, not "x"',
    },
  ],
  'card/address-path': [
    {
      broken: card03({ url: 'http://127.0.0.1:4100/.well-known/agent-card.json' }),
      repaired: card03({ url: 'http://127.0.0.1:4100/well-known' }),
      level: 'warning',
      says: 'url is "http://127.0.0.1:4100/.well-known/agent-card.json", the address of an agent card and not of an interface',
    },
    ...['message:send', 'message:stream', 'tasks/t1:cancel', 'extendedAgentCard'].map((operation): Case => ({
      broken: card10({ supportedInterfaces: [interface10({ url: `http://127.0.0.1:4100/${operation}` })] }),
      repaired: card10({ supportedInterfaces: [interface10({ url: 'http://127.0.0.1:4100/message' })] }),
      level: 'warning',
      says: `"http://127.0.0.1:4100/${operation}", the address of one operation and not of the interface`,
    })),
  ],
  'card/callable-interface': {
    broken: card10({ supportedInterfaces: [interface10({ url: 'a.example:443', protocolBinding: 'GRPC' })] }),
    repaired: card10({
      supportedInterfaces: [interface10({ url: 'a.example:443', protocolBinding: 'GRPC' }), interface10()],
    }),
    level: 'warning',
    says: 'no interface can be called by this client, which speaks JSONRPC and HTTP+JSON; offered: "GRPC"',
  },
  'card/interface-binding': [
    {
      broken: card10({ supportedInterfaces: [without(interface10(), 'protocolBinding')] }),
      repaired: card10(),
      level: 'error',
      says: 'supportedInterfaces[0].protocolBinding is missing',
    },
    {
      broken: card10({ supportedInterfaces: [interface10({ protocolBinding: 3 })] }),
      repaired: card10(),
      level: 'error',
      says: 'protocolBinding must be a string, not 3',
    },
    {
      broken: card10({ supportedInterfaces: [interface10({ protocolBinding: 'json-rpc' })] }),
      repaired: card10({
        supportedInterfaces: [
          interface10(),
          interface10({ protocolBinding: 'https://a.example/mail/v1', url: 'mailto:a@b.example' }),
        ],
      }),
      level: 'warning',
      says: '"json-rpc" is not JSONRPC, GRPC, HTTP+JSON or a URI; "JSONRPC" is meant',
    },
  ],
  'card/interface-duplicate': [
    {
      broken: card10({ supportedInterfaces: [interface10(), interface10()] }),
      repaired: card10({
        supportedInterfaces: [
          interface10(),
          interface10({ tenant: 'b' }),
          interface10({ protocolVersion: '0.3' }),
        ],
      }),
      level: 'warning',
      says: 'supportedInterfaces[1] repeats supportedInterfaces[0]',
    },
    {
      broken: card03({ additionalInterfaces: [rpc, rpc] }),
      repaired: card03({ additionalInterfaces: [rpc, rest] }),
      level: 'warning',
      says: 'additionalInterfaces[1] repeats additionalInterfaces[0]',
    },
  ],
  'card/interface-tenant': {
    broken: card10({ supportedInterfaces: [interface10({ tenant: 7 })] }),
    repaired: card10({ supportedInterfaces: [interface10({ tenant: '' })] }),
    level: 'error',
    says: 'supportedInterfaces[0].tenant must be a string, not 7',
  },
  'card/interface-url': [
    {
      broken: card10({ supportedInterfaces: [interface10({ url: '/rpc' })] }),
      repaired: card10(),
      level: 'error',
      says: 'supportedInterfaces[0].url "/rpc" must be an absolute http(s) URL',
    },
    {
      broken: card10({ supportedInterfaces: [without(interface10(), 'url')] }),
      repaired: card10(),
      level: 'error',
      says: 'supportedInterfaces[0].url is missing',
    },
    {
      broken: card10({ supportedInterfaces: [interface10(), interface10({ protocolBinding: 'GRPC' })] }),
      repaired: card10({
        supportedInterfaces: [interface10(), interface10({ protocolBinding: 'GRPC', url: '[::1]:50051' })],
      }),
      level: 'warning',
      says: 'should be host:port, as gRPC clients expect',
    },
    {
      broken: card10({
        supportedInterfaces: [interface10(), interface10({ protocolBinding: 'urn:x:mail', url: 1 })],
      }),
      repaired: card10(),
      level: 'error',
      says: 'supportedInterfaces[1].url must be a URL, not 1',
    },
    {
      broken: card03({ additionalInterfaces: [rpc, { url: 'rest', transport: 'HTTP+JSON' }] }),
      repaired: card03({ additionalInterfaces: [rpc, { url: 'a:1', transport: 'GRPC' }] }),
      level: 'warning',
      says: 'additionalInterfaces[1].url "rest" must be an absolute http(s) URL',
    },
  ],
  'card/interface-version': [
    {
      broken: card10({ supportedInterfaces: [without(interface10(), 'protocolVersion')] }),
      repaired: card10(),
      level: 'error',
      says: 'supportedInterfaces[0].protocolVersion is missing',
    },
    {
      broken: card10({ supportedInterfaces: [interface10({ protocolVersion: '' })] }),
      repaired: card10(),
      level: 'error',
      says: 'supportedInterfaces[0].protocolVersion is empty',
    },
    {
      broken: card10({ supportedInterfaces: [interface10({ protocolVersion: 1 })] }),
      repaired: card10(),
      level: 'error',
      says: 'protocolVersion must be a string, not 1',
    },
    {
      broken: card10({ supportedInterfaces: [interface10({ protocolVersion: '1.0.0' })] }),
      repaired: card10({ supportedInterfaces: [interface10({ protocolVersion: '1.1' })] }),
      level: 'warning',
      says: '"1.0.0" should be Major.Minor, such as "1.0"',
    },
    {
      broken: card10({ supportedInterfaces: [interface10({ protocolVersion: '2.0' })] }),
      repaired: card10(),
      level: 'warning',
      says: '"2.0" is a version that this client does not know',
    },
  ],
  'card/main-interface-listed': {
    broken: card03({ additionalInterfaces: [rest] }),
    repaired: card03({ additionalInterfaces: [rest, rpc] }),
    level: 'warning',
    says: 'does not repeat the main interface, "JSONRPC" at "http://127.0.0.1:4100/rpc"',
  },
  'card/preferred-transport': {
    broken: card03({ preferredTransport: 'GRPC' }),
    repaired: card03({ preferredTransport: 'GRPC', additionalInterfaces: [rpc] }),
    level: 'error',
    says: 'no JSON-RPC interface is listed',
  },
  'card/supported-interfaces': [
    {
      broken: without(card10(), 'supportedInterfaces'),
      repaired: card10(),
      from: { ...local, version: '1.0' },
      level: 'error',
      says: 'supportedInterfaces is missing: neither url nor supportedInterfaces has the address of the agent',
    },
    {
      broken: card10({ supportedInterfaces: {} }),
      repaired: card10(),
      level: 'error',
      says: 'supportedInterfaces must be a list, not an object',
    },
    {
      broken: card10({ supportedInterfaces: [] }),
      repaired: card10(),
      level: 'error',
      says: 'supportedInterfaces is empty',
    },
    {
      broken: card10({ supportedInterfaces: [interface10(), 'x'] }),
      repaired: card10(),
      level: 'error',
      says: 'supportedInterfaces[1] must be an object, not "x"',
    },
  ],
  'card/transport-conflict': {
    broken: card03({ additionalInterfaces: [rpc, { ...rpc, transport: 'HTTP+JSON' }] }),
    repaired: card03({ additionalInterfaces: [rpc, rest] }),
    level: 'warning',
    says: '"http://127.0.0.1:4100/rpc" is declared both as "JSONRPC" and as "HTTP+JSON"',
  },
  'card/transport-name': {
    broken: card03({ preferredTransport: 'jsonrpc' }),
    repaired: card03(),
    level: 'warning',
    says: 'preferredTransport "jsonrpc" is not JSONRPC, GRPC or HTTP+JSON; "JSONRPC" is meant',
  },
  'card/url': [
    {
      broken: card03({ url: '' }),
      repaired: card03(),
      level: 'error',
      says: 'url "" must be an absolute http(s) URL',
    },
    {
      broken: { ...without(card03(), 'url'), serviceUrl: 'https://a.example' },
      repaired: card03(),
      level: 'error',
      says: 'url is missing, and no additionalInterfaces entry has one: neither url nor supportedInterfaces',
    },
  ],
}
