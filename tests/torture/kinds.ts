import { chunk, frame, rpc, rpcError, task, whole } from './events.ts'
import { frames, text, withId, json, type Row } from './row.ts'

/** What answers a streaming call, a stream or something else. */
export const kinds: readonly Row[] = [
  {
    name: 'a wrong content type',
    headers: ['content-type: text/plain'],
    body: text(frames(...whole)),
    says: ['failed', /^the event stream of POST .* has the content type "text\/plain"$/],
    findings: ['stream/content-type'],
  },
  {
    name: 'no content type',
    headers: [],
    body: text(`: hello\n\n${frames(...whole)}`),
    says: ['failed', /^the event stream of POST .* has no content type$/],
    findings: ['stream/content-type'],
  },
  {
    name: '200 with a JSON error',
    ...json,
    body: text(rpcError(-32004, 'streaming is off')),
    says: [
      'failed',
      /error -32004 \(UnsupportedOperation\): "streaming is off" .*answered with application\/json, not text\/event-stream; the card declares streaming$/,
    ],
    findings: ['rpc/error'],
  },
  {
    name: 'the same error as the only event',
    body: text(`data: ${rpcError(-32004, 'streaming is off')}\n\n`),
    says: ['failed', /error -32004 \(UnsupportedOperation\): "streaming is off"/],
    findings: ['rpc/error'],
  },
  {
    name: 'a plain result in place of a stream',
    ...json,
    body: text(rpc(task('COMPLETED', { artifacts: [{ artifactId: 'a1', parts: [{ text: 'Oslo' }] }] }))),
    says: ['passed', /^one JSON document: task t1 completed with the text "Oslo"$/],
    findings: ['wire/stream-as-json'],
  },
  {
    name: 'a plain result of a task that continues',
    ...json,
    body: text(rpc(task('WORKING'))),
    says: ['failed', /^the stream ended while task t1 was working/],
    findings: ['stream/ended-early', 'wire/stream-as-json'],
  },
  {
    name: 'HTTP 401',
    statusLine: 'HTTP/1.1 401 Unauthorized',
    headers: ['content-type: application/json', 'www-authenticate: Bearer realm="helpdesk"'],
    body: text('{"error":"token expired"}'),
    says: ['failed', /answered HTTP 401 \(WWW-Authenticate: Bearer realm="helpdesk"\): "token expired"/],
    findings: ['http/unauthorized'],
  },
  {
    name: 'an empty stream',
    body: [],
    says: ['failed', /^the stream ended without any event/],
    findings: ['wire/stream-empty'],
  },
  {
    name: 'comments only',
    body: text(': ping\n\n: ping\n\n'),
    says: ['failed', /bytes of event-stream but no complete event/],
    findings: ['wire/stream-empty'],
  },
  {
    name: 'a text that is not UTF-8',
    body: [frame(task('WORKING')), Buffer.from(withId(frame(chunk('Tromsø'))), 'latin1')],
    says: ['failed', /is not valid UTF-8/],
    findings: ['wire/stream-encoding'],
  },
  {
    name: 'words in place of JSON',
    body: [frame(task('WORKING')), 'data: Oslo\n\n'],
    says: ['failed', /^event 2 of the stream of .* is not JSON: "Oslo"; after 1 event/],
    findings: ['wire/event-json'],
  },
]
