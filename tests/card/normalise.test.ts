import { expect, test } from 'vitest'
import { checkAgentCard } from '../../src/card/checkAgentCard.ts'
import { normalise } from '../../src/card/normalise.ts'
import { card03, card10, local, skill } from './cards.ts'

test('snake_case names are read at every known place, and nowhere else', () => {
  const reading = normalise({
    supported_interfaces: [
      { url: 'https://a.example', protocol_binding: 'JSONRPC', protocol_version: '1.0' },
    ],
    capabilities: {
      push_notifications: false,
      extensions: [{ uri: 'urn:x', params: { max_items: 3, default_input_modes: [] } }],
    },
    security_schemes: {
      my_key: { api_key_security_scheme: { location: 'header', name: 'X' } },
      o: {
        oauth2_security_scheme: {
          flows: { device_code: { token_url: 'https://a.example', scopes: { read_all: '' } } },
        },
      },
    },
    skills: [{ id: 'a', input_modes: ['text/plain'], metadata: { some_key: 1 } }],
    vendor_field: { protocol_version: '9' },
  })
  expect(reading.card).toMatchObject({
    supportedInterfaces: [{ protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {
      pushNotifications: false,
      extensions: [{ params: { max_items: 3, default_input_modes: [] } }],
    },
    securitySchemes: {
      my_key: { apiKeySecurityScheme: { name: 'X' } },
      o: {
        oauth2SecurityScheme: {
          flows: { deviceCode: { tokenUrl: 'https://a.example', scopes: { read_all: '' } } },
        },
      },
    },
    skills: [{ inputModes: ['text/plain'], metadata: { some_key: 1 } }],
    vendor_field: { protocol_version: '9' },
  })
  expect(reading.renames).toContainEqual({
    path: 'supported_interfaces[0].protocol_binding',
    to: 'protocolBinding',
  })
  expect(reading.renames.map(({ path }) => path).join()).not.toMatch(/params|metadata|scopes|vendor|my_key$/)
})

test('camelCase wins where a member is written both ways', () => {
  const reading = normalise({ default_input_modes: ['a/b'], defaultInputModes: ['c/d'] })
  expect(reading.card).toEqual({ defaultInputModes: ['c/d'] })
  expect(reading.renames).toEqual([])
})

test('nulls of known members count as absent; those of unknown members and in lists stay', () => {
  const reading = normalise({
    name: null,
    iconUrl: null,
    vendor: null,
    skills: [null, { id: 'a', tags: null }],
  })
  expect(reading.card).toEqual({ vendor: null, skills: [null, { id: 'a' }] })
  expect(reading.nulls).toEqual(['name', 'iconUrl', 'skills[1].tags'])
})

test('the in-memory form of generated code is undone, flows included', () => {
  const reading = normalise({
    securitySchemes: {
      o: {
        scheme: {
          $case: 'oauth2SecurityScheme',
          value: {
            flows: {
              flow: { $case: 'clientCredentials', value: { tokenUrl: 'https://a.example', scopes: {} } },
            },
          },
        },
      },
    },
  })
  expect(reading.card).toEqual({
    securitySchemes: {
      o: {
        oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://a.example', scopes: {} } } },
      },
    },
  })
  expect(reading.leaks).toEqual(['securitySchemes.o', 'securitySchemes.o.oauth2SecurityScheme.flows'])
})

test('names of Object.prototype members are plain data', () => {
  const document = JSON.parse(
    '{"__proto__": {"name": "x"}, "constructor": 1, "securitySchemes": {"__proto__": null}}',
  )
  const { card } = normalise(document as Record<string, unknown>)
  expect(Object.getPrototypeOf(card)).toBe(Object.prototype)
  expect(card['name']).toBeUndefined()
  expect(() => checkAgentCard(document, { version: '1.0' })).not.toThrow()
})

test('what a compatibility layer publishes is valid: both families in one document', () => {
  const hybrid = card10({
    supportedInterfaces: [
      { url: 'http://127.0.0.1:4100/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: 'http://127.0.0.1:4100/rpc', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
    url: 'http://127.0.0.1:4100/rpc',
    protocolVersion: '0.3.0',
    preferredTransport: 'JSONRPC',
    securitySchemes: {
      key: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Key',
        apiKeySecurityScheme: { location: 'header', name: 'X-Key' },
      },
    },
    security: [{ key: [] }],
    securityRequirements: [{ schemes: { key: { list: [] } } }],
  })
  const report = checkAgentCard(hybrid, local)
  expect(report.shape).toMatchObject({ kind: 'card', version: '1.0' })
  expect([...report.errors, ...report.warnings]).toEqual([])
})

test('defaults that generated code writes out count as absent in 1.0', () => {
  const card = card10({
    securitySchemes: {},
    securityRequirements: [],
    signatures: [],
    documentationUrl: '',
    iconUrl: '',
    skills: [skill({ examples: [], inputModes: [], outputModes: [], securityRequirements: [] })],
  })
  const report = checkAgentCard(card, local)
  expect([...report.errors, ...report.warnings]).toEqual([])
})

test('a 0.3 card with the wrapper keys of the proto form is read', () => {
  const card = card03({
    securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } },
    security: [{ schemes: { key: { list: [] } } }],
  })
  const report = checkAgentCard(card, local)
  expect([...report.errors, ...report.warnings]).toEqual([])
})
