import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { startHelpdesk, startStudio } from '../../src/testing/index.ts'
import { startFixture, type FixtureServer } from '../support/fixtureServer.ts'
import { echoAgent, failureOf, misuse, unhurried, wireMessage, wireTask } from './support.ts'
import { messagesOf, sent, turn } from './conversations.ts'

const conversation = ['The code word is LINDEN.', 'Which code word?'] as const
const said = (contextId: string | undefined, text: string): Record<string, unknown> => ({
  ...wireMessage(text),
  contextId,
})
/** Answers each turn with the next of these. */
const helpdesk = (...answers: Record<string, unknown>[]): Promise<FixtureServer> =>
  startFixture([
    { on: 'GET /.well-known/agent-card.json', json: '$CARD03' },
    ...answers.map((answer) => sent(answer, { times: 1 })),
  ])

describe('passes', () => {
  test('when each reply is in the first one’s context and the last is as expected', async () => {
    await using server = await helpdesk(said('c1', 'Noted.'), said('c1', 'Yes?'), said('c1', 'LINDEN'))

    await expect(server.origin).toKeepContext(
      [conversation[0], 'Hello', conversation[1]],
      'linden'.toUpperCase(),
    )

    const messages = messagesOf(server)
    expect(messages.map(({ contextId }) => contextId)).toEqual([undefined, 'c1', 'c1'])
    expect(messages.every((message) => !('taskId' in message))).toBe(true)
  })

  test.each([
    ['a RegExp', /lin/i],
    ['an asymmetric matcher', expect.stringContaining('LIN')],
    ['a function', (text: string) => text === 'LINDEN'],
    ['nothing', undefined],
  ])('for %s', async (_, expected) => {
    await using server = await helpdesk(said('c1', 'Noted.'), said('c1', 'LINDEN'))

    await expect(server.origin).toKeepContext(conversation, expected)
  })

  test('continues a task that asks, and only the context after a finished one', async () => {
    await using server = await echoAgent(wireTask('completed', 'Done.', { id: 't2' }), [
      turn(3, wireTask('completed', 'Done.', { id: 't2' })),
      turn(2, wireTask('completed', 'All set.')),
      turn(1, wireTask('input-required', 'Which?')),
    ])

    await expect(server.origin).toKeepContext(['Review', 'main', 'again'], 'Done.', { exact: true })

    expect(messagesOf(server)).toMatchObject([{}, { contextId: 'c1', taskId: 't1' }, { contextId: 'c1' }])
    expect(messagesOf(server)[2]).not.toHaveProperty('taskId')
  })

  test('for the helpdesk, and for the studio, which knows sessions only', async () => {
    await using helpdesk = await startHelpdesk()
    await using studio = await startStudio()

    await expect(helpdesk.url).toKeepContext(['I was charged twice', 'It is order #4411'], '#4411')
    await expect(studio.url).toKeepContext(['A quote, please', 'a shop'], /exact price of "a shop"/)

    const [first, second] = studio.requests
      .filter(({ body }) => body.includes('tasks/send'))
      .map(({ body }) => (JSON.parse(body) as { params: { id: string; sessionId: string } }).params)
    expect(second?.sessionId).toBe(first?.sessionId)
    expect(second?.id).toBe(first?.id)
  })

  test('with a warning if no reply names a context', async () => {
    await using server = await helpdesk(said(undefined, 'Noted.'), said(undefined, 'LINDEN'))

    expect(await failureOf(() => expect(server.origin).not.toKeepContext(conversation, 'LINDEN'))).toContain(
      '! the reply in turn 1 has no contextId, so there is no context to continue   conversation/no-context  A2A 1.0 §3.4.1',
    )
    expect(messagesOf(server)[1]).not.toHaveProperty('contextId')
  })

  test('with a warning if a later reply no longer names it', async () => {
    await using server = await helpdesk(said('c1', 'Noted.'), said(undefined, 'LINDEN'))

    expect(await failureOf(() => expect(server.origin).not.toKeepContext(conversation, 'LINDEN'))).toContain(
      '! the reply in turn 2 has no contextId, although the message was sent in context c1   conversation/no-context',
    )
  })
})

