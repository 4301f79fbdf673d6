import './offline.mjs'
import { A2AServer } from '@voltagent/a2a-server'
import { Agent, createTool, VoltAgent } from '@voltagent/core'
import { honoServer } from '@voltagent/server-hono'
import { MockLanguageModelV3 } from 'ai/test'
import { z } from 'zod'

/** Stands in for a language model: calls the tool, and then tells its result. */
const scripted = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const result = prompt.at(-1)?.content.find?.((part) => part.type === 'tool-result')
    if (result === undefined) {
      const call = { toolCallId: 'call-1', toolName: 'due_date', input: JSON.stringify({ title: 'Momo' }) }
      return turn({ type: 'tool-call', ...call }, 'tool-calls')
    }
    return turn({ type: 'text', text: `The book is due on ${result.output.value.day}.` }, 'stop')
  },
})

function turn(part, reason) {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  return { content: [part], finishReason: { unified: reason, raw: reason }, usage, warnings: [] }
}

const dueDate = createTool({
  name: 'due_date',
  description: 'Looks up when a book must be back.',
  parameters: z.object({ title: z.string() }),
  execute: async () => ({ day: 'Friday' }),
})

const agent = new Agent({
  name: 'library',
  purpose: 'Tells when a book is due.',
  instructions: 'You look up when a book must be back.',
  model: scripted,
  tools: [dueDate],
})

export const library = new VoltAgent({
  agents: { agent },
  // The framework finds a server by the name of the agent that it serves.
  a2aServers: { agent: new A2AServer({ id: 'library', name: 'library', version: '1.0.0' }) },
  server: honoServer({ port: Number(process.env.PORT), hostname: '127.0.0.1', enableSwaggerUI: false }),
})
