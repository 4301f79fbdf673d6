import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import '../../src/vitest.ts'
import { manualSystemClock } from '../support/systemTime.ts'
import { echoAgent, failureOf, misuse, neverSettling, wireMessage, wireTask } from './support.ts'

const order = { id: 7, total: 12.5 }
const withData = { ...wireMessage('Your order:'), parts: [{ kind: 'data', data: order }] }

describe('passes', () => {
  test('for text', async () => {
    await using server = await echoAgent(wireMessage('Oslo is the capital.'))
    const agent = expect(server.origin)

    await agent.toReply('Capital of Norway?')
    await agent.toReply('Capital of Norway?', 'Oslo')
    await agent.toReply('Capital of Norway?', 'Oslo is the capital.', { exact: true })
    await agent.toReply('Capital of Norway?', /^oslo/i)
    await agent.toReply('Capital of Norway?', expect.stringContaining('capital'))
    await agent.toReply('Capital of Norway?', z.string().max(30))
    await agent.toReply(
      'Capital of Norway?',
      async (text, reply) => text.length < 30 && reply.kind === 'message',
    )
    await agent.toReply(['Capital of', { kind: 'data', data: { country: 'NO' } }], 'Oslo')
    await expect(server.origin).not.toReply('Capital of Norway?', 'Bergen')
  })

  test('for data', async () => {
    await using server = await echoAgent(withData)
    const agent = expect(server.origin)

    await agent.toReply('My order?')
    await agent.toReply('My order?', order)
    await agent.toReply('My order?', { id: expect.any(Number), total: 12.5 })
    await agent.toReply('My order?', [order])
    await agent.toReply(
      'My order?',
      z.object({ id: z.number().refine(async (id) => id === 7), total: z.number() }),
    )
    await agent.toReply('My order?', expect.objectContaining({ id: 7 }))
  })

  test('for JSON in a text', async () => {
    await using server = await echoAgent(wireMessage(JSON.stringify(order)))

    await expect(server.origin).toReply('My order?', order)
    await expect(server.origin).toReply('My order?', z.object({ id: z.number(), total: z.number() }))
  })

  test('sends one message, with its options', async () => {
    await using server = await echoAgent(wireTask('input-required', 'Which city?'))

    await expect(server.origin).toReply('Weather?', 'Which city?', {
      contextId: 'c9',
      metadata: { tenant: 'blue' },
    })

    const sent = server.requests.filter(({ rpc }) => rpc !== undefined)
    expect(sent).toHaveLength(1)
    expect(sent[0]?.rpc?.params).toMatchObject({ message: { contextId: 'c9' } })
    expect(sent[0]?.body).toContain('blue')
  })
})

describe('fails', () => {
  test('with the text, and the exchange', async () => {
    await using server = await echoAgent(wireMessage('Oslo is the capital.'))

    expect(await failureOf(() => expect(server.origin).toReply('Capital?', /Bergen/))).toMatchInlineSnapshot(`
      "[failed] expect(agent).toReply("Capital?", /Bergen/)

      Agent:    Echo Desk (http://127.0.0.1:<port>)
      Expected: a reply that matches /Bergen/
      Received: a Message with the text "Oslo is the capital."; the text does not match /Bergen/   reply/differs

      Exchanges
        GET http://127.0.0.1:<port>/.well-known/agent-card.json → 200 application/json <n> B <n> ms
        POST http://127.0.0.1:<port>/rpc → 200 application/json <n> B <n> ms
          received {"jsonrpc":"2.0","id":1,"result":{"kind":"message","messageId":"m1","role":"agent","contextId":"c1","parts":[{"kind":"text","text":"Oslo is the capital."}]}}

        curl http://127.0.0.1:<port>/rpc -H 'content-type: application/json' -H 'accept: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"<id>","role":"user","parts":[{"kind":"text","text":"Capital?"}]},"configuration":{"blocking":true}}}'"
    `)
  })

  test('with the issues of a schema', async () => {
    await using server = await echoAgent(withData)
    const schema = z.object({ id: z.string() })

    expect(await failureOf(() => expect(server.origin).toReply('My order?', schema))).toContain(
      'Schema issues\n  id: Invalid input: expected string, received number',
    )
  })

  test.each([
    [
      wireMessage('12.50'),
      { total: 12.5 },
      'a Message with the text "12.50"; it has no data part, and its text is not JSON',
    ],
    [withData, { id: 8, total: 12.5 }, 'data.id is not 8, but is 7'],
    [withData, expect.arrayContaining([1]), 'neither text nor data matches ArrayContaining'],
    [wireMessage(), undefined, 'a Message without any text'],
    [wireTask('failed', 'Oslo is down'), 'Oslo', 'task t1 ended in state failed: Oslo is down'],
  ])('%#', async (result, expected, received) => {
    await using server = await echoAgent(result)

    expect(await failureOf(() => expect(server.origin).toReply('Hello', expected))).toContain(received)
  })

  test('with the whole text when it is long', async () => {
    const text = `${'Oslo. '.repeat(40)}End.`
    await using server = await echoAgent(wireMessage(text))

    expect(await failureOf(() => expect(server.origin).toReply('Hello', 'Bergen'))).toContain(
      `Text of the reply\n  ${text}`,
    )
  })
})

