import { describe, expect, test } from 'vitest'
import type { Credential } from '../../src/client/types.ts'
import { planCredentials } from '../../src/client/credentials.ts'

async function apply(card: Record<string, unknown>, credentials: Record<string, Credential>) {
  const secrets: string[] = []
  const made = await planCredentials(card, credentials, (value) => secrets.push(value))({ refresh: false })
  return { ...made, secrets }
}
const error = (card: Record<string, unknown>, credentials: Record<string, Credential>) =>
  apply(card, credentials).then(
    () => undefined,
    (caught: unknown) => caught,
  )
/** The same scheme in a 0.3 and in a 1.0 card. */
const apiKey = (where: string, name: string) => ({
  '0.3': { type: 'apiKey', in: where, name },
  '1.0': { apiKeySecurityScheme: { location: where, name } },
})
const httpScheme = (scheme: string) => ({
  '0.3': { type: 'http', scheme },
  '1.0': { httpAuthSecurityScheme: { scheme } },
})

describe.each(['0.3', '1.0'] as const)('a credential goes where a %s card says', (version) => {
  const card = (scheme: Record<string, object>) => ({ securitySchemes: { helpdesk: scheme[version] } })

  test('header, by the name in the card (I03)', async () => {
    const { headers, query, secrets } = await apply(card(apiKey('header', 'X-Desk-Key')), { helpdesk: 'k' })

    expect(headers).toEqual({ 'X-Desk-Key': 'k' })
    expect(query).toEqual({})
    expect(secrets).toEqual(['k'])
  })

  test('query', async () => {
    expect(await apply(card(apiKey('query', 'key')), { helpdesk: 'k' })).toMatchObject({
      headers: {},
      query: { key: 'k' },
    })
  })

  test('cookie', async () => {
    expect((await apply(card(apiKey('cookie', 'sid')), { helpdesk: 'k' })).headers).toEqual({
      cookie: 'sid=k',
    })
  })

  test.each(['bearer', 'Bearer', 'BEARER'])('%s', async (scheme) => {
    expect((await apply(card(httpScheme(scheme)), { helpdesk: 'tok' })).headers).toEqual({
      authorization: 'Bearer tok',
    })
  })

  test('bearer token that includes the word "Bearer"', async () => {
    const { headers, secrets } = await apply(card(httpScheme('bearer')), { helpdesk: 'bearer tok' })

    expect(headers).toEqual({ authorization: 'bearer tok' })
    expect(secrets).toContain('tok')
  })

  test('basic, as user:password', async () => {
    const { headers, secrets } = await apply(card(httpScheme('basic')), { helpdesk: 'ann:s3:cret' })

    expect(headers).toEqual({ authorization: `Basic ${Buffer.from('ann:s3:cret').toString('base64')}` })
    expect(secrets).toEqual(['ann:s3:cret', Buffer.from('ann:s3:cret').toString('base64'), 's3:cret'])
  })

  test('a token for OAuth and OpenID', async () => {
    for (const scheme of [
      { '0.3': { type: 'oauth2', flows: {} }, '1.0': { oauth2SecurityScheme: { flows: {} } } },
      { '0.3': { type: 'openIdConnect' }, '1.0': { openIdConnectSecurityScheme: {} } },
    ]) {
      expect((await apply(card(scheme), { helpdesk: 'tok' })).headers).toEqual({
        authorization: 'Bearer tok',
      })
    }
  })

  test('not for mutual TLS, which names its option', async () => {
    const scheme = { '0.3': { type: 'mutualTLS' }, '1.0': { mtlsSecurityScheme: {} } }

    expect(await error(card(scheme), { helpdesk: 'x' })).toMatchObject({
      code: 'BAD_OPTIONS',
      message: 'credentials.helpdesk cannot be applied: the scheme "helpdesk" is mutual TLS',
      fix: 'Give the client certificate with the option tls: {cert, key}.',
    })
  })
})

describe('the free names of a 0.1 card', () => {
  const card = { authentication: { schemes: ['Bearer', 'apiKey'] } }

  test('bearer', async () => {
    expect((await apply(card, { Bearer: 'tok' })).headers).toEqual({ authorization: 'Bearer tok' })
  })

  test('an apiKey scheme without a place is an error', async () => {
    expect(await error(card, { apiKey: 'k' })).toMatchObject({
      code: 'BAD_OPTIONS',
      message:
        'credentials.apiKey cannot be applied: the scheme "apiKey" is a bare name in an A2A 0.1 card, ' +
        'which does not say where the value goes',
      fix: 'Send it yourself with the option headers.',
    })
  })
})

