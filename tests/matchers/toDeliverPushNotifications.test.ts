import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { faults, startAgentFrom, startSlowAgent, type Json } from '../../src/testing/index.ts'
import { errorOf, methodOf } from '../faultyAgents/methods.ts'
import { freePort } from '../support/freePort.ts'
import { failureOf, misuse } from './support.ts'
import { finding, methodsOf, pushingAgent } from './taskAgents.ts'

const card = { capabilities: { streaming: true, pushNotifications: true } }
const proof = { token: 'tok-4711-secret', authentication: { scheme: 'Bearer', credentials: 'cb-key-0815' } }
const healthy = (options: object = {}) => startAgentFrom({ respond: finding, card, ...options })

/** The push config sent with the message. */
function configOf({ requests }: { requests: readonly { body: string }[] }): Json | undefined {
  const { configuration = {} } = requests
    .map(({ body }) => (body === '' ? {} : ((JSON.parse(body) as { params?: Json }).params ?? {})))
    .find(({ configuration }) => configuration !== undefined) as { configuration?: Json }
  return (configuration['taskPushNotificationConfig'] ?? configuration['pushNotificationConfig']) as Json
}

describe('passes', () => {
  test.each(['0.3', '1.0'] as const)('for what an agent of %s posts, with one message', async (dialect) => {
    await using helpdesk = await healthy({ dialect })

    await expect(helpdesk.url).toDeliverPushNotifications('Where?', proof)

    expect(methodsOf(helpdesk).filter((name) => /send/i.test(name))).toHaveLength(1)
    expect(configOf(helpdesk)).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/a2a-push\/[\da-f-]{36}$/),
      token: proof.token,
      authentication:
        dialect === '1.0' ? proof.authentication : { schemes: ['Bearer'], credentials: 'cb-key-0815' },
    })
  })

  test.each(['0.3', '1.0'] as const)('for a receiver that is registered later, in %s', async (dialect) => {
    await using helpdesk = await startSlowAgent({ respond: finding, dialect, card })
    const create = dialect === '1.0' ? 'CreateTaskPushNotificationConfig' : 'tasks/pushNotificationConfig/set'
    const checked = expect(helpdesk.url).toDeliverPushNotifications('Where?', {
      ...proof,
      register: 'create',
    })
    const created = (): boolean => helpdesk.requests.some(({ body }) => body.includes(create))
    while (!created()) await new Promise((resolve) => setImmediate(resolve))
    helpdesk.finish()

    await checked
  })

  test('over HTTP+JSON', async () => {
    await using helpdesk = await healthy({ bindings: ['HTTP+JSON'] })

    await expect(helpdesk.url).toDeliverPushNotifications('Where?', proof)
  })

  test('for a task that asks for input: that is an end, too', async () => {
    await using helpdesk = await healthy({ respond: () => [{ state: 'input-required', text: 'Which?' }] })

    await expect(helpdesk.url).toDeliverPushNotifications('Where?')
  })

  test('for the same notification again, as a retry is', async () => {
    await using helpdesk = await healthy({ fault: faults.push((delivery) => [delivery, delivery]) })

    const failure = await failureOf(() => expect(helpdesk.url).not.toDeliverPushNotifications('Where?'))

    expect(failure).toContain('task <id> submitted (again)')
    expect(failure).not.toContain('push/')
  })

  test('at a port of ours, under a public address', async () => {
    let port = 0
    await using helpdesk = await healthy({
      // What a tunnel does.
      fetch: ((url: string, init: RequestInit) =>
        fetch(url.replace('https://tunnel.example.com/x', `http://127.0.0.1:${port}`), init)) as typeof fetch,
    })
    port = await freePort()

    await expect(helpdesk.url).toDeliverPushNotifications('Where?', {
      publicUrl: 'https://tunnel.example.com/x',
      port,
    })

    expect(configOf(helpdesk)?.['url']).toMatch(/^https:\/\/tunnel\.example\.com\/x\/a2a-push\//)
  })

  test('with force, where the card does not declare it', async () => {
    await using helpdesk = await healthy({
      fault: faults.card('capabilities.pushNotifications', undefined),
    })

    await expect(helpdesk.url).toDeliverPushNotifications('Where?', { force: true })
  })
})

