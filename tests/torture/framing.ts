import { chunk, frame, rpc, status, task, whole } from './events.ts'
import { oslo, frames, whole03, text, bytewise, withId, turned, type Row } from './row.ts'

/** How bytes become events. */
export const framing: readonly Row[] = [
  { name: 'one event a chunk', body: whole.map(frame), says: oslo },
  { name: 'all events in one chunk', body: text(frames(...whole)), says: oslo },
  { name: 'each byte on its own', body: bytewise(withId(frames(...whole))), says: oslo },
  {
    name: 'bytes split inside UTF-8',
    body: bytewise(withId(frames(task('WORKING'), chunk('Blåbær 🫐 ñ'), status('COMPLETED')))),
    says: ['passed', /completed with the text "Blåbær 🫐 ñ"$/],
  },
  { name: 'CRLF', body: text(turned(frames(...whole), '\r\n')), says: oslo },
  {
    name: 'bytes split inside CRLF',
    body: turned(frames(...whole), '\r\n').split(/(?<=\r)/),
    says: oslo,
  },
  { name: 'CR only', body: text(turned(frames(...whole), '\r')), says: oslo },
  {
    name: 'CR only, each byte on its own',
    body: bytewise(turned(withId(frames(...whole)), '\r')),
    says: oslo,
  },
  { name: 'a byte order mark', body: text(`\uFEFF${frames(...whole)}`), says: oslo },
  {
    name: 'comments',
    body: [': connected\n\n', ...whole.flatMap((result) => [': ping\n', frame(result), ':\n\n'])],
    says: oslo,
  },
  {
    name: 'id lines',
    body: whole.map((result, at) => `id: ${at}\n${frame(result)}`),
    says: oslo,
  },
  {
    name: 'retry lines',
    body: ['retry: 3000\n\n', ...whole.map((result) => `retry: 10\n${frame(result)}`)],
    says: oslo,
  },
  { name: 'event names', body: whole.map((result) => `event: status\n${frame(result)}`), says: oslo },
  {
    name: 'unknown fields',
    body: whole.map((result) => `trace: 77\nnonsense\n${frame(result)}`),
    says: oslo,
  },
  { name: 'no blank after the colon', body: whole.map((result) => `data:${rpc(result)}\n\n`), says: oslo },
  {
    name: 'events without data',
    body: whole.flatMap((result) => ['data:\n\n', frame(result), 'event: ping\n\n']),
    says: oslo,
  },
  {
    name: 'data over several lines',
    body: whole.map(
      (result) =>
        `${JSON.stringify({ jsonrpc: '2.0', id: '$id', result }, null, 2)
          .split('\n')
          .map((line) => `data: ${line}`)
          .join('\n')}\n\n`,
    ),
    says: oslo,
  },
  {
    name: 'U+2028 within a text',
    body: text(frames(task('WORKING'), chunk('one\u2028two\u2029three\u0085four'), status('COMPLETED'))),
    says: ['passed', /completed with the text "one\u2028two\u2029three\u0085four"$/],
  },
  {
    name: 'no blank line at the end',
    body: text(frames(...whole).trimEnd()),
    says: oslo,
    findings: ['wire/sse-unterminated'],
  },
  {
    name: 'one line end at the end',
    body: text(frames(...whole).slice(0, -1)),
    says: oslo,
    findings: ['wire/sse-unterminated'],
  },
  {
    name: 'a content type with a charset, in capitals',
    headers: ['Content-Type: Text/Event-Stream; charset=UTF-8'],
    body: text(frames(...whole)),
    says: oslo,
  },
  {
    name: 'HTTP+JSON, several lines, CRLF',
    binding: 'HTTP+JSON',
    body: text(
      whole
        .map((result) => `data: ${JSON.stringify(result, null, 1).replaceAll('\n', '\r\ndata: ')}\r\n\r\n`)
        .join(''),
    ),
    says: oslo,
  },
  { name: 'A2A 0.3', version: '0.3', body: whole03.map(frame), says: oslo },
  {
    name: 'chunked by HTTP, split anywhere',
    headers: ['content-type: text/event-stream', 'transfer-encoding: chunked'],
    body: [
      ...withId(frames(...whole))
        .match(/[\s\S]{1,7}/g)!
        .map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`),
      '0\r\n\r\n',
    ],
    says: oslo,
  },
]
