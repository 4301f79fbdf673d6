import { setTimeout as pause } from 'node:timers/promises'
import { getLlama, LlamaGrammarEvaluationState, LlamaLogLevel, resolveChatWrapper } from 'node-llama-cpp'

const contextSize = 8192
/** Grammars made from JSON Schemas end with it, because a model may not know when to stop. */
const end = '\n\n\n\n'

/** Loads a model: `generate()` answers one request after another, `grammar()` makes a grammar for an answer. */
export async function loadGenerator(modelPath) {
  // With a second thread it is 50 times slower if other processes use the cores: the threads wait for each other in a loop.
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    maxThreads: 1,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
  })
  const model = await llama.loadModel({ modelPath })
  const context = await model.createContext({ contextSize, threads: 1 })
  const sequence = context.getSequence()
  const wrapper = resolveChatWrapper(model)

  async function generate({ messages, grammar, temperature, seed, maxTokens, pauseMs, onStart, signal }) {
    const chatHistory = [...messages.map(chatItem), { type: 'model', response: [] }]
    const prompt = wrapper.generateContextState({ chatHistory }).contextText.tokenize(model.tokenizer)
    const room = contextSize - prompt.length
    if (room <= 0) return { promptTokens: prompt.length, contextSize }
    signal.throwIfAborted()
    await sequence.clearHistory()
    const tokens = []
    let [text, finish] = ['', 'stop']
    const repeatPenalty = { punishTokens: () => tokens.slice(-64), penalty: 1.1 }
    // The defaults of llama.cpp's server.
    const options = { temperature, seed, repeatPenalty, minP: 0.05, topK: 40, topP: 0.95 }
    if (grammar !== undefined) {
      options.grammarEvaluationState = new LlamaGrammarEvaluationState({ model, grammar })
    }
    for await (const token of sequence.evaluate(prompt, options)) {
      if (tokens.push(token) === 1) onStart()
      signal.throwIfAborted()
      if (pauseMs > 0) await pause(pauseMs, undefined, { signal })
      text = model.detokenize(tokens)
      if (grammar === undefined ? isEnough(text, tokens) : text.endsWith(end)) break
      if (tokens.length >= Math.min(maxTokens ?? Infinity, room)) {
        finish = 'length'
        break
      }
    }
    return {
      text: grammar === undefined ? text : text.trim(),
      finish,
      promptTokens: prompt.length,
      outputTokens: tokens.length,
    }
  }

  let last = Promise.resolve()
  return {
    generate(request) {
      const answer = last.then(() => generate(request))
      last = answer.catch(() => undefined)
      return answer
    },
    grammar: (schema = anyObject) => llama.createGrammarForJsonSchema(bounded(schema)),
    dispose: () => llama.dispose(),
  }
}

/** The form of an answer in JSON without a schema. */
const anyObject = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  minProperties: 1,
  maxProperties: 4,
}

/** A model this small does not stop: a text ends with the first sentence that ends after that many tokens. */
function isEnough(text, { length }) {
  return length >= 60 && /[.!?\n]$/.test(text)
}

/** A model this small repeats itself in a text or a list without an end, unless the grammar ends it. */
function bounded(schema) {
  if (Array.isArray(schema)) return schema.map(bounded)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, bounded(value)]))
  if (Array.isArray(schema.type)) return { oneOf: schema.type.map((type) => bounded({ ...schema, type })) }
  if (schema.type === 'array') return { maxItems: 2, ...parts }
  return schema.type === 'string' && schema.enum === undefined ? { maxLength: 120, ...parts } : parts
}

function chatItem({ role, content }) {
  if (role === 'assistant') return { type: 'model', response: [content] }
  return { type: role === 'user' ? 'user' : 'system', text: content }
}
