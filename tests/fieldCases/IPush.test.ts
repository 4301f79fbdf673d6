import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { faults, startAgentFrom, type DemoAgent, type Fault, type Json } from '../../src/testing/index.ts'
import { failureOf } from '../matchers/support.ts'
import { fixture } from './scene.ts'

describe('I06 a push callback without its token or credentials', () => {
  interface Scene {
    pushConfig: { token: string; authentication: { schemes: string[]; credentials: string } }
    callback: { receivedHeaders: Record<string, string>; receivedJson: Json }[]
  }
  const { pushConfig, callback } = fixture('I06') as unknown as Scene
  const [posted] = callback as [Scene['callback'][number]]
  const { token, authentication: asked } = pushConfig
  const authentication = { scheme: asked.schemes[0]!, credentials: asked.credentials }

  /** An agent that completes task t1 in context c1, and posts what the case says at its end. */
  const play = (change: Partial<typeof posted> = {}, dialect: '0.3' | '1.0' = '0.3'): Promise<DemoAgent> => {
    const { receivedHeaders, receivedJson } = { ...posted, ...change }
    const fault: Fault = faults.push((delivery) =>
      /completed/i.test(JSON.stringify(delivery.body))
        ? [{ ...delivery, headers: receivedHeaders, body: receivedJson }]
        : [],
    )
    let made = 0
    const ids = (): string => ['t1', 'c1'][made++] ?? `m${made}`
    const respond = () => [{ state: 'completed' as const }]
    return startAgentFrom({
      dialect,
      ids,
      respond,
      card: { capabilities: { pushNotifications: true } },
      fault,
    })
  }
  const missing = [
    'X-A2A-Notification-Token missing (1 of 1 notification)',
    'authorization: expected Bearer ***, got none (1 of 1 notification)',
  ]
  const contentType = 'content-type: expected application/json, got "application/octet-stream"'
  const right = {
    'content-type': 'application/json',
    'x-a2a-notification-token': token,
    authorization: `Bearer ${asked.credentials}`,
  }

  test('fails for both, warns of the content type, and prints neither', async () => {
    await using agent = await play()

    const failure = await failureOf(() =>
      expect(agent.url).toDeliverPushNotifications('Hello', { token, authentication }),
    )

    expect(failure).toMatch(/^\[failed\] /)
    for (const part of [...missing, `! headers.content-type  ${contentType}`]) expect(failure).toContain(part)
    for (const secret of [token, asked.credentials]) expect(failure).not.toContain(secret)
  })

  test.each([
    ['Bearer', 'cb-other'],
    ['Basic', 'cb-secret'],
  ])('fails for %s %s, which are other credentials', async (scheme, credentials) => {
    await using agent = await play({
      receivedHeaders: { ...right, authorization: `${scheme} ${credentials}` },
    })

    const failure = await failureOf(() =>
      expect(agent.url).toDeliverPushNotifications('Hello', { token, authentication }),
    )

    expect(failure).toContain('authorization: expected Bearer ***, got ')
    expect(failure).not.toContain('cb-other')
  })

  test('passes with both', async () => {
    await using agent = await play({ receivedHeaders: right })

    await expect(agent.url).toDeliverPushNotifications('Hello', { token, authentication })
  })

  test('in 1.0 the credentials are required, the token is not', async () => {
    const { authorization } = right
    const receivedJson = {
      statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } },
    }
    await using without = await play({ receivedJson }, '1.0')
    const receivedHeaders = { 'content-type': 'application/a2a+json', authorization }
    await using proven = await play({ receivedJson, receivedHeaders }, '1.0')

    const failure = await failureOf(() =>
      expect(without.url).toDeliverPushNotifications('Hello', { token, authentication }),
    )

    expect(failure).toContain(missing[1])
    expect(failure).not.toContain('X-A2A-Notification-Token missing')
    await expect(proven.url).toDeliverPushNotifications('Hello', { token, authentication })
  })

  test('in 1.0 the bare task of 0.3 is only a warning', async () => {
    await using agent = await play({ receivedHeaders: right }, '1.0')

    const failure = await failureOf(() =>
      expect(agent.url).not.toDeliverPushNotifications('Hello', { token, authentication }),
    )

    expect(failure).toContain('! the notification is a bare object as in 0.3')
  })

  test('says how long it waited if nothing is posted', async () => {
    await using silent = await startAgentFrom({
      dialect: '0.3',
      respond: () => [{ state: 'completed' as const }],
      card: { capabilities: { pushNotifications: true } },
      fault: faults.push(() => []),
    })

    const failure = await failureOf(() =>
      expect(silent.url).toDeliverPushNotifications('Hello', { deliveryMs: 100 }),
    )

    expect(failure).toContain('Received: no push notification within <n> ms   push/none\n')
  })
})
