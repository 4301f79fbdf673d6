import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAgent, type StartedAgent } from '../../src/index.ts'
import { expectInterop } from '../../tests/interop/expectInterop.ts'

let agent: StartedAgent
beforeAll(async () => {
  agent = await startAgent({
    command: ['node', 'agent.mjs'],
    cwd: import.meta.dirname,
    url: 'http://127.0.0.1:{port}/.well-known/library/agent-card.json',
  })
})
afterAll(() => agent?.stop())

test('VoltAgent 2.10.0, an agent with a tool, over JSON-RPC', async () => {
  await expectInterop(
    agent.url,
    {},
    {
      card: '0.2',
      dialect: '0.3',
      kind: 'task',
      reply: /^The book is due on Friday\.$/,
      cardWarnings: [
        'card/media-types defaultInputModes',
        'card/media-types defaultOutputModes',
        'card/protocol-version protocolVersion',
      ],
      replyWarnings: ['wire/kind-missing result'],
    },
  )
})

test('VoltAgent 2.10.0 lists its tool as a skill', async () => {
  await expect(agent).toAdvertiseSkill('due_date')
})
