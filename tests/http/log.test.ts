import { expect, test } from 'vitest'
import { A2AConnectionError } from '../../src/core/errors.ts'
import { exchangeLog } from '../../src/http/log.ts'
import type { Exchange } from '../../src/http/types.ts'
import { failure, get, json, post, serve, transportFor } from './support.ts'

const exchange: Exchange = {
  purpose: 'SendMessage',
  method: 'POST',
  url: 'http://h/rpc',
  requestHeaders: { authorization: 'Bearer s3cret' },
  requestBody: `{"raw":"${'QUJD'.repeat(100)}"}`,
  withheld: ['cookie'],
  redirects: ['http://h/r'],
  startedAt: 0,
  status: 200,
  responseHeaders: { 'content-type': 'text/event-stream' },
  responseBody: 'data: 1\r\ndata: 2\n',
  responseBytes: 17,
  ms: 12.4,
}

const printed = (wish: string | undefined, one: Exchange = exchange): string => {
  let text = ''
  const redact = (value: string): string => value.replaceAll('s3cret', '***')
  exchangeLog({ A2A_LOG: wish }, redact, (more) => (text += more))?.(one)
  return text
}

test('the log is silent unless it is asked for', () => {
  for (const wish of [undefined, '', '0', 'false', 'off'])
    expect(exchangeLog({ A2A_LOG: wish }, String)).toBeUndefined()
})

test('one line an exchange', () => {
  expect(printed('1')).toBe(
    'a2a SendMessage: POST http://h/rpc | HTTP 200 | 17 bytes | 12 ms | redirected by http://h/r | withheld cookie\n',
  )
  const { status: _, ms: __, responseBytes: ___, ...failed } = exchange
  const error = new A2AConnectionError('TIMEOUT', 'too late for s3cret')
  expect(printed('1', { ...failed, withheld: [], redirects: [], error })).toBe(
    'a2a SendMessage: POST http://h/rpc | no answer | TIMEOUT: too late for ***\n',
  )
})

test('bodies on demand, without secrets and base64', () => {
  expect(printed('bodies').split('\n').slice(1)).toEqual([
    '  > authorization: Bearer ***',
    '  > {"raw":"<400 characters of base64>"}',
    '  < content-type: text/event-stream',
    '  < data: 1',
    '  < data: 2',
    '  < ',
    '',
  ])
})

test('every exchange is told once, when it is over', async () => {
  const server = await serve((request, response) =>
    request.url === '/cut' ? void response.destroy() : json(response, {}),
  )
  const told: string[] = []
  const transport = transportFor({
    onExchange: ({ url, status, error, ms }) =>
      told.push(`${new URL(url).pathname} ${status} ${error?.code} ${ms !== undefined}`),
  })
  const response = await transport.open(get(`${server.url}/ok`))
  expect(told).toEqual([])
  await response.text()
  response.abort()
  await failure(transport.open(post(`${server.url}/cut`, '{}')))
  expect(told).toEqual(['/ok 200 undefined true', '/cut undefined UNREACHABLE true'])
})
