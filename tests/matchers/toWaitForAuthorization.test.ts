import { describe, expect, test, vi } from 'vitest'
import '../../src/vitest.ts'
import { a2aAgent } from '../../src/index.ts'
import { faults, startDeployer, type DemoAgent, type Fault } from '../../src/testing/index.ts'
import { manualSystemClock } from '../support/systemTime.ts'
import { failureOf, misuse, wireMessage, wireTask, echoAgent } from './support.ts'
import { authorizing, messagesOf, methodsOf } from './conversations.ts'

const options = { headers: { authorization: 'Bearer dpl_test_7c1e4b' } }
const deploy = 'Deploy build 7'
/** Waits for an operator at `POST /approve/{taskId}`. */
async function deployer(...fault: Fault[]): Promise<
  {
    demo: DemoAgent
    agent: ReturnType<typeof a2aAgent>
    approve: (task: { id: string }) => Promise<unknown>
  } & AsyncDisposable
> {
  const demo = await startDeployer({ fault })
  const agent = a2aAgent(demo.url, options)
  return {
    demo,
    agent,
    approve: ({ id }) => fetch(`${demo.url}/approve/${id}`, { method: 'POST' }),
    async [Symbol.asyncDispose]() {
      await agent.close()
      await demo.close()
    },
  }
}
const polled = faults.card('capabilities.streaming', false)
const methods = ({ requests }: DemoAgent): string[] =>
  requests.flatMap(({ method, path, body }) =>
    method === 'POST'
      ? [path.startsWith('/approve') ? 'approve' : (JSON.parse(body) as { method: string }).method]
      : [],
  )

describe('passes', () => {
  test('when the subscription sees the task through, with one message and one approval', async () => {
    await using scene = await deployer()
    const approve = vi.fn(scene.approve)

    await expect(scene.agent).toWaitForAuthorization(deploy, {
      approve,
      expected: /live on staging/,
    })

    expect(methods(scene.demo)).toEqual(['SendMessage', 'SubscribeToTask', 'GetTask', 'approve'])
    expect(approve).toHaveBeenCalledTimes(1)
    const [task, reply] = approve.mock.calls[0] as unknown as [
      { status: { state: string } },
      { text: string },
    ]
    expect(task.status.state).toBe('auth-required')
    expect(reply.text).toMatch(/^An operator must approve this deploy at /)
  })

  test('by polling where the card declares no streaming', async () => {
    await using scene = await deployer(polled)

    await expect(scene.agent).toWaitForAuthorization(deploy, {
      approve: scene.approve,
      expected: expect.objectContaining({ environment: 'staging', build: '7' }),
    })

    const [send, get, approve, ...rest] = methods(scene.demo)
    expect([send, get, approve]).toEqual(['SendMessage', 'GetTask', 'approve'])
    expect(new Set(rest)).toEqual(new Set(['GetTask']))
  })

  test('by polling where the subscription is refused, with a warning', async () => {
    await using scene = await deployer(
      faults.method('SubscribeToTask', {
        json: { jsonrpc: '2.0', error: { code: -32004, message: 'not now' } },
      }),
    )

    const failure = await failureOf(() =>
      expect(scene.agent).not.toWaitForAuthorization(deploy, { approve: scene.approve }),
    )

    expect(failure).toMatch(
      /! task <id> waits for authorization, but cannot be subscribed to: .*-32004.* {3}conversation\/not-subscribable {2}A2A 1\.0 §7\.6\.1\n/,
    )
    expect(failure).toMatch(/Received: .*, observed by \d+ polls?\n/)
  })

  test('by polling if the subscription ends with the request for authorization', async () => {
    await using server = await authorizing()

    await expect(server.origin).toWaitForAuthorization('Deploy', { approve: () => {} })

    expect(messagesOf(server)).toHaveLength(1)
    expect(methodsOf(server)).toEqual(['message/send', 'tasks/resubscribe', 'tasks/get', 'tasks/get'])
  })

  test('if a refusal is expected, with its reason', async () => {
    await using scene = await deployer(
      polled,
      faults.result((result, { body }) =>
        body.includes('GetTask') && (result['status'] as { state: string }).state === 'TASK_STATE_COMPLETED'
          ? {
              ...result,
              status: {
                state: 'TASK_STATE_REJECTED',
                message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'The operator said no' }] },
              },
            }
          : result,
      ),
    )

    await expect(scene.agent).toWaitForAuthorization(deploy, {
      approve: scene.approve,
      state: 'rejected',
      expected: 'said no',
    })
  })

  test('for an approve() that ends later than the task', async () => {
    await using scene = await deployer()

    await expect(scene.agent).toWaitForAuthorization(deploy, {
      async approve(task) {
        await scene.approve(task)
        for (let state = ''; state !== 'completed';) state = (await scene.agent.getTask(task.id)).status.state
      },
    })
  })
})