describe('fails', () => {
  test('for another context and for a memory that is gone, each with its own message', async () => {
    await using server = await helpdesk(said('c1', 'Noted: LINDEN.'), said('c2', 'You have not told me.'))

    expect(await failureOf(() => expect(server.origin).toKeepContext(conversation, 'LINDEN')))
      .toMatchInlineSnapshot(`
      "[failed] expect(agent).toKeepContext(["The code word is LINDEN.", "Which code word?"], "LINDEN")

      Agent:    Echo Desk (http://127.0.0.1:<port>)
      Expected: one context over 2 messages, ending with a reply that contains "LINDEN"
      Received: contextId changed from c1 to c2 in turn 2; turn 2: a Message with the text "You have not told me."; the text does not contain "LINDEN"

        ✗ contextId changed from c1 to c2 in turn 2   wire/context-changed
            Answer in the context of the message, or reject the message.
        ✗ turn 2: a Message with the text "You have not told me."; the text does not contain "LINDEN"   conversation/forgot

      Conversation
         1 user   The code word is LINDEN.
           agent  Noted: LINDEN.
         2 user   Which code word?
           agent  You have not told me.

      Exchanges
        GET http://127.0.0.1:<port>/.well-known/agent-card.json → 200 application/json <n> B <n> ms
        POST http://127.0.0.1:<port>/rpc → 200 application/json <n> B <n> ms
        POST http://127.0.0.1:<port>/rpc → 200 application/json <n> B <n> ms
          received {"jsonrpc":"2.0","id":2,"result":{"kind":"message","messageId":"m1","role":"agent","contextId":"c2","parts":[{"kind":"text","text":"You have not told me."}]}}

        curl http://127.0.0.1:<port>/rpc -H 'content-type: application/json' -H 'accept: application/json' --data-raw '{"jsonrpc":"2.0","id":2,"method":"message/send","params":{"message":{"kind":"message","messageId":"<id>","contextId":"c1","role":"user","parts":[{"kind":"text","text":"Which code word?"}]},"configuration":{"blocking":true}}}'"
    `)
  })

  test('for another context, though it remembers; further messages stay in the first one', async () => {
    await using server = await helpdesk(said('c1', 'Noted.'), said('c2', 'Yes?'), said('c1', 'LINDEN'))

    const failure = await failureOf(() =>
      expect(server.origin).toKeepContext([conversation[0], 'Hi', conversation[1]], 'LINDEN'),
    )

    expect(failure).toContain('Received: contextId changed from c1 to c2 in turn 2   wire/context-changed\n')
    expect(failure).not.toContain('conversation/forgot')
    expect(failure.match(/wire\/context-changed/g)).toHaveLength(1)
    expect(messagesOf(server).map(({ contextId }) => contextId)).toEqual([undefined, 'c1', 'c1'])
  })

  test('for a context that is kept and not remembered', async () => {
    await using server = await helpdesk(said('c1', 'Noted.'), said('c1', 'Which one?'))

    expect(await failureOf(() => expect(server.origin).toKeepContext(conversation, 'LINDEN'))).toContain(
      'Received: turn 2: a Message with the text "Which one?"; the text does not contain "LINDEN"   conversation/forgot\n',
    )
  })

  test('at the first turn whose task fails', async () => {
    await using server = await helpdesk(wireTask('failed', 'quota used up'), said('c1', 'LINDEN'))

    expect(await failureOf(() => expect(server.origin).toKeepContext(conversation, 'LINDEN'))).toContain(
      'Received: turn 1 of 2: task t1 ended in state failed: quota used up   reply/task-failed\n',
    )
    expect(messagesOf(server)).toHaveLength(1)
  })

  test('for a task that does not settle, with the turn', async () => {
    await using server = await echoAgent(wireTask('working'), [
      sent(said('c1', 'Noted.'), { times: 1 }),
      { on: 'POST /rpc', rpc: 'tasks/get', json: { jsonrpc: '2.0', id: '$id', result: wireTask('working') } },
    ])

    expect(
      await failureOf(() => expect(unhurried(server)).toKeepContext(conversation, 'LINDEN', { waitMs: 60 })),
    ).toMatch(/Received: turn 2 of 2: task t1 still working after <n> ms/)
  })

  test('for a message that is refused, with its number and the conversation', async () => {
    await using server = await startFixture([
      { on: 'GET /.well-known/agent-card.json', json: '$CARD03' },
      sent(said('c1', 'Noted.'), { times: 1 }),
      {
        on: 'POST /rpc',
        rpc: 'message/send',
        json: { jsonrpc: '2.0', id: '$id', error: { code: -32602, message: 'too late' } },
      },
    ])

    const failure = await failureOf(() => expect(server.origin).toKeepContext(conversation, 'LINDEN'))

    expect(failure).toMatch(/Received: message 2: .*-32602.*too late.* {3}rpc\/error\n/)
    expect(failure).toContain(
      'Conversation\n   1 user   The code word is LINDEN.\n     agent  Noted.\n   2 user   Which code word?\n',
    )
  })
})

test('.not fails and says what was found', async () => {
  await using server = await helpdesk(said('c1', 'Noted.'), said('c1', 'LINDEN'))

  const failure = await failureOf(() => expect(server.origin).not.toKeepContext(conversation, 'LINDEN'))

  expect(failure).toContain(
    'Expected: not one context over 2 messages, ending with a reply that contains "LINDEN"\n',
  )
  expect(failure).toContain('Received: 2 turns in context c1; a Message with the text "LINDEN"\n')
})

describe('misuse', () => {
  test.each([
    [
      ['one'],
      'toKeepContext(): `messages` must be an array of at least 2 messages, each a string or an array of strings and parts; received an array of 1.',
    ],
    [
      'one',
      'toKeepContext(): `messages` must be an array of at least 2 messages, each a string or an array of strings and parts; received "one".',
    ],
    [
      ['one', ''],
      'toKeepContext(): `messages` must be an array of at least 2 messages, each a string or an array of strings and parts; received an array of 2.',
    ],
  ])('messages %j', async (messages, message) => {
    const call = misuse(expect('http://127.0.0.1:9').not, 'toKeepContext')
    expect(await failureOf(() => call(messages, 'x'))).toContain(message)
  })

  test.each([
    [['', undefined], 'every text contains "", so toKeepContext() would compare nothing.'],
    [[/x/, { exact: true }], 'the option "exact" of toKeepContext() needs an expected string, not /x/.'],
    [[{ exact: true }], 'the options of toKeepContext() are its third argument.'],
    [['x', { contextId: 'c1' }], 'toKeepContext(): there is no option `contextId`.'],
  ])('expected and options %j, before anything is sent', async (args, message) => {
    await using server = await helpdesk(said('c1', 'Noted.'))

    expect(
      await failureOf(() => misuse(expect(server.origin).not, 'toKeepContext')(conversation, ...args)),
    ).toContain(message)
    expect(server.requests).toEqual([])
  })
})
