import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { startFixture } from '../support/fixtureServer.ts'
import { echoAgent, failureOf, unhurried, wireMessage, wireTask } from './support.ts'

describe('passes', () => {
  test('for a Message with text, after exactly one greeting', async () => {
    await using server = await echoAgent(wireMessage('I repeat what I hear.'))

    await expect(server.origin).toPassSmokeCheck()

    const sent = server.requests.filter(({ rpc }) => rpc !== undefined)
    expect(sent).toHaveLength(1)
    expect(sent[0]?.rpc?.params).toMatchObject({
      message: { parts: [{ text: 'Hello! In one or two sentences, what can you help me with?' }] },
    })
  })

  test('with a message of the user', async () => {
    await using server = await echoAgent(wireMessage('Hi.'))

    await expect(server.origin).toPassSmokeCheck({ message: 'What can you help me with?' })

    expect(server.requests.at(-1)?.body).toContain('"What can you help me with?"')
  })

  test.each(['completed', 'input-required', 'auth-required'] as const)(
    'for a task %s with text',
    async (state) => {
      await using server = await echoAgent(wireTask(state, 'Which city?'))

      await expect(server.origin).toPassSmokeCheck()
    },
  )
})

describe('fails', () => {
  test.each([
    ['a failed task', wireTask('failed', 'quota used up'), 'task t1 ended in state failed: quota used up'],
    ['a failed task without a word', wireTask('failed'), 'task t1 ended in state failed (no reason given)'],
    ['a canceled task', wireTask('canceled'), 'task t1 ended in state canceled (no reason given)'],
    ['a rejected task', wireTask('rejected', 'no'), 'task t1 ended in state rejected: no'],
    ['an unknown state', wireTask('unknown', 'x'), 'task t1 is in state unknown'],
    ['no text in a task', wireTask('completed'), 'task t1 completed without any text'],
    ['no text in a message', wireMessage(), 'a Message without any text'],
    ['nothing but spaces', wireMessage(' \n'), 'a Message without any text'],
  ])('on %s', async (_what, result, received) => {
    await using server = await echoAgent(result)

    expect(await failureOf(() => expect(server.origin).toPassSmokeCheck())).toContain(`Received: ${received}`)
  })

  test('on neither a Message nor a Task', async () => {
    await using server = await echoAgent({ hello: 'world' })

    expect(await failureOf(() => expect(server.origin).toPassSmokeCheck())).toMatchInlineSnapshot(`
      "[failed] expect(agent).toPassSmokeCheck()

      Agent:    Echo Desk (http://127.0.0.1:<port>)
      Expected: a working reply: a Message or a Task with some text
      Received: the result is neither a Message nor a Task: {"hello"}   wire/reply-shape

      Exchanges
        GET http://127.0.0.1:<port>/.well-known/agent-card.json → 200 application/json <n> B <n> ms
        POST http://127.0.0.1:<port>/rpc → 200 application/json <n> B <n> ms
          received {"jsonrpc":"2.0","id":1,"result":{"hello":"world"}}

        curl http://127.0.0.1:<port>/rpc -H 'content-type: application/json' -H 'accept: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"<id>","role":"user","parts":[{"kind":"text","text":"Hello! In one or two sentences, what can you help me with?"}]},"configuration":{"blocking":true}}}'"
    `)
  })

  test('on a task that does not settle', async () => {
    const get = {
      on: 'POST /rpc',
      rpc: 'tasks/get',
      json: { jsonrpc: '2.0', id: '$id', result: wireTask('working') },
    }
    await using server = await echoAgent(wireTask('working'), [get])

    const failure = await failureOf(() => expect(unhurried(server)).toPassSmokeCheck({ waitMs: 60 }))

    expect(failure).toContain(
      'Received: task t1 still working after <n> ms and 1 poll; nothing about it changed   wire/unsettled\n',
    )
    expect(failure).toContain('raise `waitMs`')
  })

  test('with the whole message', async () => {
    await using server = await echoAgent(wireTask('failed', 'quota used up'))

    expect(await failureOf(() => expect(server.origin).toPassSmokeCheck())).toMatchInlineSnapshot(`
      "[failed] expect(agent).toPassSmokeCheck()

      Agent:    Echo Desk (http://127.0.0.1:<port>)
      Expected: a working reply: a Message or a Task with some text
      Received: task t1 ended in state failed: quota used up   reply/task-failed

      Exchanges
        GET http://127.0.0.1:<port>/.well-known/agent-card.json → 200 application/json <n> B <n> ms
        POST http://127.0.0.1:<port>/rpc → 200 application/json <n> B <n> ms
          received {"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t1","contextId":"c1","status":{"state":"failed","message":{"kind":"message","messageId":"m1","role":"agent","contextId":"c1","parts":[{"kind":"text","text":"quota used up"}],"taskId":"t1"}}}}

        curl http://127.0.0.1:<port>/rpc -H 'content-type: application/json' -H 'accept: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"<id>","role":"user","parts":[{"kind":"text","text":"Hello! In one or two sentences, what can you help me with?"}]},"configuration":{"blocking":true}}}'"
    `)
  })

  test('where a gateway doubled the path of the card, with the address and where it comes from', async () => {
    await using server = await startFixture([
      {
        on: 'GET /a2a/tick/.well-known/agent-card.json',
        json: '$CARD10',
        patch: {
          supportedInterfaces: [
            {
              url: 'http://127.0.0.1:4100/a2a/tick/a2a/tock/',
              protocolBinding: 'JSONRPC',
              protocolVersion: '1.0',
            },
          ],
        },
      },
      { on: 'POST /a2a/tick/a2a/tock/', status: 404, text: 'no route' },
    ])

    const failure = await failureOf(() => expect(`${server.origin}/a2a/tick`).toPassSmokeCheck())

    expect(failure).toContain('POST http://127.0.0.1:<port>/a2a/tick/a2a/tock/')
    expect(failure).toContain('404')
    expect(failure).toContain('this address comes from the agent card (supportedInterfaces[0].url)')
    expect(failure).toContain('path looks doubled by a proxy')
  })
})

