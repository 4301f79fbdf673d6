import { describe, expect, it } from 'vitest'
import type { Codec } from '../../src/protocol/codec.ts'
import { message03, parts, v01, v03, v03Rest, v10 } from './support.ts'

describe('parts of every generation', () => {
  const raw = { raw: 'AAAA', filename: 'p.png', mediaType: 'image/png' }
  const file = { bytes: 'AAAA', name: 'p.png', mimeType: 'image/png' }
  const png = { kind: 'file', bytes: 'AAAA', name: 'p.png', mediaType: 'image/png' }
  const link = { kind: 'file', url: 'https://a.test/x' }
  const speaks = (dialect: string): string => `this interface speaks ${dialect}`

  it.each<[Codec, unknown, unknown, string[]]>([
    // The version's own form: never a word.
    [v01, { type: 'text', text: 'hi' }, { kind: 'text', text: 'hi' }, []],
    [v01, { text: 'hi' }, { kind: 'text', text: 'hi' }, []],
    [v01, { type: 'file', file }, png, []],
    [v01, { type: 'data', data: [1] }, { kind: 'data', data: [1] }, []],
    [v03, { kind: 'text', text: 'hi' }, { kind: 'text', text: 'hi' }, []],
    [v03, { kind: 'file', file }, png, []],
    [v03, { kind: 'file', file: { uri: 'https://a.test/x', name: null } }, link, []],
    [v03, { kind: 'data', data: { a: 1 } }, { kind: 'data', data: { a: 1 } }, []],
    [
      v03,
      { kind: 'data', data: { value: [1] }, metadata: { data_part_compat: true } },
      { kind: 'data', data: [1] },
      [],
    ],
    [v03Rest, { text: 'hi' }, { kind: 'text', text: 'hi' }, []],
    [v03Rest, { file: { fileWithBytes: 'AAAA', mimeType: 'image/png', name: 'p.png' } }, png, []],
    [v03Rest, { file: { fileWithUri: 'https://a.test/x' } }, link, []],
    [v03Rest, { data: { data: { a: 1 } } }, { kind: 'data', data: { a: 1 } }, []],
    [v03Rest, { kind: 'data', data: { data: 1 } }, { kind: 'data', data: { data: 1 } }, []],
    [v03Rest, { kind: 'text', text: 'hi' }, { kind: 'text', text: 'hi' }, []],
    [v10, { text: 'hi', filename: '', mediaType: '', metadata: null }, { kind: 'text', text: 'hi' }, []],
    [v10, { text: '' }, { kind: 'text', text: '' }, []],
    [v10, raw, png, []],
    [v10, { text: '', url: 'https://a.test/x' }, link, []],
    [v10, { data: null }, { kind: 'data', data: null }, []],
    [
      v10,
      { data: { data: 1 }, metadata: { k: 1 } },
      { kind: 'data', data: { data: 1 }, metadata: { k: 1 } },
      [],
    ],
    // Another version's form: read, and said.
    [
      v01,
      { kind: 'text', text: 'hi' },
      { kind: 'text', text: 'hi' },
      [`part {"kind": "text"} is the 0.3 form; ${speaks('0.1')} (expected {"type": "text"})`],
    ],
    [
      v03,
      { type: 'text', text: 'hi' },
      { kind: 'text', text: 'hi' },
      [`part {"type": "text"} is the 0.1 form; ${speaks('0.3')} (expected {"kind": "text"})`],
    ],
    [
      v03,
      { text: 'hi' },
      { kind: 'text', text: 'hi' },
      [`part {"text"} is the 1.0 form; ${speaks('0.3')} (expected {"kind": "text"})`],
    ],
    [v03, raw, png, [`part {"raw"} is the 1.0 form; ${speaks('0.3')} (expected {"kind": "file"})`]],
    [
      v03,
      { kind: 'file', file: { fileWithBytes: 'AAAA' } },
      { kind: 'file', bytes: 'AAAA' },
      ['"fileWithBytes" is the name of 0.3 over HTTP+JSON (expected "bytes")'],
    ],
    [
      v03,
      { kind: 'data', data: [1] },
      { kind: 'data', data: [1] },
      ['data part holds an array of 1 item (0.3 allows only an object)'],
    ],
    [
      v10,
      { kind: 'text', text: 'hi' },
      { kind: 'text', text: 'hi' },
      [`part {"kind": "text"} is the 0.3 form; ${speaks('1.0')} (expected {"text"})`],
    ],
    [
      v10,
      { file: { fileWithUri: 'https://a.test/x' } },
      link,
      [`part {"file"} is the 0.3 HTTP+JSON form; ${speaks('1.0')} (expected {"raw"} or {"url"})`],
    ],
    [
      v10,
      { text: 'hi', media_type: 'text/html' },
      { kind: 'text', text: 'hi', mediaType: 'text/html' },
      ['"media_type" is written in snake_case (expected "mediaType")'],
    ],
    // Odd ones: what they carry is kept.
    [
      v10,
      { text: 'hi', data: { a: 1 } },
      { kind: 'text', text: 'hi' },
      ['part has "text" and "data" (expected exactly one)'],
    ],
    [v10, {}, { kind: 'data', data: null }, ['part {} has no content that A2A knows']],
    [
      v03,
      { kind: 'image', source: 'x' },
      { kind: 'data', data: { kind: 'image', source: 'x' } },
      ['part {"kind", "source"} has no content that A2A knows'],
    ],
    [
      v03,
      { kind: 'markdown', text: '# hi' },
      { kind: 'text', text: '# hi' },
      ['part kind "markdown" is not one of A2A (text, file, data)'],
    ],
    [
      v03,
      { kind: 'file', file: { data: 'AAAA' } },
      { kind: 'file', bytes: 'AAAA' },
      ['file part keeps its bytes in "data" (expected file.bytes)'],
    ],
    [
      v03,
      { kind: 'file', data: 'AAAA' },
      { kind: 'file', bytes: 'AAAA' },
      ['file part keeps its bytes in "data" (expected file.bytes)'],
    ],
    [v03, { kind: 'file', file: {} }, { kind: 'file' }, ['file part has neither bytes nor a uri']],
    [
      v03,
      { kind: 'text', text: 5 },
      { kind: 'text', text: '5' },
      ['text part has text 5 (expected a string)'],
    ],
    [v03, 'hi', { kind: 'text', text: 'hi' }, ['a part is the string "hi" (expected an object)']],
    [v03, 7, { kind: 'data', data: 7 }, ['a part is 7 (expected an object)']],
  ])('%#', (codec, part, expected, messages) => {
    const role = codec.dialect === '1.0' ? 'ROLE_AGENT' : 'agent'
    const message = { ...(codec === v03 ? { kind: 'message' } : {}), messageId: 'm', role, parts: [part] }
    const status = { state: codec.dialect === '1.0' ? 'TASK_STATE_COMPLETED' : 'completed', message }
    const task = { ...(codec === v03 ? { kind: 'task' } : {}), id: 't', contextId: 'c', status }
    const { value, findings } = codec.readTask(task)
    expect(value.status.message?.parts).toEqual([expected])
    expect(findings.map((finding) => finding.message)).toEqual(messages)
    for (const finding of findings)
      expect(finding).toMatchObject({
        level: 'warning',
        path: expect.stringMatching(/\.status\.message\.parts\[0\]/),
      })
  })

  it('reports each finding once, however often it occurs', () => {
    expect(
      v03.readReply({ ...message03('agent'), parts: [{ text: 'a' }, { text: 'b' }, null] }).findings,
    ).toMatchObject([
      { id: 'wire/part-dialect', path: 'result.parts[0]' },
      { message: 'a part is null (expected an object)', path: 'result.parts[2]' },
    ])
  })
  it('reads a single part in place of a list', () => {
    expect(parts(v03, 'hi')).toMatchObject({ parts: [{ kind: 'text', text: 'hi' }] })
    expect(parts(v03, { text: 'hi' })).toMatchObject({ parts: [{ kind: 'text', text: 'hi' }] })
  })
})
