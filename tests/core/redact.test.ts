import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { A2AError, A2AReplyError } from '../../src/core/errors.ts'
import { toCurl } from '../../src/report/curl.ts'
import { formatError, formatVerdict } from '../../src/report/format.ts'
import { redact, redactError } from '../../src/core/redact.ts'
import { exchange } from '../report/exchange.ts'

describe('redact', () => {
  test.each([
    ['given by the user', 'token is hunter2hunter2!'],
    ['JSON-escaped', JSON.stringify({ token: 'a"b\\c"d' })],
    ['URL-encoded', `?t=${encodeURIComponent('ab/c d+e=')}`],
    ['form-encoded', `t=${new URLSearchParams({ t: 'ab/c d+e=' }).toString()}`],
    ['as basic credentials', `Basic ${Buffer.from('ada:pässwörd-17').toString('base64')}`],
    ['within base64', Buffer.from('xx ada:pässwörd-17 yy').toString('base64')],
  ])('hides a secret %s', (_, text) => {
    const secrets = ['hunter2hunter2!', 'a"b\\c"d', 'ab/c d+e=', 'pässwörd-17']
    const shown = redact(text, secrets)
    expect(shown).toContain('<hidden>')
    expect(shown).not.toMatch(/hunter2|a\\"b|ab%2Fc/)
  })

  test.each([
    ['authorization: Bearer abc123def456', 'authorization: <hidden>'],
    ['sent Bearer abc123def456', 'sent Bearer <hidden>'],
    ['jwt eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl here', 'jwt <hidden> here'],
    ['http://ada:pw@host/x', 'http://<hidden>@host/x'],
    ['http://host/x?api_key=q1w2&b=2', 'http://host/x?api_key=<hidden>&b=2'],
    ['{"api_key":"q1w2e3"}', '{"api_key":"<hidden>"}'],
    ['Set-Cookie: sid=17', 'Set-Cookie: <hidden>'],
    ['key sk-proj-1234567890abcdef', 'key <hidden>'],
  ])('hides what looks like a credential: %s', (text, shown) => {
    expect(redact(text)).toBe(shown)
  })

  test.each([
    'Basic authentication is missing',
    'the Bearer scheme of the card',
    'token counts do not matter',
    'http://127.0.0.1:4100/.well-known/agent-card.json',
    'ask someone@example.com, see https://example.com/a@b',
    'skills[0].id must be unique',
  ])('leaves words alone: %s', (text) => {
    expect(redact(text)).toBe(text)
  })

  test('leaves very short values alone, which would shred the text', () => {
    expect(redact('a cat sat', ['a', 'at'])).toBe('a cat sat')
  })

  test('hides a key of several lines also where it is indented', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----'
    expect(redact(`  ${key.replaceAll('\n', '\n    ')}`, [key])).not.toContain('MIIEvQIBADANBg')
  })
})

// Anything printable, with what quoting and encoding find hard.
const secret = fc
  .oneof(
    fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme-ascii' }),
    fc.string({ minLength: 8, maxLength: 30, unit: 'grapheme' }),
    fc.base64String({ minLength: 12, maxLength: 64 }),
    fc.uuid(),
  )
  .filter((value) => value.trim().length >= 8 && new Set(value).size > 3)

const spellings = (value: string): string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString('base64'),
  Buffer.from(value).toString('base64url'),
]

test('a secret never survives in any output', () => {
  fc.assert(
    fc.property(secret, fc.nat(700), (value, padding) => {
      const body = JSON.stringify({ text: `${'x '.repeat(padding)}${value}`, of: encodeURIComponent(value) })
      const sent = exchange({
        url: `http://127.0.0.1:4100/rpc?q=${encodeURIComponent(value)}`,
        requestHeaders: {
          authorization: `Bearer ${value}`,
          'x-plain': value,
          basic: Buffer.from(`user:${value}`).toString('base64'),
        },
        requestBody: body,
        responseBody: body,
        responseHeaders: { 'content-type': 'application/json', 'set-cookie': `sid=${value}; Path=/` },
      })
      const verdict = {
        outcome: 'failed',
        agent: `Desk (${value})`,
        expected: value,
        received: `one\n${value}`,
        findings: [{ id: 'a/b', level: 'error', path: 'x', message: value, fix: value }],
        exchanges: [sent, sent],
        excerpts: [{ label: 'Reply', text: `${'x '.repeat(padding)}${value}` }],
        secrets: [value],
      } as const
      const call = { matcher: 'toReply', args: JSON.stringify(value) }
      const outputs = [
        formatVerdict({ ...verdict, findings: [...verdict.findings], excerpts: [...verdict.excerpts] }, call),
        formatError(new A2AError('TIMEOUT', value), call, { exchanges: [sent], secrets: [value] }),
        toCurl(sent, [value]),
      ]
      for (const output of outputs) {
        for (const spelling of spellings(value)) {
          if (output.includes(spelling)) throw new Error(`"${spelling}" survives in:\n${output}`)
        }
      }
    }),
    { numRuns: 300 },
  )
})

