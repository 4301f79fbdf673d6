import { afterAll, describe, vi } from 'vitest'
import type { AgentOptions } from '../../src/index.ts'
import { testAccess } from './access.ts'
import { startDesk03 } from './desk03.ts'
import { testOperations, type Course, type Deviations } from './operations.ts'

// The SDK tells each push notification, and each error that it answers.
for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockReturnValue()

const bindings: NonNullable<AgentOptions['binding']>[] = ['JSONRPC', 'HTTP+JSON']

/** Its push sender shows the token alone. */
const unauthenticated: Course = {
  fails: /authorization: expected Bearer \*\*\*, got none \(6 of 6 notifications\)/,
  findings: ['error push/authorization'],
}

const deviations: Deviations = {
  toListTasks: {
    fails: /\[error\].*\n.*\n.*\nError: the agent speaks A2A 0\.3 over .*ListTasks came with A2A 1\.0/,
  },
  'toDeliverPushNotifications, authentication': unauthenticated,
  'toDeliverPushNotifications, token and authentication': { findings: ['warning push/authorization'] },
}

/** What `userBuilder` tells of the user keeps nobody out, and strangers get the public card as the extended one. */
const open = {
  authentication: {
    fails:
      /the card requires "key", but (tasks\/get|GET \/v1\/tasks\/\{id\}) without credentials was answered with .*Task not found/,
    findings: ['error auth/not-enforced'],
  },
  extendedCard: {
    fails:
      /but (agent\/getAuthenticatedExtendedCard|GET \/v1\/card) without credentials was answered with HTTP 200/,
    findings: ['error auth/not-enforced'],
  },
}

describe('the operations of SDK 0.3.14', async () => {
  const desk = await startDesk03()
  afterAll(() => desk.close())

  describe.each(bindings)('over %s', (binding) => {
    testOperations(() => desk.url, { binding }, deviations)
  })
})

describe.each(['middleware', 'user-builder'] as const)(
  'access to SDK 0.3.14 guarded by %s',
  async (guarding) => {
    const desk = await startDesk03(guarding)
    afterAll(() => desk.close())

    describe.each(bindings)('over %s', (binding) => {
      testAccess(() => desk.url, { binding }, guarding === 'middleware' ? {} : open)
    })
  },
)