describe('fails', () => {
  test('without the token and the credentials: both are named, neither is printed', async () => {
    await using helpdesk = await healthy({ dialect: '0.3', fault: faults.pushWithoutProof() })

    const failure = await failureOf(() => expect(helpdesk.url).toDeliverPushNotifications('Where?', proof))

    expect(failure).toMatch(
      /^\[failed\] expect\(agent\)\.toDeliverPushNotifications\("Where\?", \{ token: <hidden>, authentication: .*\)\n\n.*\nExpected: push notifications that are complete, in order and authenticated\nReceived: 2 notifications of task <id>, which is completed\n/,
    )
    for (const part of [
      'X-A2A-Notification-Token missing (2 of 2 notifications)   push/token',
      'authorization: expected Bearer ***, got none (2 of 2 notifications)   push/authorization',
      'Push notifications received\n  +<n> ms  application/json  task <id> working\n',
    ])
      expect(failure).toContain(part)
    for (const secret of ['tok-4711-secret', 'cb-key-0815']) expect(failure).not.toContain(secret)
  })

  test('when nothing is posted: names the limit, and what arrived instead', async () => {
    await using helpdesk = await healthy({
      fault: faults.push((delivery) => [{ ...delivery, url: new URL('/hook', delivery.url).href }]),
    })

    const failure = await failureOf(() =>
      expect(helpdesk.url).toDeliverPushNotifications('Where?', { deliveryMs: 1000 }),
    )

    expect(failure).toContain(
      'Received: no push notification within <n> ms; received instead: POST /hook   push/none\n',
    )
    expect(failure).toContain('An agent in a container cannot reach 127.0.0.1: pass `publicUrl` and `port`.')
  })

  test('for a task that does not settle', async () => {
    await using helpdesk = await startSlowAgent({ respond: finding, card })

    expect(
      await failureOf(() => expect(helpdesk.url).toDeliverPushNotifications('Where?', { waitMs: 80 })),
    ).toMatch(/^\[failed\] [^]*Received: task <id> still submitted after <n> ms {3}wire\/unsettled\n/)
  })

  test('for an agent that refuses the config, whose secrets stay hidden', async () => {
    await using helpdesk = await healthy({
      fault: errorOf('SendMessage', -32003, `No push for tok-4711-secret`),
    })

    const failure = await failureOf(() => expect(helpdesk.url).toDeliverPushNotifications('Where?', proof))

    expect(failure).toMatch(/^\[failed\] [^]*PushNotificationNotSupported/)
    for (const secret of ['tok-4711-secret', 'cb-key-0815']) expect(failure).not.toContain(secret)
  })

  test('.not for a correct delivery', async () => {
    await using helpdesk = await healthy()

    expect(await failureOf(() => expect(helpdesk.url).not.toDeliverPushNotifications('Where?'))).toMatch(
      /^\[failed\] expect\(agent\)\.not\.toDeliverPushNotifications\("Where\?"\)\n\n.*\nExpected: not push notifications that are .*\nReceived: 4 notifications of task <id>, which is completed\n/,
    )
  })

  test('.not passes where the token is missing', async () => {
    await using helpdesk = await pushingAgent()

    await expect(helpdesk.url).not.toDeliverPushNotifications('Where?', { token: 'tok-4711' })
  })
})

describe('is inconclusive', () => {
  test('if the card does not declare push notifications, negated or not; nothing is sent', async () => {
    await using helpdesk = await healthy({ card: {} })

    for (const assertion of [expect(helpdesk.url), expect(helpdesk.url).not]) {
      expect(await failureOf(() => assertion.toDeliverPushNotifications('Where?'))).toMatch(
        /^\[error\] [^]*capabilities\.pushNotifications is not declared in the agent card[^]*force: true/,
      )
    }
    expect(methodsOf(helpdesk)).toEqual([])
  })

  test('for an agent that answers with a Message', async () => {
    await using helpdesk = await startAgentFrom({ card })

    expect(await failureOf(() => expect(helpdesk.url).not.toDeliverPushNotifications('Hi'))).toMatch(
      /^\[error\] [^]*Received: a Message with the text "You said: Hi", so there is no task to notify about\n/,
    )
  })

  test('when the task has ended before its receiver could be registered', async () => {
    await using helpdesk = await healthy({ respond: () => [{ state: 'completed' }] })

    expect(
      await failureOf(() =>
        expect(helpdesk.url).not.toDeliverPushNotifications('Hi', { register: 'create' }),
      ),
    ).toMatch(/^\[error\] [^]*Received: task <id> had already finished when its receiver was registered\n/)
  })

  test('when the task ends while its receiver is being registered, and nothing comes', async () => {
    await using helpdesk = await startSlowAgent({
      respond: finding,
      card,
      fault: {
        // The agent posts its updates before the receiver is registered.
        request(request) {
          if (methodOf(request) === 'CreateTaskPushNotificationConfig') helpdesk.finish()
          return request
        },
        push: () => [],
      },
    })

    expect(
      await failureOf(() =>
        expect(helpdesk.url).not.toDeliverPushNotifications('Hi', { register: 'create', deliveryMs: 60 }),
      ),
    ).toMatch(/^\[error\] [^]*Received: task <id> had already finished when its receiver was registered\n/)
  })

  test('about deliveries after a late delete', async () => {
    await using helpdesk = await healthy()

    expect(
      await failureOf(() => expect(helpdesk.url).not.toDeliverPushNotifications('Hi', { checkDelete: true })),
    ).toMatch(
      /^\[error\] [^]*Received: the second task, <id>, had already finished when its receiver was deleted\n/,
    )
    expect(helpdesk.requests.map((request) => methodOf(request))).toContain(
      'DeleteTaskPushNotificationConfig',
    )
  })
})

describe('misuse', () => {
  test.each([
    [
      'https://agent.example.com',
      {},
      'the agent at https://agent.example.com cannot reach a receiver on 127.0.0.1.',
    ],
    ['http://192.168.1.7:4100', {}, 'Pass `publicUrl`, an address where the agent can reach this machine'],
    [
      'https://agent.example.com',
      { publicUrl: 'https://t.example.com' },
      'toDeliverPushNotifications(): `publicUrl` needs `port`, the port of this machine that it leads to.',
    ],
    [
      'https://agent.example.com',
      { publicUrl: 't.example.com', port: 1 },
      'toDeliverPushNotifications(): `publicUrl` must be an absolute http(s) URL such as "http://127.0.0.1:<port>/a2a"; received "t.example.com".',
    ],
    [
      'http://127.0.0.1:9',
      { port: 70_000 },
      'toDeliverPushNotifications(): `port` must be a number from 1 to 65535; received 70000.',
    ],
    [
      'http://127.0.0.1:9',
      { authentication: { credentials: 'x' } },
      'toDeliverPushNotifications(): `authentication.scheme` must be an HTTP authentication scheme such as "Bearer"; received undefined.',
    ],
    [
      'http://127.0.0.1:9',
      { authentication: { scheme: 'Bearer', credential: 'x' } },
      'toDeliverPushNotifications(): there is no option `authentication.credential`.',
    ],
    [
      'http://127.0.0.1:9',
      { register: 'inline' },
      'toDeliverPushNotifications(): `register` must be "message" or "create"; received "inline".',
    ],
    ['http://127.0.0.1:9', { tokens: 'x' }, 'there is no option `tokens`. Did you mean `token`?'],
  ] as const)('%s with %j', async (url, options, message) => {
    const failure = await failureOf(() =>
      misuse(expect(url).not, 'toDeliverPushNotifications')('Where?', options),
    )

    expect(failure).toMatch(/^\[error\] /)
    expect(failure).toContain(message)
  })
})