describe('toCurl', () => {
  test('quotes for a shell and leaves secrets to variables', () => {
    const line = toCurl(
      exchange({
        url: 'http://127.0.0.1:4100/a b?x=1&y=$(id)',
        requestHeaders: {
          host: 'x',
          'content-type': 'application/json',
          authorization: 'Bearer abc',
          cookie: 'sid=1',
          'X-API-Key': 'k',
          'x-note': "it's `here`",
        },
        requestBody: `{"text":"it's $HOME"}`,
      }),
    )
    expect(line).toBe(
      [
        `curl 'http://127.0.0.1:4100/a b?x=1&y=$(id)'`,
        `-H 'content-type: application/json'`,
        `-H "authorization: Bearer $TOKEN"`,
        `-H "cookie: $COOKIE"`,
        `-H "X-API-Key: $X_API_KEY"`,
        `-H 'x-note: it'\\''s \`here\`'`,
        `--data-raw '{"text":"it'\\''s $HOME"}'`,
      ].join(' '),
    )
  })

  test('names the method where curl would not guess it, and a body that is too long', () => {
    expect(toCurl(exchange({ method: 'DELETE', requestBody: undefined as never, requestHeaders: {} }))).toBe(
      'curl -X DELETE http://127.0.0.1:4100/rpc',
    )
    expect(toCurl(exchange({ requestBody: 'word '.repeat(2000) }))).toContain(
      "--data-raw '<9999 characters>'",
    )
  })
})

describe('what is cut short', () => {
  test('hides the beginning of a secret before an ellipsis', () => {
    expect(redact('bad token hunter2hun… (POST x)', ['hunter2hunter2!'])).toBe('bad token <hidden>… (POST x)')
    expect(redact('bad token hun… (POST x)', ['hunter2hunter2!'])).toBe('bad token hun… (POST x)')
  })

  test('hides a value of JSON that was cut, and nothing of the lines below', () => {
    expect(redact('{"x-api-key":"q1w2e3r4… (POST x)\nsent {"jsonrpc":"2.0"}')).toBe(
      '{"x-api-key":"<hidden>… (POST x)\nsent {"jsonrpc":"2.0"}',
    )
    expect(redact('{"password":"q1w2e3r4')).toBe('{"password":"<hidden>')
  })

  test('hides a secret in hex', () => {
    const hex = Buffer.from('hunter2hunter2!').toString('hex')
    expect(redact(`${hex} ${hex.toUpperCase()}`, ['hunter2hunter2!'])).toBe('<hidden> <hidden>')
  })
})

describe('redactError', () => {
  const key = 'hunter2hunter2!'

  test('cleans message, stack, data and causes, and keeps the rest', () => {
    const cause = new Error(`no such key ${key}`)
    const error = new A2AReplyError('RPC_ERROR', `bad key ${key}`, {
      cause,
      rpcCode: -32000,
      data: { seen: [{ key }], n: 1 },
    })
    expect(redactError(error, [key])).toBe(error)
    expect(error).toMatchObject({
      message: 'bad key <hidden>',
      rpcCode: -32000,
      data: { seen: [{ key: '<hidden>' }], n: 1 },
      cause: { message: 'no such key <hidden>' },
    })
    expect(`${error.stack} ${cause.stack}`).not.toContain(key)
    expect(Object.keys(error)).not.toContain('message')
  })

  test('leaves alone what holds no secret, is frozen or no error', () => {
    const data = { n: [1, 'two'] }
    expect(redactError(new A2AReplyError('RPC_ERROR', 'm', { data }), [key]).data).toBe(data)
    expect(redactError(Object.freeze(new Error(key)), [key]).message).toBe(key)
    for (const thrown of [undefined, null, 'text', 5]) expect(redactError(thrown, [key])).toBe(thrown)
  })
})