describe('fails', () => {
  test('when the task ignores it: says what was pending', async () => {
    await using scene = await deployer()

    const failure = await failureOf(() =>
      expect(scene.agent).toWaitForAuthorization(deploy, { approve: () => {}, waitMs: 1500 }),
    )

    expect(failure.split('\nExchanges')[0]).toMatchInlineSnapshot(`
      "[failed] expect(agent).toWaitForAuthorization("Deploy build 7", { approve: approve, waitMs: 1500 })

      Agent:    deployer (http://127.0.0.1:<port>)
      Expected: a task that waits for authorization (auth-required) and, once authorized, settles in state completed
      Received: task <id> is still waiting in state auth-required <n> ms after approve() was called (1 event of SubscribeToTask and 1 poll)   conversation/still-waiting
      Fix:      Continue the task as soon as it is authorized, without a message; or check that approve() authorizes it.
      "
    `)
  })

  test('before the deadline, in the same words', async () => {
    await using scene = await deployer(polled)
    manualSystemClock({ auto: true })

    expect(
      await failureOf(() =>
        expect(scene.agent).toWaitForAuthorization(deploy, { approve: () => {}, deadlineMs: 600 }),
      ),
    ).toMatch(
      /^\[failed\] [\s\S]*Received: task <id> is still waiting in state auth-required <n> ms after approve\(\) was called \(\d+ polls?\)/,
    )
  })

  test.each([
    [
      'a Message',
      wireMessage('Live.'),
      'no request for authorization: a Message with the text "Live."   conversation/not-held',
    ],
    [
      'a task that is done',
      wireTask('completed', 'Live.'),
      'no request for authorization: task t1 completed with the text "Live."   conversation/not-held',
    ],
    [
      'a question',
      wireTask('input-required', 'May I?'),
      'no request for authorization: task t1 is waiting in state input-required with the text "May I?"   conversation/not-held',
    ],
    ['a failure', wireTask('failed', 'no'), 'task t1 ended in state failed: no   reply/task-failed'],
  ])('when the reply is %s, and approves nothing', async (_, reply, message) => {
    await using server = await echoAgent(reply)
    const approve = vi.fn()

    expect(
      await failureOf(() => expect(server.origin).toWaitForAuthorization('Deploy', { approve })),
    ).toContain(`Received: ${message}\n`)
    expect(approve).not.toHaveBeenCalled()
  })

  test('without an explanation, in 1.0', async () => {
    await using scene = await deployer(faults.resultField('task.status.message', undefined))

    const failure = await failureOf(() =>
      expect(scene.agent).toWaitForAuthorization(deploy, { approve: scene.approve }),
    )

    expect(failure).toContain(
      'waits for authorization, but has no status message that says what for   conversation/no-explanation\n',
    )
    expect(methods(scene.demo)).toEqual(['SendMessage'])
  })

  test('when the task continues before approve() was called', async () => {
    await using server = await echoAgent(wireTask('auth-required', 'Ann?'), [
      { on: 'POST /rpc', rpc: 'tasks/get', json: { jsonrpc: '2.0', id: '$id', result: wireTask('working') } },
    ])
    const approve = vi.fn()

    expect(
      await failureOf(() => expect(server.origin).toWaitForAuthorization('Deploy', { approve })),
    ).toContain('Received: task t1 is working before it was authorized   conversation/did-not-wait\n')
    expect(approve).not.toHaveBeenCalled()
  })

  test('when the task is lost', async () => {
    await using server = await echoAgent(wireTask('auth-required', 'Ann?'), [
      {
        on: 'POST /rpc',
        rpc: 'tasks/get',
        json: { jsonrpc: '2.0', id: '$id', error: { code: -32001, message: 'no task t1' } },
      },
    ])

    expect(
      await failureOf(() => expect(server.origin).toWaitForAuthorization('Deploy', { approve: () => {} })),
    ).toMatch(/Received: .*-32001.*no task t1.* {3}rpc\/error\n/)
  })

  test('when it settles in another state, or says something else', async () => {
    await using scene = await deployer()
    const { agent, approve } = scene

    expect(
      await failureOf(() => expect(agent).toWaitForAuthorization(deploy, { approve, state: 'rejected' })),
    ).toMatch(
      /Received: once authorized: task <id> completed with the text "Build 7 is live on staging" and 1 data part {3}reply\/task-state\n/,
    )
    expect(
      await failureOf(() =>
        expect(agent).toWaitForAuthorization(deploy, { approve, expected: 'rolled back' }),
      ),
    ).toContain('the text does not contain "rolled back"   reply/differs\n')
  })
})

