import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkAgentCard } from '../../src/card/checkAgentCard.ts'
import { rules } from '../../src/card/rules/index.ts'
import type { CardContext, CardOptions } from '../../src/card/types.ts'
import type { Level } from '../../src/finding.ts'
import { card01, card03, card10, interface10, local, skill, without } from './cards.ts'

interface Case {
  broken: unknown
  repaired: unknown
  level: Level
  says: string
  /** Where the broken card came from; `local` unless said. */
  from?: CardContext & CardOptions
  /** Where the repaired card came from; as the broken one unless said. */
  repairedFrom?: CardContext & CardOptions
}

const desk = { typedUrl: 'https://desk.example', cardUrl: 'https://desk.example/.well-known/agent-card.json' }
const key03 = { type: 'apiKey', in: 'header', name: 'X-Key' }
const schemes03 = (scheme: unknown): Record<string, unknown> => card03({ securitySchemes: { desk: scheme } })
const schemes10 = (scheme: unknown): Record<string, unknown> => card10({ securitySchemes: { desk: scheme } })
const oauth10 = (flows: unknown): Record<string, unknown> => schemes10({ oauth2SecurityScheme: { flows } })
const device = { deviceAuthorizationUrl: 'https://a.example/d', tokenUrl: 'https://a.example/t', scopes: {} }
const code = { authorizationUrl: 'https://a.example/a', tokenUrl: 'https://a.example/t', scopes: {} }
const rpc = { url: 'http://127.0.0.1:4100/rpc', transport: 'JSONRPC' }
const rest = { url: 'http://127.0.0.1:4100/rest', transport: 'HTTP+JSON' }
const header = (fields: unknown): string => Buffer.from(JSON.stringify(fields)).toString('base64url')
const signed = (fields: unknown): unknown => [{ protected: header(fields), signature: 'c2ln' }]
const whole = { alg: 'ES256', kid: 'k1', typ: 'JOSE' }

