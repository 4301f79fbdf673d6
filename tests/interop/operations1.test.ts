import { afterAll, describe, vi } from 'vitest'
import type { AgentOptions } from '../../src/index.ts'
import { testAccess } from './access.ts'
import { startDesk1 } from './desk1.ts'
import { testOperations, type Deviations } from './operations.ts'

// The SDK tells each push notification, and each error that it answers.
for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockReturnValue()

const bindings: NonNullable<AgentOptions['binding']>[] = ['JSONRPC', 'HTTP+JSON']

const deviations: Deviations = {}

/** What `userBuilder` tells of the user keeps nobody out, and strangers get the public card as the extended one. */
const open = {
  authentication: {
    fails:
      /the card requires "key", but (GetTask|GET \/tasks\/\{id\}) without credentials was answered with .*Task not found/,
    findings: ['error auth/not-enforced'],
  },
  extendedCard: {
    fails:
      /but (GetExtendedAgentCard|GET \/extendedAgentCard) without credentials was answered with HTTP 200/,
    findings: ['error auth/not-enforced'],
  },
}

describe('the operations of SDK 1.3.0', async () => {
  const desk = await startDesk1()
  afterAll(() => desk.close())

  describe.each(bindings)('over %s', (binding) => {
    testOperations(() => desk.url, { binding }, deviations)
  })
})

describe.each(['middleware', 'user-builder'] as const)(
  'access to SDK 1.3.0 guarded by %s',
  async (guarding) => {
    const desk = await startDesk1(guarding)
    afterAll(() => desk.close())

    describe.each(bindings)('over %s', (binding) => {
      testAccess(() => desk.url, { binding }, guarding === 'middleware' ? {} : open)
    })
  },
)
