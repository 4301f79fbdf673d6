import { afterAll, describe, vi } from 'vitest'
import type { AgentOptions } from '../../src/index.ts'
import { testAccess } from './access.ts'
import { startLibraryAgent03 } from './libraryAgent03.ts'
import { testOperations, type ExpectedOutcome, type Deviations } from './operations.ts'

// The SDK logs each push notification, and each error that it returns.
for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockReturnValue()

const bindings: NonNullable<AgentOptions['binding']>[] = ['JSONRPC', 'HTTP+JSON']

/** Its push sender sends only the token. */
const unauthenticated: ExpectedOutcome = {
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

/** `userBuilder` alone rejects nobody, and anonymous callers get the public card as the extended card. */
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
  const library = await startLibraryAgent03()
  afterAll(() => library.close())

  describe.each(bindings)('over %s', (binding) => {
    testOperations(() => library.url, { binding }, deviations)
  })
})

describe.each(['middleware', 'user-builder'] as const)(
  'access to SDK 0.3.14 guarded by %s',
  async (guarding) => {
    const library = await startLibraryAgent03(guarding)
    afterAll(() => library.close())

    describe.each(bindings)('over %s', (binding) => {
      testAccess(() => library.url, { binding }, guarding === 'middleware' ? {} : open)
    })
  },
)
