import { describe, expect, test } from 'vitest'
import { describeFailure } from '../../src/http/errors.ts'

const about = (error: unknown, url = 'http://localhost:4100/rpc', more = {}) =>
  describeFailure(error, { method: 'POST', url: new URL(url), phase: 'head', ...more })
const fault = (code: string, more: Record<string, unknown> = {}, message = `${code} happened`) =>
  Object.assign(new Error(message), { code, ...more })

describe('what went wrong, in a sentence', () => {
  test('localhost is ::1 here and 127.0.0.1 there', () => {
    const cause = fault('ECONNREFUSED', { address: '::1', port: 4100 })
    const error = about(Object.assign(new TypeError('fetch failed'), { cause }))
    expect(error.message).toBe('could not connect to localhost:4100 (tried ::1): connection refused')
    expect(error.fix).toBe('Is the agent running? If it listens on IPv4 only, use http://127.0.0.1:4100.')
    expect(error.cause).toBeInstanceOf(TypeError)
  })

  test('every address of an AggregateError', () => {
    const errors = [
      fault('ECONNREFUSED', { address: '::1', port: 4100 }),
      fault('ECONNREFUSED', { address: '127.0.0.1', port: 4100 }),
    ]
    const error = about(Object.assign(new AggregateError(errors, ''), { code: 'ECONNREFUSED' }))
    expect(error.message).toBe(
      'could not connect to localhost:4100 (tried ::1, 127.0.0.1): connection refused',
    )
    expect(error.fix).toBe('Is the agent running?')
    const without = about(new AggregateError(errors, ''))
    expect(without.message).toBe(error.message)
  })

  test('a proxy that is not there', () => {
    const error = about(fault('ECONNREFUSED', { address: '10.0.0.9', port: 3128 }), 'https://desk.example/')
    expect(error.message).toBe(
      'could not connect to desk.example:443 (tried 10.0.0.9:3128): connection refused',
    )
  })

  test.each([
    [
      'EAI_AGAIN',
      'UNREACHABLE',
      'could not connect to localhost:4100: no name server answered for "localhost" (EAI_AGAIN)',
    ],
    ['EHOSTUNREACH', 'UNREACHABLE', 'could not connect to localhost:4100: no route to the host'],
    [
      'CERT_HAS_EXPIRED',
      'TLS',
      'the TLS certificate of localhost:4100 was not accepted: its certificate has expired (CERT_HAS_EXPIRED)',
    ],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS', 'its certificate is self-signed'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'TLS', 'localhost:4100 refused the TLS handshake'],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'TLS', 'the TLS handshake with localhost:4100 failed'],
    [
      'HPE_INVALID_CONSTANT',
      'BAD_REPLY',
      'localhost:4100 did not answer POST http://localhost:4100/rpc with HTTP (HPE_INVALID_CONSTANT)',
    ],
    [
      'ECONNRESET',
      'UNREACHABLE',
      'localhost:4100 closed the connection before it answered POST http://localhost:4100/rpc (ECONNRESET happened)',
    ],
    ['UND_ERR_INVALID_ARG', 'BAD_OPTIONS', 'the request could not be made: UND_ERR_INVALID_ARG happened'],
    ['E_SOMETHING', 'UNREACHABLE', 'POST http://localhost:4100/rpc failed: E_SOMETHING happened'],
  ])('%s', (code, ours, text) => {
    const cause = fault(code)
    const error = about(cause)
    expect(error.code).toBe(ours)
    expect(error.message).toContain(text)
    expect(error.cause).toBe(cause)
  })

  test.each([new Error(''), new AggregateError([], ''), 'boom', undefined, { code: 'ODD' }])(
    '%s is never empty',
    (odd) => {
      expect(about(odd).message).toMatch(/^POST http:\/\/localhost:4100\/rpc failed: \S+/)
    },
  )

  test('queries are not told, errors of ours stay as they are', () => {
    expect(about(new Error('x'), 'http://h/rpc?key=secret').message).not.toContain('secret')
    const ours = about(new Error('x'))
    expect(about(ours)).toBe(ours)
  })
})
