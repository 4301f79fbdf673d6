import { readdirSync, readFileSync } from 'node:fs'
import { canonicalizeAgentCard } from 'a2a-sdk-1'
import { describe, expect, test } from 'vitest'
import { normalise } from '../../../src/card/normalise.ts'
import { everyForm, formsOf, type FormName } from '../../../src/card/signatures/forms.ts'
import type { CardObject, CardVersion } from '../../../src/card/types.ts'

const folder = new URL('../../fixtures/signatures/sdk/', import.meta.url)

function payload(name: FormName, raw: CardObject, version?: CardVersion): string | undefined {
  const document = { raw, card: normalise(raw).card, ...(version && { version }) }
  return everyForm(document).find((form) => form.name === name)?.payload
}

describe('the form of the specification', () => {
  test('is that of its example, §8.4.1', () => {
    const card = {
      name: 'Example Agent',
      description: '',
      capabilities: { streaming: false, pushNotifications: false, extensions: [] },
      skills: [],
    }
    expect(payload('spec', card)).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
    )
  })

  // By the presence that the proto gives each member.
  test.each<[CardObject, string]>([
    [{ documentationUrl: '', iconUrl: '' }, '{"documentationUrl":"","iconUrl":""}'],
    [{ provider: {} }, '{"provider":{}}'],
    [{ securitySchemes: {}, securityRequirements: [] }, '{}'],
    [
      { securityRequirements: [{ schemes: { a: { list: [] } } }] },
      '{"securityRequirements":[{"schemes":{"a":{}}}]}',
    ],
    [{ supportedInterfaces: [{ url: '', tenant: '' }] }, '{"supportedInterfaces":[{"url":""}]}'],
    [
      { securitySchemes: { a: { mtlsSecurityScheme: {} } } },
      '{"securitySchemes":{"a":{"mtlsSecurityScheme":{}}}}',
    ],
    [
      {
        securitySchemes: {
          a: { oauth2SecurityScheme: { description: '', flows: { implicit: { scopes: {} } } } },
        },
      },
      '{"securitySchemes":{"a":{"oauth2SecurityScheme":{"flows":{"implicit":{}}}}}}',
    ],
    [
      {
        securitySchemes: {
          a: {
            oauth2SecurityScheme: {
              flows: { clientCredentials: { tokenUrl: 't', refreshUrl: '', scopes: {} } },
            },
          },
        },
      },
      '{"securitySchemes":{"a":{"oauth2SecurityScheme":{"flows":{"clientCredentials":{"scopes":{},"tokenUrl":"t"}}}}}}',
    ],
    [
      { capabilities: { extensions: [{ uri: 'u', required: false, params: { a: '', b: null, c: [] } }] } },
      '{"capabilities":{"extensions":[{"params":{"a":"","b":null,"c":[]},"uri":"u"}]}}',
    ],
    [{ skills: [{ id: '', tags: [], examples: [], inputModes: [] }] }, '{"skills":[{"id":"","tags":[]}]}'],
    [{ skills: 'none', provider: null, signatures: [{}] }, '{"skills":"none"}'],
  ])('of %j is %s', (card, text) => {
    expect(payload('spec', card)).toBe(text)
  })

  test('leaves out members unknown to the proto, and reports them', () => {
    const raw = {
      name: 'Desk',
      url: 'https://old.example',
      skills: [{ id: 'a', security: [] }],
      securitySchemes: { 'my key': { type: 'apiKey', apiKeySecurityScheme: { in: 'header', name: 'K' } } },
    }
    const [spec] = formsOf({ raw, card: raw, version: '1.0' })
    expect(spec).toMatchObject({ name: 'spec', payload: expect.not.stringContaining('old.example') })
    expect(spec?.uncovered).toEqual([
      'url',
      'skills[0].security',
      'securitySchemes["my key"].type',
      'securitySchemes["my key"].apiKeySecurityScheme.in',
    ])
  })
})

describe('the form of the SDKs', () => {
  test.each(readdirSync(folder).filter((name) => !name.includes('0.3')))(
    'is what the SDK itself makes of %s',
    (name) => {
      const { card } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { card: CardObject }
      const read = normalise(card).card
      expect(payload('sdk', card)).toBe(canonicalizeAgentCard(read as never))
      expect(payload('js-memory', card)).not.toContain('securitySchemes')
    },
  )
})

describe('forms to try', () => {
  const plain = { name: 'Desk', skills: [{ id: 'a' }] }

  test('tries each form once', () => {
    expect(formsOf({ raw: plain, card: plain }).map(({ name }) => name)).toEqual(['spec'])
  })

  test('tries the forms of the document for 0.x, and those of the SDK for 0.3', () => {
    const raw = { name: 'Désk', protocolVersion: '0.3.0', preferredTransport: 'JSONRPC', skills: [] }
    const forms = formsOf({ raw, card: raw, version: '0.3' })
    expect(forms.map(({ name, payload: text }) => [name, text])).toEqual([
      ['raw', '{"name":"Désk","preferredTransport":"JSONRPC","protocolVersion":"0.3.0","skills":[]}'],
      ['raw-clean', '{"name":"Désk","preferredTransport":"JSONRPC","protocolVersion":"0.3.0"}'],
      ['raw-ascii', '{"name":"D\\u00e9sk","preferredTransport":"JSONRPC","protocolVersion":"0.3.0"}'],
      ['py-0.3', '{"name":"D\\u00e9sk"}'],
    ])
  })

  test.each([
    ['other than the default', { protocolVersion: '0.3', preferredTransport: 'GRPC' }],
    ['of an unknown type', { securitySchemes: { a: { type: 'magic' }, b: 'text' } }],
    ['no object', { securitySchemes: 'none' }],
  ])('keep what is %s', (_what, card) => {
    expect(JSON.parse(payload('py-0.3', card, '0.3') ?? '')).toEqual(card)
  })

  test('leaves out values without a canonical form', () => {
    const raw = { name: '\ud800', skills: [{ id: 'a', description: Infinity }] }
    expect(formsOf({ raw, card: raw })).toEqual([])
    const deep = { name: 'Desk', params: JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown }
    expect(formsOf({ raw: deep, card: deep, version: '0.3' })).toEqual([])
  })
})
