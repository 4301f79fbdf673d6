import { afterAll, beforeAll, expect, test } from 'vitest'
import { a2aAgent, startAgent, type AgentOptions, type StartedAgent } from '../../src/index.ts'
import { expectInterop } from '../../tests/interop/expectInterop.ts'

let agent: StartedAgent
beforeAll(async () => {
  agent = await startAgent({ command: ['node', 'agent.mjs'], cwd: import.meta.dirname })
})
afterAll(() => agent?.stop())

const bindings: NonNullable<AgentOptions['binding']>[] = ['JSONRPC', 'HTTP+JSON']

test.each(bindings)('Google ADK 2.0.0, an agent with a tool, over %s', async (binding) => {
  await expectInterop(
    agent.url,
    { binding },
    {
      card: '0.3',
      dialect: '0.3',
      kind: 'task',
      reply: /^The book is due on Friday\.$/,
      cardWarnings: ['card/media-types defaultInputModes', 'card/media-types defaultOutputModes'],
      replyWarnings: [],
    },
  )
})

test('Google ADK 2.0.0 lists its tool as a skill', async () => {
  await expect(agent).toAdvertiseSkill('library-due_date')
})

test.each(bindings)(
  'Google ADK 2.0.0 sends what its tool was asked and answered as data, over %s',
  async (binding) => {
    await using handle = a2aAgent(agent.url, { binding })
    const reply = await handle.send('Is my book due?')
    expect(reply.data).toEqual([
      { id: 'call-1', name: 'due_date', args: { title: 'Momo' } },
      { id: 'call-1', name: 'due_date', response: { day: 'Friday' } },
    ])
  },
)