test('auth-required is a warning', async () => {
  await using server = await echoAgent(wireTask('auth-required', 'Log in first.'))

  expect(await failureOf(() => expect(server.origin).not.toPassSmokeCheck())).toMatchInlineSnapshot(`
    "[failed] expect(agent).not.toPassSmokeCheck()

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: not a working reply: a Message or a Task with some text
    Received: task t1 is waiting in state auth-required with the text "Log in first."

      ! the agent asks for authentication (auth-required): Log in first.   reply/auth-required
          Pass \`credentials\` or \`headers\` to a2aAgent(), or expect this state with toReachTaskState().

    Exchanges
      GET http://127.0.0.1:<port>/.well-known/agent-card.json → 200 application/json <n> B <n> ms
      POST http://127.0.0.1:<port>/rpc → 200 application/json <n> B <n> ms
        received {"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t1","contextId":"c1","status":{"state":"auth-required","message":{"kind":"message","messageId":"m1","role":"agent","contextId":"c1","parts":[{"kind":"text","text":"Log in first."}],"taskId":"t1"}}}}

      curl http://127.0.0.1:<port>/rpc -H 'content-type: application/json' -H 'accept: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"<id>","role":"user","parts":[{"kind":"text","text":"Hello! In one or two sentences, what can you help me with?"}]},"configuration":{"blocking":true}}}'"
  `)
})

test('.not passes for an agent that fails, but never if nothing answers', async () => {
  await using server = await echoAgent(wireTask('rejected'))
  await expect(server.origin).not.toPassSmokeCheck()

  expect(await failureOf(() => expect('http://127.0.0.1:9').not.toPassSmokeCheck())).toContain('[error] ')
})

describe('misuse', () => {
  test('a bare card', async () => {
    expect(await failureOf(() => expect({ name: 'Desk' }).not.toPassSmokeCheck())).toMatchInlineSnapshot(`
      "[error] expect(card).not.toPassSmokeCheck()

      Error: toPassSmokeCheck needs an agent to call, but received only an agent card.
      Fix:   Pass the URL of the agent, a2aAgent(url), or an app to serve."
    `)
  })

  test.each([
    [{ mesage: 'x' }, 'toPassSmokeCheck(): there is no option `mesage`. Did you mean `message`?'],
    [{ message: '' }, 'toPassSmokeCheck(): `message` must be a non-empty string; received "".'],
  ])('%j', async (options, message) => {
    expect(await failureOf(() => expect('http://127.0.0.1:9').toPassSmokeCheck(options as object))).toContain(
      message,
    )
  })
})
