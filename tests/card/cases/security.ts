import { card01, card03, card10, local, skill, without } from '../cards.ts'
import type { Cases } from './types.ts'

const key03 = { type: 'apiKey', in: 'header', name: 'X-Key' }
const schemes03 = (scheme: unknown): Record<string, unknown> => card03({ securitySchemes: { key: scheme } })
const schemes10 = (scheme: unknown): Record<string, unknown> => card10({ securitySchemes: { key: scheme } })
const oauth10 = (flows: unknown): Record<string, unknown> => schemes10({ oauth2SecurityScheme: { flows } })
const device = { deviceAuthorizationUrl: 'https://a.example/d', tokenUrl: 'https://a.example/t', scopes: {} }
const code = { authorizationUrl: 'https://a.example/a', tokenUrl: 'https://a.example/t', scopes: {} }
const header = (fields: unknown): string => Buffer.from(JSON.stringify(fields)).toString('base64url')
const signed = (fields: unknown): unknown => [{ protected: header(fields), signature: 'c2ln' }]
const whole = { alg: 'ES256', kid: 'k1', typ: 'JOSE' }

/** What the card says about authentication, and its signatures. */
export const security: Cases = {
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
  'card/extended-card-security': [
    {
      broken: card03({ supportsAuthenticatedExtendedCard: true }),
      repaired: card03({ supportsAuthenticatedExtendedCard: true, securitySchemes: { key: key03 } }),
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
  'card/scheme-api-key': [
    {
      broken: schemes03({ type: 'apiKey', in_: 'header', name: 'X-Key' }),
      repaired: schemes03(key03),
      level: 'error',
      says: 'securitySchemes.key: unknown key "in_", expected "in"',
    },
    {
      broken: schemes03({ type: 'apiKey', name: 'X-Key' }),
      repaired: schemes03(key03),
      level: 'error',
      says: 'securitySchemes.key.in is missing',
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
      says: 'securitySchemes.key.in "body" must be query, header or cookie',
    },
    {
      broken: schemes03({ ...key03, in: ['header'] }),
      repaired: schemes03(key03),
      level: 'error',
      says: 'securitySchemes.key.in a list must be query, header or cookie',
    },
    {
      broken: schemes10({ apiKeySecurityScheme: { location: {}, name: 'X Key' } }),
      repaired: schemes10({ apiKeySecurityScheme: { location: 'header', name: 'X-Key' } }),
      level: 'error',
      says: 'location an object must be query, header or cookie',
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
      says: 'securitySchemes.key.name is missing',
    },
    {
      broken: schemes03({ ...key03, name: '' }),
      repaired: schemes03(key03),
      level: 'error',
      says: 'securitySchemes.key.name must be a non-empty string',
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
    says: 'securitySchemes.key.scheme is missing',
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
      says: 'securitySchemes.key.type is missing',
    },
    {
      broken: schemes03({ type: 'x402' }),
      repaired: schemes03({ httpAuthSecurityScheme: { scheme: 'bearer' } }),
      level: 'warning',
      says: 'securitySchemes.key.type "x402" is none of apiKey, http',
    },
    {
      broken: schemes10({ type: 'http', scheme: 'bearer' }),
      repaired: schemes10({ httpAuthSecurityScheme: { scheme: 'bearer' } }),
      level: 'error',
      says: 'securitySchemes.key is written as in 0.3 (type "http")',
    },
    {
      broken: card10({
        url: 'http://127.0.0.1:4100/rpc',
        protocolVersion: '0.3.0',
        securitySchemes: { key: key03 },
      }),
      repaired: card10({
        url: 'http://127.0.0.1:4100/rpc',
        protocolVersion: '0.3.0',
        securitySchemes: {
          key: { ...key03, apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
        },
      }),
      level: 'warning',
      says: 'is written as in 0.3',
    },
    {
      broken: schemes10({}),
      repaired: schemes10({ mtlsSecurityScheme: {} }),
      level: 'error',
      says: 'securitySchemes.key has none of apiKeySecurityScheme',
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
      says: 'securitySchemes.key.flows is missing',
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
      broken: card10({ securityRequirements: [{ key: [] }] }),
      repaired: card10({ securityRequirements: [{}] }),
      level: 'error',
      says: 'securityRequirements[0] must have schemes, an object; {"name": [scopes]} is the form of 0.3',
    },
    {
      broken: card10({ securityRequirements: [{ schemes: { key: [] } }] }),
      repaired: card10({ securityRequirements: [{ schemes: { key: { list: ['a'] } } }] }),
      level: 'error',
      says: 'securityRequirements[0].schemes.key must be {"list": [scopes]}, not a bare list',
    },
    {
      broken: card10({ securityRequirements: [{ schemes: { key: 1 } }] }),
      repaired: card10({ securityRequirements: [{ schemes: { key: {} } }] }),
      level: 'error',
      says: 'must be {"list": [scopes]}, not 1',
    },
    {
      broken: card10({ securityRequirements: [{ schemes: { key: { list: 'a' } } }] }),
      repaired: card10(),
      level: 'error',
      says: 'key.list must be a list of strings, not "a"',
    },
    {
      broken: card10({ skills: [skill({ securityRequirements: {} })] }),
      repaired: card10(),
      level: 'error',
      says: 'skills[0].securityRequirements must be a list, not an object',
    },
    {
      broken: card03({ security: { key: [] } }),
      repaired: card03({ security: [] }),
      level: 'warning',
      says: 'security must be a list, not an object',
    },
    {
      broken: card03({ security: ['key'] }),
      repaired: card03({ security: [{ schemes: { key: { list: [] } } }] }),
      level: 'warning',
      says: 'security[0] must be an object, not "key"',
    },
    {
      broken: card03({ securitySchemes: { key: key03 }, security: [{ key: 'x' }] }),
      repaired: card03({ securitySchemes: { key: key03 }, security: [{ key: [] }] }),
      level: 'warning',
      says: 'security[0].key must be a list of strings, not "x"',
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
      says: 'securitySchemes.key must be an object, not "bearer"',
    },
  ],
  'card/security-undeclared': [
    {
      broken: card03({ securitySchemes: { key: key03 }, security: [{ secondHelpdesk: [] }] }),
      repaired: card03({ securitySchemes: { key: key03 }, security: [{ key: [] }] }),
      level: 'error',
      says: 'security refers to "secondHelpdesk", which is not in securitySchemes',
    },
    {
      broken: card10({
        skills: [skill({ securityRequirements: [{ schemes: { key: { list: [] } } }] })],
      }),
      repaired: card10({
        securitySchemes: { key: { mtlsSecurityScheme: {} } },
        skills: [skill({ securityRequirements: [{ schemes: { key: { list: [] } } }] })],
      }),
      level: 'error',
      says: 'skills[0].securityRequirements refers to "key"',
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
  'card/unsigned': {
    broken: card10({ signatures: [] }),
    repaired: card10({ signatures: signed(whole) }),
    level: 'note',
    says: 'the card is not signed',
  },
}
