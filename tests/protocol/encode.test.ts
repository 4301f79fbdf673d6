import { describe, expect, it } from 'vitest'
import type { Call, Codec, SendContext } from '../../src/protocol/codec.ts'
import { codecFor } from '../../src/protocol/codecs.ts'
import { extensionHeaders, wireVersion } from '../../src/protocol/headers.ts'
import type { Message, Part } from '../../src/protocol/model.ts'

const v01 = codecFor('0.1', 'JSONRPC')
const v03 = codecFor('0.3', 'JSONRPC')
const v03Rest = codecFor('0.3', 'HTTP+JSON')
const v10 = codecFor('1.0', 'JSONRPC')
const v10Rest = codecFor('1.0', 'HTTP+JSON')
const context: SendContext = { newTaskId: 't-new', newSessionId: 's-new' }

function say(...parts: Part[]): Message {
  return { kind: 'message', messageId: 'm-1', role: 'user', parts }
}
const ping = say({ kind: 'text', text: 'ping' })

/** What goes over the wire, as JSON text, so that the order of members counts. */
function wire(call: Call): string {
  return JSON.stringify(call.binding === 'JSONRPC' ? { method: call.method, params: call.params } : call)
}
function sent(codec: Codec, message: Message, more: Partial<SendContext> = {}): string {
  return wire(codec.send(message, { ...context, ...more }))
}

describe('a text message', () => {
  it.each<[string, Codec, unknown]>([
    [
      '0.1',
      v01,
      {
        method: 'tasks/send',
        params: {
          id: 't-new',
          sessionId: 's-new',
          message: { role: 'user', parts: [{ type: 'text', text: 'ping' }] },
        },
      },
    ],
    [
      '0.3',
      v03,
      {
        method: 'message/send',
        params: {
          message: {
            kind: 'message',
            messageId: 'm-1',
            role: 'user',
            parts: [{ kind: 'text', text: 'ping' }],
          },
          configuration: { blocking: true },
        },
      },
    ],
    [
      '0.3 over HTTP+JSON',
      v03Rest,
      {
        binding: 'HTTP+JSON',
        verb: 'POST',
        path: '/v1/message:send',
        method: 'SendMessage',
        body: {
          message: { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'ping' }] },
          configuration: { blocking: true },
        },
      },
    ],
    [
      '1.0',
      v10,
      {
        method: 'SendMessage',
        params: { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'ping' }] } },
      },
    ],
    [
      '1.0 over HTTP+JSON',
      v10Rest,
      {
        binding: 'HTTP+JSON',
        verb: 'POST',
        path: '/message:send',
        method: 'SendMessage',
        body: { message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'ping' }] } },
      },
    ],
  ])('of %s has exactly the members of that version', (_, codec, expected) => {
    expect(sent(codec, ping)).toBe(JSON.stringify(expected))
  })
})

