import { expect, test } from 'vitest'
import { a2aAgent } from '../../src/agent/a2aAgent.ts'
import { failure } from '../client/support.ts'

test.each([
  [
    'localhost:3000',
    'a2aAgent(): "localhost:3000" is not an http(s) URL. Did you mean "http://localhost:3000"?',
  ],
  [
    'agent.example.com/desk',
    'a2aAgent(): "agent.example.com/desk" is not an http(s) URL. Did you mean "http://agent.example.com/desk"?',
  ],
  ['ftp://desk.example', 'a2aAgent(): "ftp://desk.example" is not an http(s) URL.'],
  ['', 'a2aAgent(): "" is not an http(s) URL.'],
  ['http://', 'a2aAgent(): "http://" is not an http(s) URL.'],
  [42, "a2aAgent(): the agent's URL is missing; received 42."],
  [undefined, "a2aAgent(): the agent's URL is missing; received undefined."],
  [{ listen: () => {} }, "a2aAgent(): the agent's URL is missing; received { listen }."],
])('refuses %j', async (target, message) => {
  const error = await failure((async () => a2aAgent(target as string))())

  expect(error).toMatchObject({ name: 'A2AUsageError', code: 'BAD_SUBJECT', message })
  expect(error.fix).toContain('ending in .json')
})

test.each(['http://127.0.0.1:3000', ' https://desk.example/a/ ', new URL('https://desk.example/card.json')])(
  'takes %s',
  (target) => {
    expect(a2aAgent(target).url).toBe(String(target).trim())
  },
)

test.each<[object, string]>([
  [{ header: {} }, 'a2aAgent(): there is no option `header`. Did you mean `headers`?'],
  [{ timeout: 5 }, 'a2aAgent(): there is no option `timeout`.'],
  [{ headers: 'x' }, 'a2aAgent(): `headers` must be an object of strings or a function; received a string.'],
  [
    { headers: { authorization: 'Bearer a\n' } },
    'a2aAgent(): `headers.authorization` must not contain line breaks.',
  ],
  [{ headers: { 'x y': 'z' } }, 'a2aAgent(): `headers` has "x y", which is not a header name.'],
  [{ headers: { 'x-n': 5 } }, 'a2aAgent(): `headers.x-n` must be a string; received 5.'],
  [
    { credentials: { helpdesk: 'a\r\nb' } },
    'a2aAgent(): `credentials.helpdesk` must not contain line breaks.',
  ],
  [
    { credentials: { helpdesk: '' } },
    'a2aAgent(): `credentials.helpdesk` must be a non-empty string or a function; received a string.',
  ],
  [
    { cardUrl: '/card' },
    'a2aAgent(): `cardUrl` must be an absolute http(s) URL such as "http://127.0.0.1:3000/a2a"; received "/card".',
  ],
  [
    { endpoint: 'localhost:1' },
    'a2aAgent(): `endpoint` must be an absolute http(s) URL such as "http://127.0.0.1:3000/a2a"; received "localhost:1".',
  ],
  [{ version: '0.4' }, 'a2aAgent(): `version` must be "0.1", "0.2", "0.3" or "1.0"; received "0.4".'],
  [{ version: 1 }, 'a2aAgent(): `version` must be "0.1", "0.2", "0.3" or "1.0"; received 1.'],
  [{ binding: 'REST' }, 'a2aAgent(): `binding` must be "JSONRPC" or "HTTP+JSON"; received "REST".'],
  [
    { requestTimeoutMs: 0 },
    'a2aAgent(): `requestTimeoutMs` must be a positive number of milliseconds; received 0.',
  ],
  [{ waitMs: '5s' }, 'a2aAgent(): `waitMs` must be a number of milliseconds of at least 0; received "5s".'],
  [
    { trustedOrigins: ['helpdesk'] },
    'a2aAgent(): `trustedOrigins[0]` must be an absolute http(s) URL such as "http://127.0.0.1:3000/a2a"; received "helpdesk".',
  ],
  [
    { limits: { maxCardByte: 1 } },
    'a2aAgent(): there is no option `limits.maxCardByte`. Did you mean `limits.maxCardBytes`?',
  ],
  [
    { limits: { maxEvents: 0 } },
    'a2aAgent(): `limits.maxEvents` must be a number from 1 to Infinity; received 0.',
  ],
  [{ tls: { pkcs12: '' } }, 'a2aAgent(): there is no option `tls.pkcs12`.'],
  [
    { version: '0.1', binding: 'HTTP+JSON' },
    'a2aAgent(): A2A 0.1 has no HTTP+JSON binding, so `version` and `binding` do not go together.',
  ],
])('refuses %j', async (options, message) => {
  const error = await failure((async () => a2aAgent('http://127.0.0.1:1', options))())

  expect(error).toMatchObject({ name: 'A2AUsageError', code: 'BAD_OPTIONS' })
  expect(error.message).toBe(message)
})

test('ignores an option that is undefined', () => {
  expect(a2aAgent('http://127.0.0.1:1', { version: undefined } as never).options).toEqual({})
})

test('never prints the value of a header or a credential', async () => {
  for (const options of [{ headers: { a: 'TOPSECRET\n' } }, { credentials: { a: 'TOPSECRET\n' } }]) {
    const error = await failure((async () => a2aAgent('http://127.0.0.1:1', options))())
    expect(JSON.stringify(error)).not.toContain('TOPSECRET')
  }
})
