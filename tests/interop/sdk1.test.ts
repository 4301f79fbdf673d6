import { afterAll, describe, expect, test, vi } from 'vitest'
import { a2aAgent, type AgentOptions } from '../../src/index.ts'
import { expectInterop } from './expectInterop.ts'
import { openSdk } from './readme.ts'
import { answer, startSdk1 } from './sdk1.ts'

const bindings: NonNullable<AgentOptions['binding']>[] = ['JSONRPC', 'HTTP+JSON']
const kinds = ['task', 'message'] as const

const modes = [
  'defaultInputModes',
  'defaultOutputModes',
  'skills[0].inputModes',
  'skills[0].outputModes',
].map((path) => `card/media-types ${path}`)

test('the SDK is 1.3.0', () => {
  expect(openSdk(import.meta.resolve('a2a-sdk-1')).version).toBe('1.3.0')
})

describe.each(kinds)('SDK 1.3.0, a %s', async (kind) => {
  const { url, close } = await startSdk1({ answers: kind })
  afterAll(close)

  test.each(bindings)('over %s', async (binding) => {
    await expectInterop(
      url,
      { binding },
      { card: '1.0', dialect: '1.0', kind, reply: answer, cardWarnings: modes, replyWarnings: [] },
    )
  })
})

test('SDK 1.3.0 without its compatibility layer tells a 0.3 client which version it speaks', async () => {
  const quiet = vi.spyOn(console, 'error').mockReturnValue()
  const { url, close } = await startSdk1({ answers: 'message' })
  try {
    await using agent = a2aAgent(url, { version: '0.3', binding: 'JSONRPC' })
    await expect(agent.send('Is my book due?')).rejects.toThrow(
      /^message\/send was answered with error -32009 \(VersionNotSupported\): "The requested A2A protocol version '0\.3' is not supported\. Supported versions: 1\.0"/,
    )
  } finally {
    await close()
    quiet.mockRestore()
  }
})

describe.each(kinds)('SDK 1.3.0 with its 0.3 compatibility layer, a %s', async (kind) => {
  const { url, close } = await startSdk1({ answers: kind, legacyCompat: true })
  afterAll(close)

  test.each(bindings)('to a client that speaks 1.0, over %s', async (binding) => {
    await expectInterop(
      url,
      { binding },
      { card: '1.0', dialect: '1.0', kind, reply: answer, cardWarnings: modes, replyWarnings: [] },
    )
  })

  test.each(bindings)('to a client that speaks 0.3, over %s', async (binding) => {
    await expectInterop(
      url,
      { version: '0.3', binding },
      {
        card: '0.3',
        dialect: '0.3',
        kind,
        reply: answer,
        cardWarnings: ['card/main-interface-listed additionalInterfaces', ...modes],
        replyWarnings: [],
      },
    )
  })
})
