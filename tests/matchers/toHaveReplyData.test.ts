import { expect, test } from 'vitest'
import { z } from 'zod'
import '../../src/vitest.ts'
import { failureOf, messageReply } from './support.ts'

const order = { kind: 'data', data: { id: 7, lines: [{ sku: 'a', qty: 2 }], note: null } } as const
const total = { kind: 'data', data: { total: 12.5 } } as const
const reply = messageReply('Your order:', order, total)

test('passes for a data part, for all of them, and for what they fit', () => {
  expect(reply).toHaveReplyData()
  expect(reply).toHaveReplyData({ total: 12.5 })
  expect(reply).toHaveReplyData({ id: expect.any(Number), lines: [{ sku: /^a/, qty: 2 }], note: null })
  expect(reply).toHaveReplyData([order.data, total.data])
  expect(reply).toHaveReplyData((_text, { data }) => data.length === 2)
  expect(messageReply(total)).toHaveReplyData(z.object({ total: z.number() }))
  expect(messageReply(total)).toHaveReplyData(expect.objectContaining({ total: 12.5 }))
  expect(reply).not.toHaveReplyData({ total: 13 })
  expect(messageReply('{"total":12.5}')).not.toHaveReplyData({ total: 12.5 })
})

test('fails with the first place that differs', async () => {
  const wrong = messageReply(total, { kind: 'data', data: [1] })

  expect(await failureOf(() => expect(wrong).toHaveReplyData({ total: 13 }))).toMatchInlineSnapshot(`
    "[failed] expect(reply).toHaveReplyData({ total: 13 })

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: a reply with the data {"total":13}
    Received: a Message without any text, but with 2 data parts; data.total is not 13, but is 12.5   reply/differs

    Data of the reply
      [{"total":12.5},[1]]"
  `)
})

test.each([
  [{ total: 12.5, tax: 1 }, 'data.tax is missing'],
  [{}, 'data.total is 12.5, but was not expected'],
  [{ total: { net: 1 } }, 'data.total is not {"net":1}, but is 12.5'],
  [[1, 2], 'data is not [1,2], but is {"total":12.5}'],
])('fails for %j', async (expected, why) => {
  expect(await failureOf(() => expect(messageReply(total)).toHaveReplyData(expected))).toContain(why)
})

test('fails with the issues of a schema', async () => {
  const schema = z.object({ total: z.string(), lines: z.array(z.object({ sku: z.string() })) })
  const wrong = messageReply({ kind: 'data', data: { total: 1, lines: [{}] } })

  expect(await failureOf(() => expect(wrong).toHaveReplyData(schema))).toMatchInlineSnapshot(`
    "[failed] expect(reply).toHaveReplyData(<schema>)

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: a reply that satisfies the zod schema
    Received: a Message without any text, but with 1 data part; its data does not satisfy the schema (2 issues)   reply/differs

    Schema issues
      total: Invalid input: expected string, received number
      lines[0].sku: Invalid input: expected string, received undefined

    Data of the reply
      [{"total":1,"lines":[{}]}]"
  `)
})

test('fails without data', async () => {
  expect(await failureOf(() => expect(messageReply('12.50')).toHaveReplyData({ total: 12.5 })))
    .toMatchInlineSnapshot(`
      "[failed] expect(reply).toHaveReplyData({ total: 12.5 })

      Agent:    Echo Desk (http://127.0.0.1:<port>)
      Expected: a reply with the data {"total":12.5}
      Received: a Message with the text "12.50", without data   reply/no-data"
    `)
})

test('.not fails and says what was found', async () => {
  expect(await failureOf(() => expect(reply).not.toHaveReplyData())).toMatchInlineSnapshot(`
    "[failed] expect(reply).not.toHaveReplyData()

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: not a reply with some data
    Received: a Message with the text "Your order:" and 2 data parts"
  `)
})

test('misuse: options, which it does not accept', async () => {
  const wrong = (): void =>
    (expect(reply).toHaveReplyData as (...all: unknown[]) => void)({ total: 1 }, { exact: true })

  expect(await failureOf(wrong)).toContain('toHaveReplyData(): no options are accepted; received { exact }.')
})

test('misuse: an asynchronous schema', async () => {
  const schema = z.object({ total: z.number().refine(async () => true) })

  expect(await failureOf(() => expect(messageReply(total)).toHaveReplyData(schema))).toContain(
    'toHaveReplyData() is synchronous, but the function or schema is not.',
  )
})