/** At least one breach of every rule, and the same card put right. */
const cases: Record<string, Case | Case[]> = {
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
  'card/authentication': [
    {
      broken: card01({ authentication: { required: false } }),
      repaired: card01(),
      level: 'warning',
      says: 'authentication.schemes is missing',
    },
    {
      broken: card01({ authentication: { schemes: [{}] } }),
      repaired: card01({ authentication: {} }),
      level: 'warning',
      says: 'authentication.schemes must be a list of strings, but [0] is an object',
    },
    {
      broken: card01({ authentication: 'bearer' }),
      repaired: card01(),
      from: { ...local, version: '0.1' },
      level: 'warning',
      says: 'authentication must be an object, not "bearer"',
    },
  ],
  'card/authentication-secret': {
    broken: card01({ authentication: { schemes: ['bearer'], credentials: 'sk_live_4f9a8b7c6d5e4f3a2b1c' } }),
    repaired: card01({
      authentication: { schemes: ['bearer'], credentials: 'Ask the platform team for a token.' },
    }),
    level: 'warning',
    says: 'authentication.credentials looks like a secret',
  },
  'card/bind-address': [
    {
      broken: card03({ url: 'http://0.0.0.0:4100/rpc' }),
      repaired: card03(),
      level: 'warning',
      says: '0.0.0.0 is a bind address, not an address a client can call',
    },
    {
      broken: card03({ url: 'http://[::]:8081/invoke' }),
      repaired: card03({ url: 'https://desk.example/rpc' }),
      from: desk,
      level: 'error',
      says: 'url is "http://[::]:8081/invoke" (the card came from https://desk.example/.well-known/agent-card.json): :: is a bind address',
    },
  ],
  'card/cache-headers': {
    broken: card10(),
    repaired: card10(),
    from: { ...local, response: { mediaType: 'application/json', headers: { etag: '"1"' } } },
    repairedFrom: {
      ...local,
      response: { mediaType: 'application/json', headers: { etag: '"1"', 'cache-control': 'max-age=60' } },
    },
    level: 'note',
    says: 'served without cache-control',
  },
  'card/callable-interface': {
    broken: card10({ supportedInterfaces: [interface10({ url: 'a.example:443', protocolBinding: 'GRPC' })] }),
    repaired: card10({
      supportedInterfaces: [interface10({ url: 'a.example:443', protocolBinding: 'GRPC' }), interface10()],
    }),
    level: 'warning',
    says: 'no interface can be called by this client, which speaks JSONRPC and HTTP+JSON; offered: "GRPC"',
  },
  'card/camel-case': [
    {
      broken: { ...without(card10(), 'defaultInputModes'), default_input_modes: ['text/plain'] },
      repaired: card10(),
      level: 'error',
      says: 'field names must be camelCase (the spec uses camelCase): default_input_modes → defaultInputModes',
    },
    {
      broken: { ...without(card03(), 'defaultInputModes'), default_input_modes: ['text/plain'] },
      repaired: card03(),
      level: 'warning',
      says: 'default_input_modes → defaultInputModes',
    },
  ],
  'card/capabilities': {
    broken: card10({ capabilities: ['chat'] }),
    repaired: card10({ capabilities: {} }),
    level: 'error',
    says: 'capabilities must be an object, not a list',
  },
  'card/capability-extensions': [
    {
      broken: card03({ capabilities: { extensions: [{}] } }),
      repaired: card03({ capabilities: { extensions: [{ uri: 'https://a.example/x/v1' }] } }),
      level: 'warning',
      says: 'capabilities.extensions[0].uri is missing',
    },
    {
      broken: card10({ capabilities: { extensions: {} } }),
      repaired: card10({ capabilities: { extensions: [] } }),
      level: 'warning',
      says: 'capabilities.extensions must be a list, not an object',
    },
    {
      broken: card10({ capabilities: { extensions: ['https://a.example'] } }),
      repaired: card10(),
      level: 'warning',
      says: 'capabilities.extensions[0] must be an object',
    },
  ],
  'card/capability-flags': [
    {
      broken: card03({ capabilities: { streaming: 'true' } }),
      repaired: card03(),
      level: 'warning',
      says: 'capabilities.streaming must be true or false, not "true"',
    },
    {
      broken: card10({ capabilities: { extendedAgentCard: 1 } }),
      repaired: card10(),
      level: 'error',
      says: 'capabilities.extendedAgentCard must be true or false, not 1',
    },
    {
      broken: card03({ supportsAuthenticatedExtendedCard: 'no' }),
      repaired: card03({ supportsAuthenticatedExtendedCard: false }),
      level: 'warning',
      says: 'supportsAuthenticatedExtendedCard must be true or false, not "no"',
    },
  ],
  'card/content-type': [
    {
      broken: card03(),
      repaired: card03(),
      from: { ...local, response: { mediaType: 'text/plain', headers: {} } },
      repairedFrom: { ...local, response: { mediaType: 'application/a2a+json', headers: {} } },
      level: 'warning',
      says: 'served as text/plain, not as application/json',
    },
    {
      broken: card03(),
      repaired: card03(),
      from: { ...local, response: { mediaType: '', headers: {} } },
      repairedFrom: { ...local, response: { mediaType: 'application/json', headers: {} } },
      level: 'warning',
      says: 'served without a content-type',
    },
  ],
  'card/default-input-modes': {
    broken: card10({ defaultInputModes: [] }),
    repaired: card10(),
    level: 'error',
    says: 'defaultInputModes is empty',
  },
  'card/default-output-modes': {
    broken: card10({ defaultOutputModes: 'text/plain' }),
    repaired: card10(),
    level: 'error',
    says: 'defaultOutputModes must be a list of strings',
  },
  'card/description': {
    broken: card10({ description: '' }),
    repaired: card10(),
    level: 'error',
    says: 'description is empty',
  },
  'card/documentation-url': [
    {
      broken: card10({ documentationUrl: 'docs' }),
      repaired: card10({ documentationUrl: '' }),
      level: 'warning',
      says: 'documentationUrl "docs" must be an http(s) URL',
    },
    {
      broken: card10({ documentationUrl: 5 }),
      repaired: card10({ documentationUrl: 'https://a.example' }),
      level: 'error',
      says: 'documentationUrl 5',
    },
  ],
  'card/extended-card-security': [
    {
      broken: card03({ supportsAuthenticatedExtendedCard: true }),
      repaired: card03({ supportsAuthenticatedExtendedCard: true, securitySchemes: { desk: key03 } }),
      level: 'warning',
      says: 'supportsAuthenticatedExtendedCard is true, but securitySchemes declares nothing',
    },
    {
      broken: card10({ capabilities: { extendedAgentCard: true } }),
      repaired: card10({ capabilities: { extendedAgentCard: false } }),
      level: 'warning',
      says: 'capabilities.extendedAgentCard is true',
    },
  ],
  'card/icon-url': {
    broken: card03({ iconUrl: 'icon.png' }),
    repaired: card03({ iconUrl: 'http://a.example/icon.png' }),
    level: 'warning',
    says: 'iconUrl "icon.png" must be an http(s) URL',
  },
  'card/in-memory-form': {
    broken: schemes10({ scheme: { $case: 'httpAuthSecurityScheme', value: { scheme: 'bearer' } } }),
    repaired: schemes10({ httpAuthSecurityScheme: { scheme: 'bearer' } }),
    level: 'warning',
    says: '{"$case", "value"} instead of the JSON form at securitySchemes.desk',
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
      says: '"json-rpc" is none of JSONRPC, GRPC and HTTP+JSON, and no URI; "JSONRPC" is meant',
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
      says: 'should be host:port, as gRPC clients take it',
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
  'card/legacy-members': {
    broken: card10({ url: 'http://127.0.0.1:4100/rpc', capabilities: { stateTransitionHistory: false } }),
    repaired: card10({ url: 'http://127.0.0.1:4100/rpc', protocolVersion: '0.3.0', security: [] }),
    level: 'warning',
    says: 'legacy leftovers of 0.x, which 1.0 clients ignore: url, capabilities.stateTransitionHistory',
  },
  'card/legacy-path': {
    broken: card03(),
    repaired: card03(),
    from: { ...local, cardUrl: 'http://127.0.0.1:4100/desk/.well-known/agent.json' },
    repairedFrom: local,
    level: 'warning',
    says: 'only at the legacy path /desk/.well-known/agent.json; clients of A2A 0.3 and later look for /desk/.well-known/agent-card.json',
  },
  'card/loopback-address': [
    {
      broken: card03(),
      repaired: card03({ url: 'https://desk.example/rpc' }),
      from: desk,
      level: 'warning',
      says: 'a loopback address: its path is called at https://desk.example instead',
    },
    {
      broken: card03(),
      repaired: card03(),
      from: {},
      repairedFrom: { served: true },
      level: 'warning',
      says: 'only clients on the same machine can call it',
    },
  ],
  'card/main-interface-listed': {
    broken: card03({ additionalInterfaces: [rest] }),
    repaired: card03({ additionalInterfaces: [rest, rpc] }),
    level: 'warning',
    says: 'does not repeat the main interface, "JSONRPC" at "http://127.0.0.1:4100/rpc"',
  },
  'card/media-types': [
    {
      broken: card03({ defaultInputModes: ['text', 'text/plain'] }),
      repaired: card03({ defaultInputModes: ['text/plain; charset=utf-8', 'image/*'] }),
      level: 'warning',
      says: 'defaultInputModes has "text", which is no media type (type/subtype)',
    },
    {
      broken: card10({ skills: [skill({ outputModes: ['json', 'md'] })] }),
      repaired: card10({ skills: [skill({ outputModes: ['application/vnd.a+json'] })] }),
      level: 'warning',
      says: 'skills[0].outputModes has "json", "md", which are no media types',
    },
  ],
  'card/name': { broken: card10({ name: null }), repaired: card10(), level: 'error', says: 'name is null' },
  'card/null-members': {
    broken: card03({ provider: null, iconUrl: null }),
    repaired: card03(),
    level: 'warning',
    says: 'null instead of absent: provider, iconUrl',
  },
  'card/other-origin': [
    {
      broken: card03({ url: 'http://127.0.0.1:4999/rpc' }),
      repaired: card03({ url: 'http://localhost:4100/rpc' }),
      level: 'warning',
      says: 'the card points to http://127.0.0.1:4999, another origin than http://127.0.0.1:4100; credentials were not sent there (option trustedOrigins)',
    },
    {
      broken: card10({ supportedInterfaces: [interface10({ url: 'https://other.example/rpc' })] }),
      repaired: card10({ supportedInterfaces: [interface10({ url: 'https://other.example/rpc' })] }),
      from: desk,
      repairedFrom: { ...desk, trustedOrigins: ['https://other.example'] },
      level: 'warning',
      says: 'the card points to https://other.example',
    },
  ],
  'card/plain-http': [
    {
      broken: card10({ supportedInterfaces: [interface10({ url: 'http://desk.example/rpc' })] }),
      repaired: card10({ supportedInterfaces: [interface10({ url: 'https://desk.example/rpc' })] }),
      from: desk,
      level: 'error',
      says: 'supportedInterfaces[0].url is "http://desk.example/rpc", plain http, but the card came from https://desk.example by https',
    },
    {
      broken: card03({ url: 'http://desk.example/rpc' }),
      repaired: card03(),
      from: {},
      level: 'warning',
      says: 'plain http; A2A demands https in production',
    },
  ],
  'card/preferred-transport': {
    broken: card03({ preferredTransport: 'GRPC' }),
    repaired: card03({ preferredTransport: 'GRPC', additionalInterfaces: [rpc] }),
    level: 'error',
    says: 'no JSON-RPC interface is listed',
  },
  'card/private-address': [
    {
      broken: card03({ url: 'https://10.0.3.7:9090/a2a' }),
      repaired: card03({ url: 'https://desk.example/a2a' }),
      from: desk,
      level: 'error',
      says: '10.0.3.7 is a private address',
    },
    {
      broken: card03({ url: 'https://10.0.3.7:9090/a2a' }),
      repaired: card03(),
      level: 'warning',
      says: '10.0.3.7 is a private address',
    },
  ],
  'card/protocol-version': [
    {
      broken: card03({ protocolVersion: 3 }),
      repaired: card03(),
      level: 'error',
      says: 'protocolVersion must be a string such as "0.3.0", not 3',
    },
    {
      broken: without(card03(), 'protocolVersion'),
      repaired: card03(),
      level: 'warning',
      says: 'protocolVersion is missing; the card is treated as 0.2',
    },
  ],
  'card/protocol-version-mix': [
    {
      broken: card03({ authentication: { schemes: [] } }),
      repaired: card03(),
      level: 'warning',
      says: 'authentication belongs to A2A 0.1; clients of 0.3 read securitySchemes and security',
    },
    {
      broken: card03({ protocolVersion: '0.2.6', signatures: [] }),
      repaired: card03({ protocolVersion: '0.2.6' }),
      level: 'warning',
      says: 'signatures came with A2A 0.3, but protocolVersion is "0.2.6"',
    },
    {
      broken: card03({ protocolVersion: '1.0' }),
      repaired: card03(),
      from: { ...local, version: '0.3' },
      level: 'warning',
      says: 'protocolVersion "1.0" stands in the layout of 0.3',
    },
  ],
  'card/provider': [
    {
      broken: card10({ provider: { name: 'A', url: 'https://a.example' } }),
      repaired: card10({ provider: { organization: 'A', url: 'https://a.example' } }),
      level: 'warning',
      says: 'provider has no organization',
    },
    {
      broken: card03({ provider: 'A' }),
      repaired: card03({ provider: { organization: 'A' } }),
      level: 'warning',
      says: 'provider must be an object with an organization, not "A"',
    },
    {
      broken: card10({ provider: { organization: 'A' } }),
      repaired: card10(),
      level: 'warning',
      says: 'provider has no url',
    },
  ],
  'card/required-extension': {
    broken: card10({ capabilities: { extensions: [{ uri: 'https://a.example/x', required: true }] } }),
    repaired: card10({ capabilities: { extensions: [{ uri: 'https://a.example/x' }] } }),
    level: 'warning',
    says: 'clients must opt in to "https://a.example/x" or are refused',
  },
  'card/scheme-api-key': [
    {
      broken: schemes03({ type: 'apiKey', in_: 'header', name: 'X-Key' }),
      repaired: schemes03(key03),
      level: 'error',
      says: 'securitySchemes.desk: unknown key "in_", expected "in"',
    },
    {
      broken: schemes03({ type: 'apiKey', name: 'X-Key' }),
      repaired: schemes03(key03),
      level: 'error',
      says: 'securitySchemes.desk.in is missing',
    },
    {
      broken: schemes10({ apiKeySecurityScheme: { in: 'header', name: 'X-Key' } }),
      repaired: schemes10({ apiKeySecurityScheme: { location: 'header', name: 'X-Key' } }),
      level: 'error',
      says: 'unknown key "in", expected "location"',
    },
    {
      broken: schemes03({ ...key03, in: 'body' }),
      repaired: schemes03({ ...key03, in: 'cookie' }),
      level: 'error',
      says: 'securitySchemes.desk.in "body" must be query, header or cookie',
    },
    {
      broken: schemes03({ ...key03, name: 'X-Key\r\nHost: evil.example' }),
      repaired: schemes03({ ...key03, in: 'query', name: 'api key' }),
      level: 'error',
      says: 'cannot be the name of a header',
    },
    {
      broken: schemes03({ type: 'apiKey', in: 'header' }),
      repaired: schemes03(key03),
      level: 'error',
      says: 'securitySchemes.desk.name is missing',
    },
    {
      broken: schemes03({ ...key03, name: '' }),
      repaired: schemes03(key03),
      level: 'error',
      says: 'securitySchemes.desk.name must be a non-empty string',
    },
  ],
  'card/scheme-flow-deprecated': {
    broken: oauth10({ password: {} }),
    repaired: oauth10({ deviceCode: device }),
    level: 'warning',
    says: 'uses password, which is deprecated',
  },
  'card/scheme-http': {
    broken: schemes03({ type: 'http' }),
    repaired: schemes03({ type: 'http', scheme: 'bearer' }),
    level: 'error',
    says: 'securitySchemes.desk.scheme is missing',
  },
  'card/scheme-https': [
    {
      broken: schemes10({ openIdConnectSecurityScheme: { openIdConnectUrl: 'http://a.example/x' } }),
      repaired: schemes10({ openIdConnectSecurityScheme: { openIdConnectUrl: 'http://localhost:8080/x' } }),
      level: 'warning',
      says: 'openIdConnectUrl "http://a.example/x" must be an https URL',
    },
    {
      broken: schemes03({
        type: 'oauth2',
        flows: { authorizationCode: { ...code, tokenUrl: 'http://a.example/t' } },
      }),
      repaired: schemes03({ type: 'oauth2', flows: { authorizationCode: code } }),
      level: 'error',
      says: 'flows.authorizationCode.tokenUrl "http://a.example/t" must be an https URL',
    },
  ],
  'card/scheme-kind': [
    {
      broken: schemes03({ in: 'header', name: 'X' }),
      repaired: schemes03(key03),
      level: 'error',
      says: 'securitySchemes.desk.type is missing',
    },
    {
      broken: schemes03({ type: 'x402' }),
      repaired: schemes03({ httpAuthSecurityScheme: { scheme: 'bearer' } }),
      level: 'warning',
      says: 'securitySchemes.desk.type "x402" is none of apiKey, http',
    },
    {
      broken: schemes10({ type: 'http', scheme: 'bearer' }),
      repaired: schemes10({ httpAuthSecurityScheme: { scheme: 'bearer' } }),
      level: 'error',
      says: 'securitySchemes.desk is written as in 0.3 (type "http")',
    },
    {
      broken: card10({
        url: 'http://127.0.0.1:4100/rpc',
        protocolVersion: '0.3.0',
        securitySchemes: { desk: key03 },
      }),
      repaired: card10({
        url: 'http://127.0.0.1:4100/rpc',
        protocolVersion: '0.3.0',
        securitySchemes: { desk: { ...key03, apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } },
      }),
      level: 'warning',
      says: 'is written as in 0.3',
    },
    {
      broken: schemes10({}),
      repaired: schemes10({ mtlsSecurityScheme: {} }),
      level: 'error',
      says: 'securitySchemes.desk has none of apiKeySecurityScheme',
    },
    {
      broken: schemes10({ mtlsSecurityScheme: {}, httpAuthSecurityScheme: { scheme: 'bearer' } }),
      repaired: schemes10({ mtlsSecurityScheme: {} }),
      level: 'error',
      says: 'must have one kind only, but has httpAuthSecurityScheme, mtlsSecurityScheme',
    },
  ],
  'card/scheme-oauth2': [
    {
      broken: oauth10({
        deviceCode: device,
        clientCredentials: { tokenUrl: 'https://a.example/t', scopes: {} },
      }),
      repaired: oauth10({ deviceCode: device }),
      level: 'error',
      says: 'must have one flow only in 1.0, but has clientCredentials, deviceCode',
    },
    {
      broken: oauth10({}),
      repaired: oauth10({ deviceCode: device }),
      level: 'error',
      says: 'flows has none of authorizationCode',
    },
    {
      broken: oauth10({ deviceCode: without(device, 'scopes') }),
      repaired: oauth10({ deviceCode: device }),
      level: 'warning',
      says: 'flows.deviceCode.scopes is missing',
    },
    {
      broken: schemes03({ type: 'oauth2' }),
      repaired: schemes03({
        type: 'oauth2',
        flows: {
          authorizationCode: code,
          clientCredentials: { tokenUrl: 'https://a.example/t', scopes: {} },
        },
      }),
      level: 'error',
      says: 'securitySchemes.desk.flows is missing',
    },
    {
      broken: schemes03({ type: 'oauth2', flows: { authorizationCode: without(code, 'tokenUrl') } }),
      repaired: schemes03({ type: 'oauth2', flows: { authorizationCode: code } }),
      level: 'error',
      says: 'flows.authorizationCode.tokenUrl is missing',
    },
    {
      broken: schemes03({ type: 'oauth2', flows: { authorizationCode: { ...code, scopes: ['a'] } } }),
      repaired: schemes03({ type: 'oauth2', flows: { authorizationCode: code } }),
      level: 'error',
      says: 'scopes must be an object, not a list',
    },
    {
      broken: schemes03({ type: 'oauth2', flows: { password: 'x' } }),
      repaired: schemes03({
        type: 'oauth2',
        flows: { password: { tokenUrl: 'https://a.example/t', scopes: {} } },
      }),
      level: 'error',
      says: 'flows.password must be an object',
    },
    {
      broken: schemes03({ type: 'oauth2', flows: [] }),
      repaired: schemes03({ type: 'oauth2', flows: { authorizationCode: code } }),
      level: 'error',
      says: 'flows must be an object, not an empty list',
    },
  ],
  'card/scheme-openid': {
    broken: schemes03({ type: 'openIdConnect' }),
    repaired: schemes03({ type: 'openIdConnect', openIdConnectUrl: 'https://a.example/x' }),
    level: 'error',
    says: 'openIdConnectUrl is missing',
  },
  'card/scheme-pkce': {
    broken: oauth10({ authorizationCode: code }),
    repaired: oauth10({ authorizationCode: { ...code, pkceRequired: true } }),
    level: 'warning',
    says: 'flows.authorizationCode does not require PKCE',
  },
  'card/security-requirements': [
    {
      broken: card10({ securityRequirements: [{ desk: [] }] }),
      repaired: card10({ securityRequirements: [{}] }),
      level: 'error',
      says: 'securityRequirements[0] must have schemes, an object; {"name": [scopes]} is the form of 0.3',
    },
    {
      broken: card10({ securityRequirements: [{ schemes: { desk: [] } }] }),
      repaired: card10({ securityRequirements: [{ schemes: { desk: { list: ['a'] } } }] }),
      level: 'error',
      says: 'securityRequirements[0].schemes.desk must be {"list": [scopes]}, not a bare list',
    },
    {
      broken: card10({ securityRequirements: [{ schemes: { desk: 1 } }] }),
      repaired: card10({ securityRequirements: [{ schemes: { desk: {} } }] }),
      level: 'error',
      says: 'must be {"list": [scopes]}, not 1',
    },
    {
      broken: card10({ securityRequirements: [{ schemes: { desk: { list: 'a' } } }] }),
      repaired: card10(),
      level: 'error',
      says: 'desk.list must be a list of strings, not "a"',
    },
    {
      broken: card10({ skills: [skill({ securityRequirements: {} })] }),
      repaired: card10(),
      level: 'error',
      says: 'skills[0].securityRequirements must be a list, not an object',
    },
    {
      broken: card03({ security: { desk: [] } }),
      repaired: card03({ security: [] }),
      level: 'warning',
      says: 'security must be a list, not an object',
    },
    {
      broken: card03({ security: ['desk'] }),
      repaired: card03({ security: [{ schemes: { desk: { list: [] } } }] }),
      level: 'warning',
      says: 'security[0] must be an object, not "desk"',
    },
    {
      broken: card03({ securitySchemes: { desk: key03 }, security: [{ desk: 'x' }] }),
      repaired: card03({ securitySchemes: { desk: key03 }, security: [{ desk: [] }] }),
      level: 'warning',
      says: 'security[0].desk must be a list of strings, not "x"',
    },
  ],
  'card/security-schemes': [
    {
      broken: card03({ securitySchemes: [] }),
      repaired: card03({ securitySchemes: {} }),
      level: 'error',
      says: 'securitySchemes must be an object, not an empty list',
    },
    {
      broken: schemes10('bearer'),
      repaired: schemes10({ mtlsSecurityScheme: {} }),
      level: 'error',
      says: 'securitySchemes.desk must be an object, not "bearer"',
    },
  ],
  'card/security-undeclared': [
    {
      broken: card03({ securitySchemes: { desk: key03 }, security: [{ desk2: [] }] }),
      repaired: card03({ securitySchemes: { desk: key03 }, security: [{ desk: [] }] }),
      level: 'error',
      says: 'security refers to "desk2", which is not in securitySchemes',
    },
    {
      broken: card10({ skills: [skill({ securityRequirements: [{ schemes: { desk: { list: [] } } }] })] }),
      repaired: card10({
        securitySchemes: { desk: { mtlsSecurityScheme: {} } },
        skills: [skill({ securityRequirements: [{ schemes: { desk: { list: [] } } }] })],
      }),
      level: 'error',
      says: 'skills[0].securityRequirements refers to "desk"',
    },
  ],
  'card/signature-typ': {
    broken: card10({ signatures: signed({ alg: 'ES256', kid: 'k1' }) }),
    repaired: card10({ signatures: signed(whole) }),
    level: 'warning',
    says: 'signatures[0].protected has no typ, where "JOSE" is expected',
  },
  'card/signatures': [
    {
      broken: card10({ signatures: [{ signature: 'c2ln' }] }),
      repaired: card10({ signatures: signed(whole) }),
      level: 'error',
      says: 'signatures[0].protected is missing',
    },
    {
      broken: card10({ signatures: [{ protected: 'e30', signature: 'a+b=' }] }),
      repaired: card10({ signatures: signed(whole) }),
      level: 'error',
      says: 'signatures[0].signature must be base64url, not "a+b="',
    },
    {
      broken: card03({ signatures: [{ protected: 'AAAA', signature: 'c2ln' }] }),
      repaired: card03({ signatures: signed(whole) }),
      level: 'error',
      says: 'signatures[0].protected does not decode to a JSON object',
    },
    {
      broken: card03({ signatures: signed({ alg: 'ES256' }) }),
      repaired: card03({ signatures: signed(whole) }),
      level: 'error',
      says: 'signatures[0].protected has no kid in its header',
    },
    {
      broken: card03({ signatures: {} }),
      repaired: card03({ signatures: [] }),
      level: 'error',
      says: 'signatures must be a list',
    },
    {
      broken: card03({ signatures: ['x'] }),
      repaired: card03({ signatures: [] }),
      level: 'error',
      says: 'signatures[0] must be an object',
    },
  ],
  'card/skill-description': {
    broken: card10({ skills: [skill({ description: '' })] }),
    repaired: card10(),
    level: 'error',
    says: 'skills[0].description is empty',
  },
  'card/skill-examples': [
    {
      broken: card03({ skills: [skill({ examples: [{}] })] }),
      repaired: card03({ skills: [skill({ examples: ['hi'] })] }),
      level: 'warning',
      says: 'skills[0].examples must be a list of strings, but [0] is an object',
    },
    {
      broken: card10({ skills: [skill({ examples: 'hi' })] }),
      repaired: card10(),
      level: 'error',
      says: 'skills[0].examples must be a list of strings, not "hi"',
    },
  ],
  'card/skill-id': {
    broken: card10({ skills: [skill({ id: 5 })] }),
    repaired: card10(),
    level: 'error',
    says: 'skills[0].id must be a string, not 5',
  },
  'card/skill-id-unique': [
    {
      broken: card03({ skills: [skill(), skill()] }),
      repaired: card03({ skills: [skill(), skill({ id: 'b' })] }),
      level: 'error',
      says: 'skills[1].id "echo" is the id of skills[0] too',
    },
    {
      broken: card10({ skills: [skill(), skill()] }),
      repaired: card10(),
      level: 'warning',
      says: 'is the id of skills[0] too',
    },
  ],
  'card/skill-modes': {
    broken: card10({ skills: [skill({ inputModes: 'text/plain' })] }),
    repaired: card10({ skills: [skill({ inputModes: ['text/plain'] })] }),
    level: 'error',
    says: 'skills[0].inputModes must be a list of strings',
  },
  'card/skill-name': {
    broken: card10({ skills: [without(skill(), 'name')] }),
    repaired: card10(),
    level: 'error',
    says: 'skills[0].name is missing',
  },
  'card/skill-object': {
    broken: card10({ skills: [null] }),
    repaired: card10(),
    level: 'error',
    says: 'skills[0] must be an object, not null',
  },
  'card/skill-tags': [
    {
      broken: card10({ skills: [without(skill(), 'tags')] }),
      repaired: card10(),
      level: 'error',
      says: 'skills[0].tags is missing',
    },
    {
      broken: card10({ skills: [skill({ tags: [] })] }),
      repaired: card10(),
      level: 'warning',
      says: 'skills[0].tags is empty',
    },
    {
      broken: card03({ skills: [skill({ tags: null })] }),
      repaired: card03(),
      level: 'warning',
      says: 'skills[0].tags is null',
    },
  ],
  'card/skills': {
    broken: card10({ skills: 'echo' }),
    repaired: card10(),
    level: 'error',
    says: 'skills must be a list, not "echo"',
  },
  'card/skills-empty': {
    broken: card10({ skills: [] }),
    repaired: card10(),
    level: 'warning',
    says: 'skills is empty',
  },
  'card/supported-interfaces': [
    {
      broken: without(card10(), 'supportedInterfaces'),
      repaired: card10(),
      from: { ...local, version: '1.0' },
      level: 'error',
      says: 'supportedInterfaces is missing: neither url nor supportedInterfaces says where the agent is',
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
    says: 'preferredTransport "jsonrpc" is none of JSONRPC, GRPC and HTTP+JSON; "JSONRPC" is meant',
  },
  'card/unsigned': {
    broken: card10({ signatures: [] }),
    repaired: card10({ signatures: signed(whole) }),
    level: 'note',
    says: 'the card is not signed',
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
  'card/version': {
    broken: without(card10(), 'version'),
    repaired: card10(),
    level: 'error',
    says: 'version is missing',
  },
}

test('every rule has a case, and every case a rule', () => {
  expect(Object.keys(cases).sort()).toEqual(rules.map(({ id }) => id).sort())
})

test('the id of a rule is the name of its file', () => {
  const files = readdirSync(new URL('../../src/card/rules/', import.meta.url))
    .filter((name) => name !== 'index.ts')
    .map((name) => `card/${name.replace(/\.ts$/, '')}`)
  expect(rules.map(({ id }) => id).sort()).toEqual(files.sort())
})

test.each(rules.map((rule) => [rule.id, rule] as const))(
  '%s says what holds, how to mend it, and why',
  (_id, rule) => {
    expect(Object.keys(rule.levels).length).toBeGreaterThan(0)
    for (const text of [rule.about, rule.mend]) expect(text).toMatch(/^[\w`'"].{15,}\.$/)
    for (const version of Object.keys(rule.levels)) {
      const source = typeof rule.source === 'string' ? rule.source : rule.source[version as '0.3']
      expect(source, version).toBeTruthy()
    }
  },
)

const rows = Object.entries(cases).flatMap(([id, value]) =>
  (Array.isArray(value) ? value : [value]).map((one, index) => ({ id, index, ...one })),
)

describe.each(rows)('$id ($index)', ({ id, broken, repaired, level, says, from = local, repairedFrom }) => {
  const findings = (card: unknown, options: CardContext & CardOptions): string[] =>
    checkAgentCard(card, options)
      .findings.filter((finding) => finding.id === id)
      .map((finding) => `${finding.level}: ${finding.message}`)

  test('fires', () => {
    const said = findings(broken, from)
    expect(said.join('\n')).toContain(says)
    expect(said.find((line) => line.includes(says))).toMatch(new RegExp(`^${level}: `))
  })

  test('is silent when repaired', () => {
    expect(findings(repaired, repairedFrom ?? from)).toEqual([])
  })

  test('can be silenced', () => {
    expect(findings(broken, { ...from, rules: { [id]: 'off' } })).toEqual([])
  })
})
