import { generateKeyPairSync } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAgent, type A2AAgent, type AgentOptions, type StartedAgent } from '../src/index.ts'
import { testAccess } from '../tests/interop/access.ts'
import { testFurther, type FurtherDeviations } from '../tests/interop/further.ts'
import { expectInterop } from '../tests/interop/expectInterop.ts'
import {
  testMatchers,
  testOperations,
  type ExpectedOutcome,
  type Deviations,
} from '../tests/interop/operations.ts'

type Binding = NonNullable<AgentOptions['binding']>

/** A library agent in another language. */
export interface LibraryAgentIn {
  command: [file: string, ...args: string[]]
  cwd: string
  /** Version of A2A that it speaks. */
  version: '0.3' | '1.0'
  /** Default: both. */
  bindings?: readonly Binding[]
  /** Outcomes that are not "passed without findings", by binding. */
  deviations?: (binding: Binding) => Deviations
  /** The same for the other matchers. */
  further?: (binding: Binding) => FurtherDeviations
  /** The same with everything that an app can add around the SDK's handlers. */
  furnished?: FurnishedDeviations
  /** The same for the extended card. */
  extendedCard?: (binding: Binding) => ExpectedOutcome
  /** Every warning about its reply to the smoke message. */
  replyWarnings?: string[]
}

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
const signing = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** What no SDK does on its own, in an app that adds it with the means of the framework and the SDK. */
const furnishings = {
  toAllowCors: (agent) => expect(agent).toAllowCors({ methods: ['GET', 'POST'] }),
  toAnswerCardAtEndpoint: (agent) => expect(agent).toAnswerCardAtEndpoint(),
  toHaveSignedAgentCard: async (agent) => {
    await expect(agent).not.toHaveSignedAgentCard({ keys: other })
    await expect(agent).toHaveSignedAgentCard({ keys: publicKey })
  },
} satisfies Record<string, (agent: A2AAgent) => Promise<void>>

type FurnishedDeviations = Partial<Record<keyof typeof furnishings, ExpectedOutcome>>

/** Where `scripts/interop.mjs` puts what it installs and builds for a folder here. */
export const installed: string = fileURLToPath(new URL('../node_modules/.cache/interop/', import.meta.url))

/** All tests of one agent: its card, its reply, each matcher, and access control when it is guarded. */
export function testLibraryAgent(name: string, agent: LibraryAgentIn): void {
  const {
    version,
    bindings = ['JSONRPC', 'HTTP+JSON'],
    deviations = () => ({}),
    further = () => ({}),
    furnished = {},
    extendedCard,
    replyWarnings = [],
  } = agent

  describe.each(bindings)(`${name} over %s`, (binding) => {
    const url = started(agent)

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
    testFurther(url, { binding }, further(binding))
  })

  describe.each(bindings)(`${name}, guarded, over %s`, (binding) => {
    const url = started(agent, { GUARDED: 'yes' })
    testAccess(url, { binding }, { extendedCard: extendedCard?.(binding) })
  })

  describe.each(bindings)(`${name}, furnished, over %s`, (binding) => {
    const url = started(agent, { FURNISHED: 'yes', SIGNING_KEY: signing })
    testMatchers(furnishings, url, { binding }, furnished)
  })
}

function started({ command, cwd }: LibraryAgentIn, env: Record<string, string> = {}): () => string {
  let agent: StartedAgent
  beforeAll(async () => {
    agent = await startAgent({ command, cwd, env: { ...env, PYTHONDONTWRITEBYTECODE: '1' } })
  })
  afterAll(() => agent?.stop())
  return () => agent.url
}
