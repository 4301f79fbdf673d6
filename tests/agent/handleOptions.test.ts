import { expect, test } from 'vitest'
import { a2aAgent } from '../../src/agent/a2aAgent.ts'
import { failure } from '../client/support.ts'

test.each([
  ['localhost:3000', '"localhost:3000" is not an http(s) URL; did you mean "http://localhost:3000"?'],
  [
    'agent.example.com/desk',
    '"agent.example.com/desk" is not an http(s) URL; did you mean "http://agent.example.com/desk"?',
  ],
  ['ftp://desk.example', '"ftp://desk.example" is not an http(s) URL'],
  ['', '"" is not an http(s) URL'],
  ['http://', '"http://" is not an http(s) URL'],
  [42, 'an agent is named by its URL, got 42'],
  [undefined, 'an agent is named by its URL, got undefined'],
  [{ listen: () => {} }, 'an agent is named by its URL, got an object'],
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
  [{ header: {} }, 'an agent has no option "header"; did you mean "headers"?'],
  [{ timeout: 5 }, 'an agent has no option "timeout"'],
  [{ headers: 'x' }, 'option headers must be an object of strings or a function, got "x"'],
  [{ headers: { authorization: 'Bearer a\n' } }, 'option headers.authorization must not contain line breaks'],
  [{ headers: { 'x y': 'z' } }, 'option headers: "x y" is not a header name'],
  [{ headers: { 'x-n': 5 } }, 'option headers.x-n must be a string, got a number'],
  [{ credentials: { helpdesk: 'a\r\nb' } }, 'option credentials.helpdesk must not contain line breaks'],
  [
    { credentials: { helpdesk: '' } },
    'option credentials.helpdesk must be a non-empty string or a function, got a string',
  ],
  [
    { cardUrl: '/card' },
    'option cardUrl must be an absolute http(s) URL such as "http://127.0.0.1:3000/a2a", got "/card"',
  ],
  [
    { endpoint: 'localhost:1' },
    'option endpoint must be an absolute http(s) URL such as "http://127.0.0.1:3000/a2a", got "localhost:1"',
  ],
  [{ version: '0.4' }, 'option version must be "0.1" or "0.2" or "0.3" or "1.0", got "0.4"'],
  [{ version: 1 }, 'option version must be "0.1" or "0.2" or "0.3" or "1.0", got 1'],
  [{ binding: 'REST' }, 'option binding must be "JSONRPC" or "HTTP+JSON", got "REST"'],
  [{ requestTimeoutMs: 0 }, 'option requestTimeoutMs must be a number of milliseconds above 0, got 0'],
  [{ waitMs: '5s' }, 'option waitMs must be a number of milliseconds of at least 0, got "5s"'],
  [
    { trustedOrigins: ['helpdesk'] },
    'option trustedOrigins must be a list of origins such as ["https://files.example.com"], got a list',
  ],
  [{ limits: { maxCardByte: 1 } }, 'option limits has no key "maxCardByte"; did you mean "maxCardBytes"?'],
  [{ limits: { maxEvents: 0 } }, 'option limits.maxEvents must be a number of at least 1, got 0'],
  [{ tls: { pkcs12: '' } }, 'option tls has no key "pkcs12"'],
  [
    { version: '0.1', binding: 'HTTP+JSON' },
    'A2A 0.1 has no HTTP+JSON binding, so these two options do not go together',
  ],
])('refuses %j', async (options, message) => {
  const error = await failure((async () => a2aAgent('http://127.0.0.1:1', options))())

  expect(error).toMatchObject({ name: 'A2AUsageError', code: 'BAD_OPTIONS' })
  expect(error.message).toBe(message)
})

test('takes an option that is undefined for one that was not given', () => {
  expect(a2aAgent('http://127.0.0.1:1', { version: undefined } as never).options).toEqual({})
})

test('never prints the value of a header or a credential', async () => {
  for (const options of [{ headers: { a: 'TOPSECRET\n' } }, { credentials: { a: 'TOPSECRET\n' } }]) {
    const error = await failure((async () => a2aAgent('http://127.0.0.1:1', options))())
    expect(JSON.stringify(error)).not.toContain('TOPSECRET')
  }
})
