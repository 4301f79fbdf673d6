import { describe, expect, test } from 'vitest'
import {
  canonicalHost,
  describeHost,
  isBind,
  isLoopback,
  isMetadata,
  isPrivate,
  reachOfAddress,
} from '../../src/http/hosts.ts'

describe('hosts', () => {
  test.each([
    ['LOCALHOST.', 'localhost'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['0x7f.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['Desk.Example', 'desk.example'],
    ['not a host', 'not a host'],
  ])('%s is written %s', (given, expected) => {
    expect(canonicalHost(given)).toBe(expected)
  })

  test.each([
    'localhost',
    'app.localhost',
    'localhost.',
    '127.0.0.1',
    '127.8.9.1',
    '[::1]',
    '::ffff:127.0.0.1',
    '[::ffff:7f00:1]',
    '64:ff9b::7f00:1',
    '0177.0.0.1',
  ])('%s is loopback', (host) => {
    expect(isLoopback(host)).toBe(true)
    expect(isPrivate(host)).toBe(true)
    expect(describeHost(host)).toBe('a loopback address')
  })

  test.each(['desk.example', 'localhost.example', '10.0.0.1', '0.0.0.0', '::', 'mylocalhost'])(
    '%s is not loopback',
    (host) => expect(isLoopback(host)).toBe(false),
  )

  test.each(['0.0.0.0', '[::]', '::ffff:0.0.0.0', '0'])('%s is a bind address', (host) => {
    expect(isBind(host)).toBe(true)
    expect(describeHost(host)).toBe('a bind address, not an address a client can call')
  })

  test.each([
    '10.0.3.7',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    'fd12::1',
    '198.18.0.1',
    '224.0.0.1',
    '2001:db8::1',
  ])('%s is private or not routable', (host) => {
    expect(isPrivate(host)).toBe(true)
    expect(isBind(host)).toBe(false)
    expect(reachOfAddress(host)).not.toBe('public')
  })

  test.each(['agent', 'agent.svc.cluster.local', 'helpdesk.internal', 'helpdesk.lan'])(
    '%s is a private name',
    (host) => {
      expect(isPrivate(host)).toBe(true)
      expect(describeHost(host)).toBe('a private name')
    },
  )

  test.each([
    'desk.example',
    '8.8.8.8',
    '[2606:4700::1111]',
    '172.32.0.1',
    '64:ff9b::808:808',
    'local.example',
  ])('%s is public', (host) => {
    expect(isPrivate(host)).toBe(false)
    expect(describeHost(host)).toBe('a public address')
  })

  test('link-local and metadata', () => {
    for (const host of [
      '169.254.169.254',
      '::ffff:169.254.169.254',
      'metadata.google.internal',
      '100.100.100.200',
    ]) {
      expect(isMetadata(host)).toBe(true)
      expect(describeHost(host)).toBe('the address of a cloud metadata service')
    }
    expect(isMetadata('169.254.1.1')).toBe(false)
    expect(reachOfAddress('desk.example')).toBeUndefined()
  })
})
