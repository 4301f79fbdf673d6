import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectInterop } from './expectInterop.ts'
import { blockWith, openSdk, runSample, type RunningSample } from './readme.ts'

const sdk = openSdk(import.meta.resolve('a2a-sdk-0.2'))

// The README leaves these three names open.
const card = `
import express from 'express'
import { v4 as uuidv4 } from 'uuid'
${blockWith(sdk, 'const movieAgentCard')}
const coderAgentCard = movieAgentCard
`

let sample: RunningSample
beforeAll(async () => {
  const code = [card, blockWith(sdk, 'class MyAgentExecutor'), blockWith(sdk, 'new A2AExpressApp')].join('\n')
  // Two ports: the README's card names another one than its server listens on.
  sample = await runSample(sdk, code, { ports: [41241, 41242] })
})
afterAll(() => sample.close())

test('SDK 0.2.5, the sample of its README, over JSON-RPC', async () => {
  expect(sdk.version).toBe('0.2.5')
  await expectInterop(
    sample.url,
    {},
    {
      card: '0.2',
      dialect: '0.3',
      kind: 'task',
      reply: /^Task [\w-]{36} completed\.$/,
      cardWarnings: ['card/legacy-path', 'card/protocol-version protocolVersion'],
      replyWarnings: ['wire/no-parts result.status.message'],
    },
  )
})
