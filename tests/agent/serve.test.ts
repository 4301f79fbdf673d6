import { expect, onTestFinished, test } from 'vitest'
import { excerptsOf } from '../../src/agent/lifetime.ts'
import { serveAgent, type ServeOptions } from '../../src/agent/serve.ts'
import type { A2AAgent } from '../../src/agent/types.ts'
import { CARD03 } from '../support/fixture.ts'
import { runScript } from './childScript.ts'

const card = { ...CARD03, url: 'https://echo.example.com/api/agent' }
const cardRoute = { '/.well-known/agent-card.json': () => Response.json(card) }

async function answer(request: Request): Promise<Response> {
  const { id } = (await request.json()) as { id: unknown }
  const parts = [{ kind: 'text', text: 'All set.' }]
  return Response.json({
    jsonrpc: '2.0',
    id,
    result: { kind: 'message', messageId: 'm1', role: 'agent', parts },
  })
}

async function serve(options: ServeOptions): Promise<A2AAgent> {
  const agent = await serveAgent(options)
  onTestFinished(() => agent.close())
  return agent
}

test('serves route handlers, and moves the address of the card onto its own port', async () => {
  const agent = await serve({ routes: { ...cardRoute, '/api/agent': { POST: answer } } })

  const reply = await agent.send('Hello')

  expect(reply.text).toBe('All set.')
  expect(agent.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(agent.exchanges.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET ${agent.url}/.well-known/agent-card.json`,
    `POST ${agent.url}/api/agent`,
  ])
})

test('serves a fetch handler and a Node listener', async () => {
  const byFetch = await serve({
    fetch: (request) => (request.method === 'GET' ? Response.json(card) : answer(request)),
  })
  const byListener = await serve({
    listener: (_req, res: { end(text: string): void }) => res.end(JSON.stringify(card)),
    name: 'Desk',
  })

  expect((await byFetch.send('Hello')).text).toBe('All set.')
  expect((await byListener.card()).report.card).toMatchObject({ name: 'Echo Desk' })
  expect(byListener.label()).toBe(`Desk (${byListener.url})`)
})

test('reads a streamed answer', async () => {
  const agent = await serve({
    routes: {
      ...cardRoute,
      '/api/agent': {
        POST: async (request) => {
          const { id } = (await request.json()) as { id: unknown }
          const status = {
            state: 'completed',
            message: {
              kind: 'message',
              messageId: 'm',
              role: 'agent',
              parts: [{ kind: 'text', text: 'Done.' }],
            },
          }
          const result = { kind: 'status-update', taskId: 't1', contextId: 'c1', status, final: true }
          const events = new ReadableStream<Uint8Array>({
            start(controller) {
              controller.enqueue(Buffer.from(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`))
              controller.close()
            },
          })
          return new Response(events, { headers: { 'content-type': 'text/event-stream' } })
        },
      },
    },
  })

  expect((await agent.send('Hello')).text).toBe('Done.')
})

test('takes paths for cardUrl and endpoint', async () => {
  const agent = await serve({
    cardUrl: '/support/card.json',
    endpoint: '/support/rpc',
    routes: { '/support/card.json': () => Response.json(card), '/support/rpc': { POST: answer } },
  })

  expect((await agent.send('Hello')).text).toBe('All set.')
})

test('an error thrown by a handler is shown in failure messages', async () => {
  const agent = await serve({
    routes: {
      ...cardRoute,
      '/api/agent': {
        POST: () => {
          throw new Error('OPENAI_API_KEY is not set')
        },
      },
    },
  })

  await expect(agent.send('Hello')).rejects.toMatchObject({ code: 'HTTP_STATUS', status: 500 })
  expect(excerptsOf(agent)).toMatchObject([
    {
      label: 'Error in the handler of POST /api/agent',
      text: expect.stringMatching(/^Error: OPENAI_API_KEY is not set\n/),
    },
  ])
})

test('close() frees the port', async () => {
  const agent = await serveAgent({ routes: cardRoute })
  await agent.card()

  await agent.close()

  await expect(fetch(agent.url)).rejects.toThrow('fetch failed')
})

test.each([
  [{}, 'serveAgent(): give one of `listener`, `fetch` and `routes`; received none.'],
  [
    { fetch: answer, routes: {} },
    'serveAgent(): give one of `listener`, `fetch` and `routes`; received fetch and routes.',
  ],
  [{ listener: 'app' }, 'serveAgent(): `listener` must be a function: (req, res) => …;'],
  [{ fetch: {} }, 'serveAgent(): `fetch` must be a function: (request) => response;'],
  [
    { routes: 1 },
    "serveAgent(): `routes` must be an object of handlers by path: { '/api/agent': { GET, POST } };",
  ],
  [{ fetch: answer, headerz: {} }, 'serveAgent(): there is no option `headerz`.'],
])('misuse: %j', async (options, message) => {
  await expect(serveAgent(options as never)).rejects.toMatchObject({
    code: 'BAD_OPTIONS',
    message: expect.stringContaining(message),
  })
})

test('a process that serves and calls an agent exits on its own', async () => {
  const { output, code } = await runScript(`
    import { serveAgent } from 'src/agent/serve.ts'
    import { resolveSubject } from 'src/agent/subject.ts'
    const card = () => Response.json(${JSON.stringify(card)})
    const agent = await serveAgent({ routes: { '/.well-known/agent-card.json': card } })
    const { agent: other } = await resolveSubject({ fetch: card })
    console.log((await agent.card()).report.card.name, (await other.card()).report.card.name)
  `)

  expect(output).toBe('Echo Desk Echo Desk\n')
  expect(code).toBe(0)
})
