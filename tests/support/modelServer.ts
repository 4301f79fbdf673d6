import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One answer of the fake model server. A string is the text of a completion. */
export type ModelReply = string | ModelReplyParts

export interface ModelReplyParts {
  /** Default 200; with `error`, 400. */
  status?: number
  headers?: Record<string, string>
  /** The text of the completion. */
  text?: string
  /** Written as JSON into the text of the completion. */
  data?: unknown
  refusal?: string
  /** Default `stop`. */
  finish?: string
  /** Default 10 in, 5 out; null leaves it out. */
  usage?: { in: number; out: number } | null
  /** An error in OpenAI's form. */
  error?: { message: string; code?: string | null; param?: string | null; type?: string }
  /** Instead of all that: this body, as JSON unless it is a string. */
  body?: unknown
  /** `before`: no answer; `within`: half of the body, then nothing; `cut`: the connection is closed. */
  stop?: 'before' | 'within' | 'cut'
}

/** A request that the server received. */
export interface SeenRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: ChatBody
}

/** The parts of a chat completion request that tests read. */
export interface ChatBody extends Record<string, unknown> {
  model: string
  messages: { role: string; content: string }[]
  response_format?: { type: string; json_schema?: { name: string; strict?: boolean; schema: unknown } }
}

/** A server at 127.0.0.1 that answers like an OpenAI-compatible endpoint. */
export interface ModelServer extends AsyncDisposable {
  /** For the option `baseURL`: ends with `/v1`. */
  baseURL: string
  origin: string
  /** Oldest first. */
  requests: SeenRequest[]
  /** Resolves as soon as that number of requests has arrived. */
  seen(count: number): Promise<void>
  close(): Promise<void>
}

/**
 * Starts the server. The replies of a list are used in order, and after its end the answer is a 500; a function makes each reply from
 * the request and its number, from 0.
 */
export async function startModelServer(
  replies: readonly ModelReply[] | ((request: SeenRequest, index: number) => ModelReply),
): Promise<ModelServer> {
  const requests: SeenRequest[] = []
  const waiting: { count: number; resolve: () => void }[] = []

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const request: SeenRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: (text === '' ? {} : JSON.parse(text)) as ChatBody,
    }
    const index = requests.push(request) - 1
    for (const each of waiting) if (requests.length >= each.count) each.resolve()
    const reply = typeof replies === 'function' ? replies(request, index) : replies[index]
    send(
      reply ?? { status: 500, error: { message: `no reply is scripted for request ${index + 1}` } },
      request,
      response,
    )
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })
  // A client whose idle connection keeps its process alive must be noticed.
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    baseURL: `${origin}/v1`,
    origin,
    requests,
    seen: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function send(reply: ModelReply, request: SeenRequest, response: ServerResponse): void {
  const parts = typeof reply === 'string' ? { text: reply } : reply
  if (parts.stop === 'before') return
  if (parts.stop === 'cut') {
    response.destroy()
    return
  }
  const body = parts.body ?? (parts.error === undefined ? completion(parts, request) : { error: parts.error })
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  response.writeHead(parts.status ?? (parts.error === undefined ? 200 : 400), {
    'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
    'content-length': String(bytes.length),
    ...parts.headers,
  })
  if (parts.stop === 'within') response.write(bytes.subarray(0, bytes.length >> 1))
  else response.end(bytes)
}

/** A chat completion as the API returns it. */
function completion(parts: ModelReplyParts, request: SeenRequest): Record<string, unknown> {
  const { refusal, data, finish = 'stop', usage = { in: 10, out: 5 } } = parts
  const content =
    data === undefined ? (parts.text ?? (refusal === undefined ? '' : null)) : JSON.stringify(data)
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: request.body.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: refusal ?? null },
        logprobs: null,
        finish_reason: finish,
      },
    ],
    ...(usage !== null && {
      usage: {
        prompt_tokens: usage.in,
        completion_tokens: usage.out,
        total_tokens: usage.in + usage.out,
      },
    }),
  }
}