describe('alternatives', () => {
  const securitySchemes = {
    token: { type: 'http', scheme: 'bearer' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    login: { type: 'http', scheme: 'basic' },
  }
  const all = { token: 'tok', key: 'k', login: 'a:b' }

  test('OR: the first alternative that has all its credentials', async () => {
    const card = { securitySchemes, security: [{ token: [] }, { login: [] }, { key: [] }] }

    expect((await apply(card, all)).headers).toEqual({ authorization: 'Bearer tok' })
    expect((await apply(card, { key: 'k' })).headers).toEqual({ 'X-Key': 'k' })
  })

  test('AND: all of one requirement', async () => {
    const card = {
      securitySchemes,
      securityRequirements: [
        { schemes: { login: { list: [] }, key: { list: [] } } },
        { schemes: { token: {} } },
      ],
    }

    expect((await apply(card, all)).headers).toEqual({ 'X-Key': 'k', authorization: 'Basic YTpi' })
  })

  test('an incomplete alternative is sent as far as it has credentials', async () => {
    const card = { securitySchemes, security: [{ login: [], key: [] }] }

    expect((await apply(card, { key: 'k' })).headers).toEqual({ 'X-Key': 'k' })
  })

  test('a credential is used even if the card allows anonymous access', async () => {
    const card = { securitySchemes, security: [{}, { key: [] }] }

    expect((await apply(card, { key: 'k' })).headers).toEqual({ 'X-Key': 'k' })
  })

  test('a scheme that only a skill requires is sent as well', async () => {
    const card = { securitySchemes, security: [{ token: [] }] }

    expect((await apply(card, { token: 'tok', key: 'k' })).headers).toEqual({
      authorization: 'Bearer tok',
      'X-Key': 'k',
    })
  })
})

test('a function is called each time, and learns if the last value was refused', async () => {
  const asked: boolean[] = []
  const authorize = planCredentials(
    { securitySchemes: { helpdesk: { type: 'http', scheme: 'bearer' } } },
    {
      helpdesk: async ({ refresh }) => {
        asked.push(refresh)
        return refresh ? 'new' : 'old'
      },
    },
  )

  expect((await authorize({ refresh: false })).headers).toEqual({ authorization: 'Bearer old' })
  expect((await authorize({ refresh: true })).headers).toEqual({ authorization: 'Bearer new' })
  expect(asked).toEqual([false, true])
})

describe('usage errors', () => {
  const card = {
    securitySchemes: { helpdesk: { type: 'apiKey', in: 'header', name: 'X-Desk-Key' }, other: {} },
  }

  test('a scheme that the card does not know', async () => {
    expect(await error(card, { desc: 'k' })).toMatchObject({
      name: 'A2AUsageError',
      code: 'BAD_OPTIONS',
      message:
        'credentials names the scheme "desc", which the agent card does not declare: it has "helpdesk", "other"',
    })
  })

  test('a card without schemes', async () => {
    expect(await error({}, { helpdesk: 'k' })).toMatchObject({
      message: 'credentials names the scheme "helpdesk", but the agent card declares no security schemes',
      fix: 'Send it with the option headers, or declare securitySchemes in the card.',
    })
  })

  test.each(['a\r\nX-Evil: 1', 'a\nb', 'a\0b'])('line breaks in a value (%j)', async (value) => {
    const caught = await error(card, { helpdesk: () => value })

    expect(caught).toMatchObject({
      code: 'BAD_OPTIONS',
      message: 'credentials.helpdesk must not contain line breaks',
    })
    expect(String(caught)).not.toContain('Evil')
  })

  test('line breaks in a name of the card are its own fault', async () => {
    const evil = { securitySchemes: { helpdesk: { type: 'apiKey', in: 'header', name: 'X-Key\r\nX-Evil' } } }

    expect(await error(evil, { helpdesk: 'k' })).toMatchObject({
      name: 'A2AReplyError',
      code: 'BAD_REPLY',
      message:
        'securitySchemes.helpdesk of the agent card names the header "X-Key\\r\\nX-Evil", which is not a header name',
    })
  })

  test('a function that returns nothing', async () => {
    expect(await error(card, { helpdesk: () => '' })).toMatchObject({
      message: 'credentials.helpdesk must give a non-empty string',
    })
  })

  test('a broken scheme matters only when it is used', async () => {
    expect((await apply(card, { helpdesk: 'k' })).headers).toEqual({ 'X-Desk-Key': 'k' })
    expect(await error(card, { other: 'k' })).toMatchObject({
      message:
        'credentials.other cannot be applied: the scheme "other" is of a type that this client does not know (undefined)',
    })
  })

  test('an API key scheme that does not say where', async () => {
    const lost = { securitySchemes: { helpdesk: { type: 'apiKey', name: 'X-Desk-Key' } } }

    expect(await error(lost, { helpdesk: 'k' })).toMatchObject({
      message:
        'credentials.helpdesk cannot be applied: the scheme "helpdesk" says undefined where "header", "query" or "cookie" belongs',
    })
  })
})
