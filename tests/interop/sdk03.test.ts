import { afterAll, describe, expect, test } from 'vitest'
import type { AgentOptions } from '../../src/index.ts'
import { expectInterop } from './expectInterop.ts'
import { blockWith, openSdk, runSample } from './readme.ts'

const sdk = openSdk(import.meta.resolve('a2a-sdk-0.3'))

/** gRPC is neither installed nor spoken here: the sample's second server never opens. */
const noGrpc = {
  '@grpc/grpc-js': {
    Server: class {
      addService(): void {}
      bindAsync(): void {}
    },
    ServerCredentials: { createInsecure: () => ({}) },
  },
  '@a2a-js/sdk/server/grpc': { A2AService: {}, grpcService: () => ({}) },
}

const quickstart = blockWith(sdk, 'class HelloExecutor')

/** The quickstart with another executor of the README in its place, as that one's "other imports from the quickstart" asks. */
function quickstartWith(executor: string): string {
  const block = executor === 'HelloExecutor' ? '' : blockWith(sdk, `class ${executor} `)
  return `${block}\n${quickstart.replace('new HelloExecutor()', `new ${executor}()`)}`
}

const samples = [
  { executor: 'HelloExecutor', kind: 'message', reply: /^Hello, world!$/ },
  { executor: 'TaskExecutor', kind: 'task', reply: /^This is the analysis for task [\w-]{36}\.$/ },
  { executor: 'StreamingExecutor', kind: 'task', reply: /^First result\.$/ },
] as const

const bindings: NonNullable<AgentOptions['binding']>[] = ['JSONRPC', 'HTTP+JSON']

test('the SDK is 0.3.14', () => {
  expect(sdk.version).toBe('0.3.14')
})

describe.each(samples)('SDK 0.3.14, $executor of its README', async ({ executor, kind, reply }) => {
  const sample = await runSample(sdk, quickstartWith(executor), { ports: [4000], stubs: noGrpc })
  afterAll(() => sample.close())

  test.concurrent.each(bindings)('over %s', async (binding) => {
    await expectInterop(
      sample.url,
      { binding },
      {
        card: '0.3',
        dialect: '0.3',
        kind,
        reply,
        cardWarnings: ['card/media-types defaultInputModes', 'card/media-types defaultOutputModes'],
        replyWarnings: [],
      },
    )
  })
})
