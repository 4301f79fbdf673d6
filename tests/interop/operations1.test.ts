import { afterAll, describe, vi } from 'vitest'
import type { AgentOptions } from '../../src/index.ts'
import { testAccess } from './access.ts'
import { startLibraryAgent1 } from './libraryAgent1.ts'
import { testOperations, type Deviations } from './operations.ts'

// The SDK logs each push notification, and each error that it returns.
for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockReturnValue()

const bindings: NonNullable<AgentOptions['binding']>[] = ['JSONRPC', 'HTTP+JSON']

const deviations: Deviations = {}

/** `userBuilder` alone rejects nobody, and anonymous callers get the public card as the extended card. */
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
  const library = await startLibraryAgent1()
  afterAll(() => library.close())

  describe.each(bindings)('over %s', (binding) => {
    testOperations(() => library.url, { binding }, deviations)
  })
})

describe.each(['middleware', 'user-builder'] as const)(
  'access to SDK 1.3.0 guarded by %s',
  async (guarding) => {
    const library = await startLibraryAgent1(guarding)
    afterAll(() => library.close())

    describe.each(bindings)('over %s', (binding) => {
      testAccess(() => library.url, { binding }, guarding === 'middleware' ? {} : open)
    })
  },
)
