import { expect, test } from 'vitest'
import { badCredential, withoutCredentials } from '../../../src/client/probe/callers.ts'

const card = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer' },
    basic: { type: 'http', scheme: 'basic' },
    login: { type: 'oauth2', flows: {} },
    header: { type: 'apiKey', in: 'header', name: 'X-Desk' },
    query: { type: 'apiKey', in: 'query', name: 'helpdesk' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'helpdesk' },
    tls: { type: 'mutualTLS' },
    broken: { type: 'apiKey', in: 'body', name: 'helpdesk' },
  },
}
const id = (): string => '0f8fad5b-d9cb-469f-a165-70867728950e'
const random = '0f8fad5bd9cb469fa16570867728950e'

test.each([
  ['bearer', { authorization: `Bearer ${random}` }, {}, { authorization: 'Bearer' }, {}],
  ['login', { authorization: `Bearer ${random}` }, {}, { authorization: 'Bearer' }, {}],
  [
    'basic',
    { authorization: `Basic ${Buffer.from(`${random.slice(0, 8)}:${random.slice(8)}`).toString('base64')}` },
    {},
    { authorization: 'Basic' },
    {},
  ],
  ['header', { 'X-Desk': random }, {}, { 'X-Desk': '' }, {}],
  ['query', {}, { helpdesk: random }, {}, { helpdesk: '' }],
  ['cookie', { cookie: `helpdesk=${random}` }, {}, { cookie: 'helpdesk=' }, {}],
])('a credential for %s that cannot be right', async (scheme, headers, query, cutHeaders, cutQuery) => {
  expect(await badCredential(card, { scheme, credential: 'wrong' }, id)).toEqual({ headers, query })
  expect(await badCredential(card, { scheme, credential: 'malformed' }, id)).toEqual({
    headers: cutHeaders,
    query: cutQuery,
  })
})

test.each(['tls', 'broken', 'other'])('%s has no bad credential', async (scheme) => {
  expect(await badCredential(card, { scheme, credential: 'wrong' }, id)).toBeUndefined()
})

test('a key of 0.1 goes where most agents expect it', async () => {
  const oldest = { authentication: { schemes: ['apiKey'] } }

  expect(await badCredential(oldest, { scheme: 'apiKey', credential: 'wrong' }, id)).toEqual({
    headers: { 'x-api-key': random },
    query: {},
  })
})

test('headers with credentials are left out, and no others', () => {
  const given = {
    Authorization: 'Bearer x',
    cookie: 'a=b',
    'X-API-Key': 'x',
    'x-desk': 'x',
    'x-session-token': 'x',
    'x-tenant': 'acme',
    traceparent: '00-1-2-01',
  }

  expect(withoutCredentials(given, card)).toEqual({ 'x-tenant': 'acme', traceparent: '00-1-2-01' })
  expect(withoutCredentials(given, {})).toMatchObject({ 'x-desk': 'x' })
})
