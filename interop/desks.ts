import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { startAgent, type AgentOptions, type StartedAgent } from '../src/index.ts'
import { testAccess } from '../tests/interop/access.ts'
import { expectInterop } from '../tests/interop/judged.ts'
import { testOperations, type Course, type Deviations } from '../tests/interop/operations.ts'

type Binding = NonNullable<AgentOptions['binding']>

/** A lending desk in another language. */
export interface ForeignDesk {
  command: [file: string, ...args: string[]]
  cwd: string
  /** Version of A2A that it speaks. */
  version: '0.3' | '1.0'
  /** Default: both. */
  bindings?: readonly Binding[]
  /** What is not "passed, and nothing found", over a binding. */
  deviations?: (binding: Binding) => Deviations
  /** The same of the extended card. */
  extendedCard?: (binding: Binding) => Course
  /** Every warning about its reply to the smoke message. */
  replyWarnings?: string[]
}

/** Where `scripts/interop.mjs` puts what it installs and builds for a folder here. */
export const installed: string = fileURLToPath(new URL('../node_modules/.cache/interop/', import.meta.url))

/** Every test of a desk: its card, its reply, each operation, and access to it once it is guarded. */
export function testDesk(name: string, desk: ForeignDesk): void {
  const {
    version,
    bindings = ['JSONRPC', 'HTTP+JSON'],
    deviations = () => ({}),
    extendedCard,
    replyWarnings = [],
  } = desk

  describe.each(bindings)(`${name} over %s`, (binding) => {
    const url = started(desk, 'no')

    test('card, smoke, reply', async () => {
      await expectInterop(
        url(),
        { binding },
        {
          card: version,
          dialect: version,
          kind: 'task',
          reply: 'The book is due on Friday.',
          cardWarnings: [],
          replyWarnings,
        },
      )
    })
    testOperations(url, { binding }, deviations(binding))
  })

  describe.each(bindings)(`${name}, guarded, over %s`, (binding) => {
    testAccess(started(desk, 'yes'), { binding }, { extendedCard: extendedCard?.(binding) })
  })
}

function started({ command, cwd }: ForeignDesk, guarded: 'yes' | 'no'): () => string {
  let agent: StartedAgent
  beforeAll(async () => {
    agent = await startAgent({ command, cwd, env: { GUARDED: guarded, PYTHONDONTWRITEBYTECODE: '1' } })
  })
  afterAll(() => agent?.stop())
  return () => agent.url
}