test('.not fails and says what was found', async () => {
  await using server = await echoAgent(wireMessage('Oslo'))

  expect(await failureOf(() => expect(server.origin).not.toReply('Capital?', 'Oslo'))).toMatchInlineSnapshot(`
    "[failed] expect(agent).not.toReply("Capital?", "Oslo")

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: not a reply that contains "Oslo"
    Received: a Message with the text "Oslo"

    Exchanges
      GET http://127.0.0.1:<port>/.well-known/agent-card.json → 200 application/json <n> B <n> ms
      POST http://127.0.0.1:<port>/rpc → 200 application/json <n> B <n> ms
        received {"jsonrpc":"2.0","id":1,"result":{"kind":"message","messageId":"m1","role":"agent","contextId":"c1","parts":[{"kind":"text","text":"Oslo"}]}}

      curl http://127.0.0.1:<port>/rpc -H 'content-type: application/json' -H 'accept: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"<id>","role":"user","parts":[{"kind":"text","text":"Capital?"}]},"configuration":{"blocking":true}}}'"
  `)
})

describe('misuse', () => {
  test.each([
    [
      [],
      'toReply(): `message` must be a non-empty string or an array of strings and parts; received undefined.',
    ],
    [[''], 'toReply(): `message` must be a non-empty string or an array of strings and parts; received "".'],
    [['hi', { exact: true }], 'the options of toReply() are its third argument'],
    [['hi', 'x', { exact: 1 }], 'toReply(): `exact` must be true or false; received 1.'],
    [['hi', 'x', { timeout: 1 }], 'toReply(): there is no option `timeout`.'],
    [['hi', /x/, { exact: true }], 'the option "exact" of toReply() needs an expected string, not /x/'],
    [
      ['hi', undefined, { exact: true }],
      'the option "exact" of toReply() needs an expected string, not undefined',
    ],
    [['hi', ''], 'every text contains "", so toReply() would compare nothing.'],
    [['hi', null], 'toReply() cannot compare with null'],
    [['hi', 7], 'toReply() cannot compare with 7'],
    [['hi', () => undefined], 'the function passed to toReply() returned nothing.'],
    [['hi', async () => Promise.reject(new Error('typo'))], 'threw Error: typo'],
  ])('%j', async (args, message) => {
    await using server = await echoAgent(wireMessage('Hi.'))
    const wrong = misuse(expect(server.origin).not, 'toReply')

    const failure = await failureOf(() => wrong(...args))

    expect(failure).toContain('[error] ')
    expect(failure).toContain(message)
  })
})

test('rejects an invalid expectation before anything is sent', async () => {
  await using server = await echoAgent(wireMessage('Hi.'))

  const failure = await failureOf(() => misuse(expect(server.origin), 'toReply')('hi', null))

  expect(failure).toContain('toReply() cannot compare with null')
  expect(server.requests).toEqual([])
})

test.each([
  ['a failed safeParse', (text: string) => z.object({}).safeParse(text), 'returned {'],
  ['the result of a matcher', () => ({ pass: false, message: () => '' }), 'returned {"pass":false'],
])('%s counts as false', async (_, decide, said) => {
  await using server = await echoAgent(wireMessage('Hi.'))

  const failure = await failureOf(() => expect(server.origin).toReply('hi', decide))

  expect(failure).toMatch(/^\[failed\]/)
  expect(failure).toContain(said)
})

test('a function that never settles is reported, not the agent', async () => {
  await using server = await echoAgent(wireMessage('Hi.'))

  const clock = manualSystemClock()
  const { fn, called } = neverSettling()
  const failing = failureOf(() => expect(server.origin).toReply('hi', fn, { deadlineMs: 300 }))
  await called
  await clock.advance(300)
  const failure = await failing

  expect(failure).toMatch(/^\[error\]/)
  expect(failure).toContain(
    'the agent answered, but the function or schema of toReply() did not settle in time.',
  )
})

test('gives the runner the two values of a failed comparison, for its diff', async () => {
  await using server = await echoAgent(wireMessage('Oslo is the capital.'))

  await expect(expect(server.origin).toReply('Capital?', 'Bergen')).rejects.toMatchObject({
    expected: 'Bergen',
    actual: 'Oslo is the capital.',
  })
  await expect(expect(server.origin).toReply('Capital?', /Bergen/)).rejects.not.toHaveProperty(
    'actual',
    'Oslo is the capital.',
  )
})
