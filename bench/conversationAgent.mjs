// The agent of the conversations, in a process of its own: it answers each message with a finished task, at once or after the milliseconds
// that it was started with. Each answer differs, as those of real agents do.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const afterMs = Number(process.argv[2] ?? 0)

const answer =
  'Order 17 left the warehouse in Rotterdam on Monday at 14:20 and was handed to the carrier the same evening. ' +
  'It cleared customs on Tuesday, is on its way to the delivery depot now, and should be with you on Thursday ' +
  'before noon. You can change the delivery address until tonight; the tracking number is in the second part.'

const data = { order: 17, carrier: 'Harbour Parcel', tracking: 'HP-4417-2096-NL', stops: ['Venlo', 'Essen'] }

const card = (url) => ({
  name: 'order-desk',
  description: 'Says where an order is and when it arrives.',
  version: '1.4.0',
  supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: false, pushNotifications: false },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [{ id: 'status', name: 'Order status', description: 'Finds an order.', tags: ['orders'] }],
})

const reply = (message) => ({
  task: {
    id: randomUUID(),
    contextId: message.contextId ?? randomUUID(),
    status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-05T14:20:00Z' },
    artifacts: [
      {
        artifactId: 'status',
        name: 'Order status',
        parts: [{ text: `You asked: "${message.parts[0].text}" ${answer}` }, { data }],
      },
    ],
  },
})

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
  if (afterMs > 0) await sleep(afterMs)
  send({ jsonrpc: '2.0', id, result: reply(params.message) })
})
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`))
process.on('disconnect', () => process.exit())
