import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import type { TaskState } from '../../src/protocol/model.ts'
import { echoAgent, failureOf, unhurried, wireMessage, wireTask } from './support.ts'

const get = (state: TaskState): { on: string; rpc: string; json: object } => ({
  on: 'POST /rpc',
  rpc: 'tasks/get',
  json: { jsonrpc: '2.0', id: '$id', result: wireTask(state, 'Tests are red.') },
})

test.each(['completed', 'failed', 'canceled', 'rejected', 'input-required', 'auth-required'] as const)(
  'passes for %s',
  async (state) => {
    await using server = await echoAgent(wireTask(state))

    await expect(server.origin).toReachTaskState('Run the tests', state)
  },
)

test('passes for the state after a wait, with one message', async () => {
  await using server = await echoAgent(wireTask('submitted'), [get('working'), get('failed')])

  await expect(server.origin).toReachTaskState('Run the tests', 'failed')

  expect(server.requests.map(({ rpc }) => rpc?.method)).toEqual([
    undefined,
    'message/send',
    // The card declares streaming, but the helpdesk knows no subscriptions.
    'tasks/resubscribe',
    'tasks/get',
    'tasks/get',
  ])
})

test('fails with the state that it reached, and why', async () => {
  await using server = await echoAgent(wireTask('submitted'), [get('failed')])

  expect(await failureOf(() => expect(server.origin).toReachTaskState('Run the tests', 'completed')))
    .toMatchInlineSnapshot(`
      "[failed] expect(agent).toReachTaskState("Run the tests", "completed")

      Agent:    Echo Desk (http://127.0.0.1:<port>)
      Expected: a task that settles in state completed
      Received: task t1 ended in state failed: Tests are red.   reply/task-state

      Exchanges
        GET http://127.0.0.1:<port>/.well-known/agent-card.json → 200 application/json <n> B <n> ms
        POST http://127.0.0.1:<port>/rpc → 200 application/json <n> B <n> ms
        POST http://127.0.0.1:<port>/rpc → 404 <n> B <n> ms
        POST http://127.0.0.1:<port>/rpc → 200 application/json <n> B <n> ms
          received {"jsonrpc":"2.0","id":3,"result":{"kind":"task","id":"t1","contextId":"c1","status":{"state":"failed","message":{"kind":"message","messageId":"m1","role":"agent","contextId":"c1","parts":[{"kind":"text","text":"Tests are red."}],"taskId":"t1"}}}}

        curl http://127.0.0.1:<port>/rpc -H 'content-type: application/json' -H 'accept: application/json' --data-raw '{"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"id":"t1"}}'"
    `)
})

test('fails for a Message', async () => {
  await using server = await echoAgent(wireMessage('Hi.'))

  expect(await failureOf(() => expect(server.origin).toReachTaskState('Hello', 'completed'))).toContain(
    'Received: a Message with the text "Hi.", which is not a task',
  )
})

test('fails for a task that keeps working', async () => {
  await using server = await echoAgent(wireTask('working'), [get('working')])

  expect(
    await failureOf(() => expect(unhurried(server)).toReachTaskState('Run', 'completed', { waitMs: 60 })),
  ).toContain(
    'Received: task t1 still working after <n> ms and 1 poll; it did change in that time   wire/unsettled\n',
  )
})

test('.not fails and says what was found', async () => {
  await using server = await echoAgent(wireTask('rejected', 'Not mine.'))

  expect(await failureOf(() => expect(server.origin).not.toReachTaskState('Run', 'rejected')))
    .toMatchInlineSnapshot(`
      "[failed] expect(agent).not.toReachTaskState("Run", "rejected")

      Agent:    Echo Desk (http://127.0.0.1:<port>)
      Expected: not a task that settles in state rejected
      Received: task t1 ended in state rejected: Not mine.

      Exchanges
        GET http://127.0.0.1:<port>/.well-known/agent-card.json → 200 application/json <n> B <n> ms
        POST http://127.0.0.1:<port>/rpc → 200 application/json <n> B <n> ms
          received {"jsonrpc":"2.0","id":1,"result":{"kind":"task","id":"t1","contextId":"c1","status":{"state":"rejected","message":{"kind":"message","messageId":"m1","role":"agent","contextId":"c1","parts":[{"kind":"text","text":"Not mine."}],"taskId":"t1"}}}}

        curl http://127.0.0.1:<port>/rpc -H 'content-type: application/json' -H 'accept: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"<id>","role":"user","parts":[{"kind":"text","text":"Run"}]},"configuration":{"blocking":true}}}'"
    `)
})

test.each([
  ['working', 'A task does not settle in state "working".'],
  ['TASK_STATE_COMPLETED', 'Write "completed".'],
  ['cancelled', 'Did you mean "canceled"?'],
])('misuse: %s', async (state, fix) => {
  const failure = await failureOf(() =>
    expect('http://127.0.0.1:9').not.toReachTaskState('Run', state as 'failed'),
  )

  expect(failure).toContain(
    `Error: toReachTaskState(): \`state\` must be "completed", "input-required", "auth-required", "failed", "canceled" or "rejected"; received "${state}".`,
  )
  expect(failure).toContain(`Fix:   ${fix}`)
})
