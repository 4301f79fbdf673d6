// The agent that all clients of the bench talk to, in a process of its own: it reads the request, and answers with a finished task
// of an ordinary size. Does as little as it can, so that the time of a call is the client's as far as possible.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

const answer =
  'Order 17 left the warehouse in Rotterdam on Monday at 14:20 and was handed to the carrier the same evening. ' +
  'It cleared customs on Tuesday, is on its way to the delivery depot now, and should be with you on Thursday ' +
  'before noon. You can change the delivery address until tonight; the tracking number is in the second part.'

const facts = {
  order: 17,
  carrier: 'Harbour Parcel',
  tracking: 'HP-4417-2096-NL',
  stops: ['Rotterdam', 'Venlo', 'Essen'],
}

const shared = {
  name: 'order-desk',
  description: 'Says where an order is and when it arrives.',
  version: '1.4.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [
    {
      id: 'order-status',
      name: 'Order status',
      description: 'Finds an order by its number.',
      tags: ['orders'],
    },
  ],
}

const versions = {
  0.3: {
    card: (url) => ({
      ...shared,
      protocolVersion: '0.3.0',
      url: `${url}/rpc`,
      preferredTransport: 'JSONRPC',
      capabilities: { streaming: false, pushNotifications: false },
    }),
    reply: (message, task) => ({
      kind: 'task',
      ...task,
      status: { state: 'completed', timestamp: '2026-01-05T14:20:00Z' },
      history: [message],
      artifacts: [
        {
          artifactId: 'status',
          name: 'Order status',
          parts: [
            { kind: 'text', text: answer },
            { kind: 'data', data: facts },
          ],
        },
      ],
    }),
  },
  '1.0': {
    card: (url) => ({
      ...shared,
      supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { streaming: false, pushNotifications: false },
    }),
    reply: (message, task) => ({
      task: {
        ...task,
        status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-05T14:20:00Z' },
        history: [message],
        artifacts: [
          { artifactId: 'status', name: 'Order status', parts: [{ text: answer }, { data: facts }] },
        ],
      },
    }),
  },
}

function serve({ card, reply }) {
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const send = (body) => {
      const text = JSON.stringify(body)
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      })
      response.end(text)
    }
    if (request.method === 'GET') return send(card(`http://${request.headers.host}`))
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const contextId = params.message.contextId ?? randomUUID()
    send({ jsonrpc: '2.0', id, result: reply(params.message, { id: randomUUID(), contextId }) })
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`))
  })
}

const urls = {}
for (const [version, speech] of Object.entries(versions)) urls[version] = await serve(speech)
process.send(urls)
process.on('disconnect', () => process.exit())