describe('every member of a message', () => {
  const full: Message = {
    ...ping,
    metadata: { a: 1 },
    referenceTaskIds: ['t-0'],
    extensions: ['urn:x'],
    taskId: 't-1',
    contextId: 'c-1',
  }
  const more: Partial<SendContext> = {
    metadata: { trace: 'z' },
    configuration: { acceptedOutputModes: ['text/plain'], historyLength: 0, wait: false },
    tenant: 'blue',
  }

  it('0.1 has a place for few of them', () => {
    expect(sent(v01, full, more)).toBe(
      '{"method":"tasks/send","params":{"id":"t-1","sessionId":"c-1","message":{"role":"user","parts":[{"type":"text","text":"ping"}],"metadata":{"a":1}},"acceptedOutputModes":["text/plain"],"historyLength":0,"metadata":{"trace":"z"}}}',
    )
  })
  it('0.3 orders them as its proto does', () => {
    expect(sent(v03, full, more)).toBe(
      '{"method":"message/send","params":{"message":{"kind":"message","messageId":"m-1","contextId":"c-1","taskId":"t-1","role":"user","parts":[{"kind":"text","text":"ping"}],"metadata":{"a":1},"extensions":["urn:x"],"referenceTaskIds":["t-0"]},"configuration":{"acceptedOutputModes":["text/plain"],"historyLength":0,"blocking":false},"metadata":{"trace":"z"}}}',
    )
  })
  it('0.3 over HTTP+JSON leaves out what its proto does not have', () => {
    expect(sent(v03Rest, full, more)).toContain(
      '"message":{"messageId":"m-1","contextId":"c-1","taskId":"t-1","role":"ROLE_USER","content":[{"text":"ping"}],"metadata":{"a":1},"extensions":["urn:x"]},"configuration":{"acceptedOutputModes":["text/plain"],"historyLength":0,"blocking":false},"metadata":{"trace":"z"}}',
    )
  })
  it('1.0 begins with the tenant and turns the wait around', () => {
    expect(sent(v10, full, more)).toBe(
      '{"method":"SendMessage","params":{"tenant":"blue","message":{"messageId":"m-1","contextId":"c-1","taskId":"t-1","role":"ROLE_USER","parts":[{"text":"ping"}],"metadata":{"a":1},"extensions":["urn:x"],"referenceTaskIds":["t-0"]},"configuration":{"acceptedOutputModes":["text/plain"],"historyLength":0,"returnImmediately":true},"metadata":{"trace":"z"}}}',
    )
  })
  it('1.0 over HTTP+JSON has the tenant in the path and in the body', () => {
    expect(v10Rest.send(ping, { ...context, tenant: 'north/east' })).toMatchObject({
      path: '/north%2Feast/message:send',
      body: { tenant: 'north/east' },
    })
  })
  it('leaves out what is empty', () => {
    const bare = sent(
      v10,
      { ...ping, metadata: {}, extensions: [], contextId: '' },
      { tenant: '', metadata: {} },
    )
    expect(bare).toBe(sent(v10, ping))
  })
})

describe('waiting', () => {
  it.each([
    [undefined, true],
    [true, true],
    [false, false],
  ])('0.x with wait %s always says blocking %s', (wait, blocking) => {
    const configuration = wait === undefined ? {} : { wait }
    for (const codec of [v03, v03Rest]) {
      expect(sent(codec, ping, { configuration })).toContain(`"configuration":{"blocking":${blocking}}`)
    }
  })
  it('1.0 sends no configuration for wait: true, and never "blocking"', () => {
    expect(sent(v10, ping, { configuration: { wait: true } })).not.toContain('configuration')
    expect(sent(v10, ping, { configuration: { wait: false } })).not.toContain('blocking')
  })
})

describe('parts', () => {
  const png: Part = { kind: 'file', bytes: 'AAAA', mediaType: 'image/png', name: 'p.png', metadata: { w: 1 } }
  const link: Part = { kind: 'file', url: 'https://a.test/p.png', mediaType: 'image/png' }
  const data: Part = { kind: 'data', data: { n: 1 }, mediaType: 'application/json' }
  const list: Part = { kind: 'data', data: [1, null], metadata: { k: 'v' } }
  const text: Part = { kind: 'text', text: '', mediaType: 'text/x-diff', name: 'a.diff' }

  it.each<[string, Codec, Part, unknown]>([
    [
      '0.1 bytes',
      v01,
      png,
      { type: 'file', file: { name: 'p.png', mimeType: 'image/png', bytes: 'AAAA' }, metadata: { w: 1 } },
    ],
    ['0.1 link', v01, link, { type: 'file', file: { mimeType: 'image/png', uri: 'https://a.test/p.png' } }],
    ['0.1 data', v01, data, { type: 'data', data: { n: 1 } }],
    [
      '0.3 bytes',
      v03,
      png,
      { kind: 'file', file: { bytes: 'AAAA', mimeType: 'image/png', name: 'p.png' }, metadata: { w: 1 } },
    ],
    ['0.3 link', v03, link, { kind: 'file', file: { uri: 'https://a.test/p.png', mimeType: 'image/png' } }],
    ['0.3 data', v03, data, { kind: 'data', data: { n: 1 } }],
    [
      '0.3 data that is not an object',
      v03,
      list,
      { kind: 'data', data: { value: [1, null] }, metadata: { k: 'v', data_part_compat: true } },
    ],
    ['0.3 text', v03, text, { kind: 'text', text: '' }],
    [
      '0.3 REST bytes',
      v03Rest,
      png,
      { file: { fileWithBytes: 'AAAA', mimeType: 'image/png', name: 'p.png' }, metadata: { w: 1 } },
    ],
    [
      '0.3 REST link',
      v03Rest,
      link,
      { file: { fileWithUri: 'https://a.test/p.png', mimeType: 'image/png' } },
    ],
    ['0.3 REST data', v03Rest, data, { data: { data: { n: 1 } } }],
    [
      '0.3 REST data that is not an object',
      v03Rest,
      { kind: 'data', data: 7 },
      { data: { data: { value: 7 } }, metadata: { data_part_compat: true } },
    ],
    ['1.0 bytes', v10, png, { raw: 'AAAA', metadata: { w: 1 }, filename: 'p.png', mediaType: 'image/png' }],
    ['1.0 link', v10, link, { url: 'https://a.test/p.png', mediaType: 'image/png' }],
    ['1.0 data', v10, data, { data: { n: 1 }, mediaType: 'application/json' }],
    ['1.0 data that is not an object', v10, list, { data: [1, null], metadata: { k: 'v' } }],
    ['1.0 data that is null', v10, { kind: 'data', data: undefined }, { data: null }],
    ['1.0 text', v10, text, { text: '', filename: 'a.diff', mediaType: 'text/x-diff' }],
  ])('%s', (_, codec, part, expected) => {
    expect(sent(codec, say(part))).toContain(`[${JSON.stringify(expected)}]`)
  })

  it.each<[string, Part]>([
    ['neither bytes nor url', { kind: 'file' }],
    ['both bytes and url', { kind: 'file', bytes: 'AAAA', url: 'https://a.test/' }],
  ])('a file with %s is a usage error', (found, part) => {
    for (const codec of [v01, v03, v03Rest, v10]) {
      expect(() => sent(codec, say(part))).toThrow(
        expect.objectContaining({ code: 'BAD_OPTIONS', message: `a file part has ${found}` }),
      )
    }
  })
})

