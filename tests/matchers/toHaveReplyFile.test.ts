import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import type { FilePart } from '../../src/protocol/model.ts'
import { failureOf, messageReply } from './support.ts'

const bytes = (text: string): string => Buffer.from(text).toString('base64')
const csv: FilePart = {
  kind: 'file',
  name: 'orders.csv',
  mediaType: 'text/csv; charset=utf-8',
  bytes: bytes('id\n7\n'),
}
const chart: FilePart = { kind: 'file', mediaType: 'image/png', url: 'http://127.0.0.1:4100/chart.png' }
const reply = messageReply('Here.', csv, chart)

test('passes when one file is all that is asked for', () => {
  expect(reply).toHaveReplyFile()
  expect(reply).toHaveReplyFile({ name: 'orders.csv', mediaType: 'text/csv', text: '7' })
  expect(reply).toHaveReplyFile({ mediaType: 'image/*', url: /chart\.png$/ })
  expect(reply).toHaveReplyFile({ bytes: Buffer.from('id\n7\n') })
  expect(reply).toHaveReplyFile({ text: /^id$/m })
  expect(reply).not.toHaveReplyFile({ name: 'orders.csv', mediaType: 'image/png' })
  expect(messageReply('Here.')).not.toHaveReplyFile()
})

test('fails with every file and what is wrong with it', async () => {
  const failure = await failureOf(() => expect(reply).toHaveReplyFile({ name: 'orders.csv', text: 'id\n8' }))

  expect(failure).toMatchInlineSnapshot(`
    "[failed] expect(reply).toHaveReplyFile({ name: "orders.csv", text: "id\\n8" })

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: a reply with a file whose name is "orders.csv" and text contains "id\\n8"
    Received: the file "orders.csv" (text/csv; charset=utf-8), whose text is "id\\n7\\n"; the file "http://127.0.0.1:<port>/chart.png" (image/png), whose name is undefined   reply/no-file"
  `)
})

test.each([
  [{ mediaType: 'text/plain' }, 'whose mediaType is "text/csv; charset=utf-8"'],
  [{ mediaType: 'image/png', text: 'x' }, 'whose content is not inline'],
  [{ bytes: Buffer.from('x') }, 'whose content is different ('],
  [{ url: 'http://127.0.0.1/' }, 'whose url is undefined'],
])('fails for %j', async (wanted, why) => {
  expect(await failureOf(() => expect(reply).toHaveReplyFile(wanted))).toContain(why)
})

test('fails without files', async () => {
  expect(await failureOf(() => expect(messageReply('Sorry.')).toHaveReplyFile())).toMatchInlineSnapshot(`
    "[failed] expect(reply).toHaveReplyFile()

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: a reply with a file
    Received: a Message with the text "Sorry.", without files   reply/no-file"
  `)
})

test('.not fails and says what was found', async () => {
  expect(await failureOf(() => expect(reply).not.toHaveReplyFile({ name: /csv/ }))).toMatchInlineSnapshot(`
    "[failed] expect(reply).not.toHaveReplyFile({ name: /csv/ })

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: not a reply with a file whose name matches /csv/
    Received: the file "orders.csv" (text/csv; charset=utf-8)"
  `)
})

test('misuse: an unknown option', async () => {
  expect(await failureOf(() => expect(reply).toHaveReplyFile({ mimeType: 'text/csv' } as object)))
    .toMatchInlineSnapshot(`
    "[error] expect(reply).toHaveReplyFile({ mimeType: "text/csv" })

    Error: toHaveReplyFile(): there is no option \`mimeType\`.
    Fix:   Options: name, mediaType, url, text, bytes."
  `)
})