test('exact: the reply says that and nothing else', async () => {
  await using scene = await deployer()
  const { agent, approve } = scene
  const whole = 'Build 7 is live on staging'

  await expect(agent).toWaitForAuthorization(deploy, { approve, expected: whole, exact: true })
  await expect(agent).toWaitForAuthorization(deploy, { approve, expected: 'live on staging' })
  expect(
    await failureOf(() =>
      expect(agent).toWaitForAuthorization(deploy, { approve, expected: 'live on staging', exact: true }),
    ),
  ).toMatch(/Expected: .* that is exactly "live on staging"\nReceived: .* {3}reply\/differs\n/)
})

test('without an explanation, a warning in 0.3', async () => {
  await using server = await echoAgent(wireTask('auth-required'), [
    {
      on: 'POST /rpc',
      rpc: 'tasks/get',
      times: 1,
      json: { jsonrpc: '2.0', id: '$id', result: wireTask('auth-required') },
    },
    { on: 'POST /rpc', rpc: 'tasks/get', json: { jsonrpc: '2.0', id: '$id', result: wireTask('completed') } },
  ])

  expect(
    await failureOf(() => expect(server.origin).not.toWaitForAuthorization('Deploy', { approve: () => {} })),
  ).toContain(
    '! task t1 waits for authorization, but has no status message that says what for   conversation/no-explanation  A2A 0.3 §4.5\n',
  )
})

test('.not fails and says what was found', async () => {
  await using scene = await deployer()

  const failure = await failureOf(() =>
    expect(scene.agent).not.toWaitForAuthorization(deploy, { approve: scene.approve }),
  )

  expect(failure).toContain(
    'Expected: not a task that waits for authorization (auth-required) and, once authorized, settles in state completed\n',
  )
  expect(failure).toMatch(/Received: task <id> completed with .*, observed by 4 events of SubscribeToTask\n/)
})

describe('errors of the test', () => {
  test.each([
    [
      'throws',
      () => {
        throw new Error('no such operator')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no such operator'))],
  ])('an approve() that %s is invalid, negated or not', async (_, approve) => {
    await using scene = await deployer()

    for (const assertion of [expect(scene.agent), expect(scene.agent).not]) {
      const failure = await failureOf(() => misuse(assertion, 'toWaitForAuthorization')(deploy, { approve }))
      expect(failure).toMatch(/^\[invalid\] /)
      expect(failure).toContain('Received: approve() threw Error: no such operator\n')
    }
  })

  test('an approve() that never settles is invalid', async () => {
    await using scene = await deployer()

    const failure = await failureOf(() =>
      expect(scene.agent).not.toWaitForAuthorization(deploy, {
        approve: () => new Promise(() => {}),
        waitMs: 100,
      }),
    )

    expect(failure).toMatch(/^\[invalid\] [\s\S]*Received: approve\(\) did not return within <n> ms\n/)
  })

  test.each([
    [
      [deploy],
      'toWaitForAuthorization(): `approve` must be a function that authorizes the task; received undefined.',
    ],
    [
      [deploy, { approve: 'yes' }],
      'toWaitForAuthorization(): `approve` must be a function that authorizes the task; received "yes".',
    ],
    [
      [deploy, { approve() {}, state: 'auth-required' }],
      'toWaitForAuthorization(): `state` must be "completed", "input-required", "failed", "canceled" or "rejected"',
    ],
    [
      [deploy, { approve() {}, aprove() {} }],
      'toWaitForAuthorization(): there is no option `aprove`. Did you mean `approve`?',
    ],
  ])('misuse: %j', async (args, message) => {
    const call = misuse(expect('http://127.0.0.1:9').not, 'toWaitForAuthorization')
    expect(await failureOf(() => call(...args))).toContain(message)
  })
})
