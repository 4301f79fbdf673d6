// npm start: serves a small language model on the loopback address as OpenAI's chat completions: POST /v1/chat/completions, without
// streaming, and GET /v1/models. It is SmolLM2-135M-Instruct by HuggingFaceTB (Apache-2.0), which "npm run fetch" gets (fetch.mjs),
// run by node-llama-cpp (MIT). Its answers are useless, but it is a real model with real delays, lengths and mistakes.
//
// Switches in the path before /v1, separated by commas, take abilities away:
//   no-json_schema, no-json_object, no-temperature   refuses that with a 400
//   key                                              requires the key "let-me-in", else 401
//   slow                                             waits 100 ms after each token
// So the base URL of a server that only writes text is http://127.0.0.1:<port>/no-json_schema,no-json_object/v1
//
// PORT: default any free port. Each line of the output is a JSON object: ready, asked, writing, ended, canceled.
import { createServer } from 'node:http'
import { loadGenerator } from './generator.mjs'
import { modelFault, modelName, modelPath } from './modelFile.mjs'

class Refusal extends Error {
  constructor(status, message, details = {}) {
    super(message)
    this.status = status
    this.details = details
  }
}

const switches = ['no-json_schema', 'no-json_object', 'no-temperature', 'key', 'slow']
const fault = modelFault()
if (fault !== undefined) {
  console.error(fault)
  process.exit(1)
}
const loading = performance.now()
const generator = await loadGenerator(modelPath)
const loadMs = Math.round(performance.now() - loading)
let [requests, open] = [0, 0]

const server = createServer((request, response) => {
  void answer(request, response)
})
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  print({ event: 'ready', url: `http://127.0.0.1:${server.address().port}`, model: modelName, loadMs })
})
process.on('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
  void generator.dispose().then(() => process.exit(0))
})

async function answer(request, response) {
  try {
    const [, before = '', rest] = /^(?:\/([^/]+))?\/v1(\/[a-z/]+)$/.exec(request.url) ?? []
    const on = new Set(before.split(',').filter(Boolean))
    const unknown = [...on].find((name) => !switches.includes(name))
    if (unknown !== undefined) throw new Refusal(404, `Unknown switch "${unknown}".`)
    if (on.has('key') && request.headers.authorization !== 'Bearer let-me-in') {
      throw new Refusal(401, 'Incorrect API key provided.', { code: 'invalid_api_key' })
    }
    if (request.method === 'GET' && rest === '/models') {
      const model = { id: modelName, object: 'model', created: 0, owned_by: 'HuggingFaceTB' }
      return send(response, 200, { object: 'list', data: [model] })
    }
    if (request.method !== 'POST' || rest !== '/chat/completions') {
      throw new Refusal(404, `Unknown endpoint: ${request.method} ${request.url}.`)
    }
    send(response, 200, await complete(await read(request), on, response))
  } catch (error) {
    if (response.destroyed) return
    const { status = 500, message, details } = error
    const type = status < 500 ? 'invalid_request_error' : 'server_error'
    send(response, status, { error: { message, type, param: null, code: null, ...details } })
  }
}

async function complete(asked, on, response) {
  const request = ++requests
  const format = asked.response_format?.type ?? 'text'
  const at = performance.now()
  const about = { request, format, temperature: asked.temperature, switches: [...on] }
  print({ event: 'asked', ...about, open: ++open })
  const end = (how) => print({ event: 'ended', ...about, ms: Math.round(performance.now() - at), ...how })
  const gone = new AbortController()
  response.on('close', () => gone.abort(new Error('The client has disconnected.')))
  try {
    const result = await generator.generate({
      messages: readMessages(asked, on),
      grammar: await grammarOf(asked.response_format, on),
      temperature: asked.temperature ?? 1,
      seed: asked.seed ?? 0,
      maxTokens: asked.max_completion_tokens ?? asked.max_tokens,
      pauseMs: on.has('slow') ? 100 : 0,
      onStart: () => print({ event: 'writing', ...about }),
      signal: gone.signal,
    })
    const { text, finish, promptTokens, outputTokens } = result
    if (text === undefined) {
      throw new Refusal(
        400,
        `This model's maximum context length is ${result.contextSize} tokens. However, your messages resulted in ${promptTokens} tokens.`,
        { param: 'messages', code: 'context_length_exceeded' },
      )
    }
    const usage = {
      prompt_tokens: promptTokens,
      completion_tokens: outputTokens,
      total_tokens: promptTokens + outputTokens,
    }
    end({ status: 200, finish, ...usage })
    return {
      id: `chatcmpl-${request}`,
      object: 'chat.completion',
      created: Math.floor(Date.now() / 1000),
      model: modelName,
      choices: [
        { index: 0, message: { role: 'assistant', content: text, refusal: null }, finish_reason: finish },
      ],
      usage,
    }
  } catch (error) {
    end(gone.signal.aborted ? { event: 'canceled' } : { status: error.status ?? 500, message: error.message })
    throw error
  } finally {
    open--
  }
}

function readMessages({ model, messages, stream, temperature }, on) {
  if (model !== modelName) {
    throw new Refusal(404, `The model \`${model}\` does not exist.`, { code: 'model_not_found' })
  }
  if (stream === true) throw new Refusal(400, 'stream is not supported', { param: 'stream' })
  if (on.has('no-temperature') && temperature !== undefined) {
    throw new Refusal(400, "Unsupported parameter: 'temperature' is not supported with this model.", {
      param: 'temperature',
      code: 'unsupported_parameter',
    })
  }
  const valid =
    Array.isArray(messages) &&
    messages.length > 0 &&
    messages.every(({ content }) => typeof content === 'string')
  if (!valid) throw new Refusal(400, 'messages must be a list of texts', { param: 'messages' })
  return messages
}

async function grammarOf(format, on) {
  const { type = 'text' } = format ?? {}
  if (type === 'text') return undefined
  if (on.has(`no-${type}`) || !['json_schema', 'json_object'].includes(type)) {
    throw new Refusal(400, `response_format ${type} is not supported`, { param: 'response_format' })
  }
  if (type === 'json_object') return generator.grammar()
  try {
    return await generator.grammar(format.json_schema.schema)
  } catch (error) {
    throw new Refusal(400, `Invalid schema for response_format: ${error.message}`, {
      param: 'response_format',
    })
  }
}

async function read(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'The body is not JSON.')
  }
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function print(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}
