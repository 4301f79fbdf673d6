import { BaseLlm, FunctionTool, LlmAgent } from '@google/adk'
import { toA2a } from '@google/adk/a2a'
import { z } from 'zod'

/** Stands in for a language model: calls the tool, and then tells its result in three pieces. */
class ScriptedModel extends BaseLlm {
  constructor() {
    super({ model: 'scripted' })
  }

  async *generateContentAsync({ contents }) {
    const result = contents.at(-1)?.parts?.find((part) => part.functionResponse)?.functionResponse
    if (result === undefined) {
      yield says({ functionCall: { id: 'call-1', name: 'due_date', args: { title: 'Momo' } } })
      return
    }
    const pieces = ['The book is due ', 'on ', `${result.response.day}.`]
    for (const text of pieces) yield { ...says({ text }), partial: true }
    yield says({ text: pieces.join('') })
  }

  connect() {
    throw new Error('This model has no live connection.')
  }
}

function says(part) {
  return { content: { role: 'model', parts: [part] } }
}

const dueDate = new FunctionTool({
  name: 'due_date',
  description: 'Looks up when a book must be back.',
  parameters: z.object({ title: z.string() }),
  execute: () => ({ day: 'Friday' }),
})

const agent = new LlmAgent({
  name: 'library',
  description: 'Tells when a book is due.',
  instruction: 'You look up when a book must be back.',
  model: new ScriptedModel(),
  tools: [dueDate],
})

const host = '127.0.0.1'
const port = Number(process.env.PORT)
// Without this the kit refuses to serve; it listens on the loopback address alone.
const app = await toA2a(agent, { host, port, allowUnauthenticated: true })
app.listen(port, host)