describe('getTask', () => {
  it.each<[Codec, string]>([
    [v01, '{"method":"tasks/get","params":{"id":"t 1","historyLength":2}}'],
    [v03, '{"method":"tasks/get","params":{"id":"t 1","historyLength":2}}'],
    [
      v03Rest,
      '{"binding":"HTTP+JSON","verb":"GET","path":"/v1/tasks/t%201","method":"GetTask","query":{"historyLength":"2"}}',
    ],
    [v10, '{"method":"GetTask","params":{"tenant":"blue","id":"t 1","historyLength":2}}'],
    [
      v10Rest,
      '{"binding":"HTTP+JSON","verb":"GET","path":"/blue/tasks/t%201","method":"GetTask","query":{"historyLength":"2"}}',
    ],
  ])('%#', (codec, expected) => {
    expect(wire(codec.getTask('t 1', { tenant: 'blue', historyLength: 2 }))).toBe(expected)
  })
  it('asks for nothing else by default', () => {
    expect(wire(v10.getTask('t-1', {}))).toBe('{"method":"GetTask","params":{"id":"t-1"}}')
    expect(v10Rest.getTask('t-1', {})).not.toHaveProperty('query')
  })
})

describe('headers', () => {
  it.each([
    [undefined, '1.0'],
    ['1.0', '1.0'],
    ['1.0.1', '1.0'],
    ['v1.2', '1.2'],
    ['2.0', '1.0'],
    ['0.3', '1.0'],
    ['', '1.0'],
    ['1.', '1.0'],
  ])('1.0 announces Major.Minor: %s is %s', (version, expected) => {
    expect(wireVersion(version)).toBe(expected)
    expect(v10.headers(version)).toEqual({ 'A2A-Version': expected })
    expect(v10Rest.headers(version)).toEqual({ 'A2A-Version': expected })
  })
  it('0.x sends no version header', () => {
    for (const codec of [v01, v03, v03Rest]) expect(codec.headers('0.3.0')).toEqual({})
  })
  it('names the extensions as the version does', () => {
    const uris = ['urn:a', 'urn:b']
    expect(extensionHeaders('1.0', uris)).toEqual({ 'A2A-Extensions': 'urn:a,urn:b' })
    expect(extensionHeaders('0.3', uris)).toEqual({ 'X-A2A-Extensions': 'urn:a,urn:b' })
    expect(extensionHeaders('0.1', uris)).toEqual({})
    expect(extensionHeaders('1.0', [])).toEqual({})
  })
})

it('there is no codec for 0.1 over HTTP+JSON', () => {
  expect(() => codecFor('0.1', 'HTTP+JSON')).toThrow('A2A 0.1 has no HTTP+JSON binding')
})
