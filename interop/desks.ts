import { generateKeyPairSync } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAgent, type A2AAgent, type AgentOptions, type StartedAgent } from '../src/index.ts'
import { testAccess } from '../tests/interop/access.ts'
import { testFurther, type FurtherDeviations } from '../tests/interop/further.ts'
import { expectInterop } from '../tests/interop/judged.ts'
import { testCourses, testOperations, type Course, type Deviations } from '../tests/interop/operations.ts'

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
  /** The same of the matchers that are no operation of their own. */
  further?: (binding: Binding) => FurtherDeviations
  /** The same once the app has all that it can put around the SDK's handlers. */
  furnished?: FurnishedDeviations
  /** The same of the extended card. */
  extendedCard?: (binding: Binding) => Course
  /** Every warning about its reply to the smoke message. */
  replyWarnings?: string[]
}

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
const signing = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

/** What no SDK does by itself, of an app that does it by the framework's and the SDK's own means. */
const furnishings = {
  toAllowCors: (agent) => expect(agent).toAllowCors({ methods: ['GET', 'POST'] }),
  toAnswerCardAtEndpoint: (agent) => expect(agent).toAnswerCardAtEndpoint(),
  toHaveSignedAgentCard: async (agent) => {
    await expect(agent).not.toHaveSignedAgentCard({ keys: other })
    await expect(agent).toHaveSignedAgentCard({ keys: publicKey })
  },
} satisfies Record<string, (agent: A2AAgent) => Promise<void>>

type FurnishedDeviations = Partial<Record<keyof typeof furnishings, Course>>

/** Where `scripts/interop.mjs` puts what it installs and builds for a folder here. */
export const installed: string = fileURLToPath(new URL('../node_modules/.cache/interop/', import.meta.url))

/** Every test of a desk: its card, its reply, each matcher, and those on access once it is guarded. */
export function testDesk(name: string, desk: ForeignDesk): void {
  const {
    version,
    bindings = ['JSONRPC', 'HTTP+JSON'],
    deviations = () => ({}),
    further = () => ({}),
    furnished = {},
    extendedCard,
    replyWarnings = [],
  } = desk

  describe.each(bindings)(`${name} over %s`, (binding) => {
    const url = started(desk)

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
    const url = started(desk, { GUARDED: 'yes' })
    testAccess(url, { binding }, { extendedCard: extendedCard?.(binding) })
  })

  describe.each(bindings)(`${name}, furnished, over %s`, (binding) => {
    const url = started(desk, { FURNISHED: 'yes', SIGNING_KEY: signing })
    testCourses(furnishings, url, { binding }, furnished)
  })
}

function started({ command, cwd }: ForeignDesk, env: Record<string, string> = {}): () => string {
  let agent: StartedAgent
  beforeAll(async () => {
    agent = await startAgent({ command, cwd, env: { ...env, PYTHONDONTWRITEBYTECODE: '1' } })
  })
  afterAll(() => agent?.stop())
  return () => agent.url
}
