import { expect, test } from 'vitest'
import { a2aAgent } from '../../src/index.ts'
import { startFixture } from '../support/fixtureServer.ts'

const card = {
  name: 'Echo Desk',
  description: 'Repeats what it hears',
  url: 'http://127.0.0.1:4100/rpc',
  version: '1.0.0',
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [{ id: 'echo', name: 'Echo', description: 'Echo text', tags: ['demo'] }],
}

// Up to 0.2.5 `acceptedOutputModes` is a required member of the configuration, and strict servers refuse the message without it.
test.each([
  [undefined, ['text/plain', 'application/json']],
  ['0.2.0', ['text/plain', 'application/json']],
  ['0.2.5', ['text/plain', 'application/json']],
  ['0.2.6', undefined],
  ['0.3.0', undefined],
])('a card that says protocolVersion %o is sent acceptedOutputModes %o', async (protocolVersion, modes) => {
  await using helpdesk = await startFixture({
    exchange: [
      {
        on: 'GET /.well-known/agent-card.json',
        status: 200,
        json: { ...card, ...(protocolVersion && { protocolVersion }) },
      },
      {
        on: 'POST /rpc',
        rpc: 'message/send',
        status: 200,
        json: {
          jsonrpc: '2.0',
          id: '$id',
          result: { kind: 'message', messageId: 'm2', role: 'agent', parts: [{ kind: 'text', text: 'hi' }] },
        },
      },
    ],
  })
  await using agent = a2aAgent(helpdesk.url)
  expect((await agent.send('ping')).text).toBe('hi')
  const sent = JSON.parse(String(agent.exchanges.at(-1)?.requestBody))
  expect(sent.params.configuration).toEqual({
    ...(modes && { acceptedOutputModes: modes }),
    blocking: true,
  })
})
