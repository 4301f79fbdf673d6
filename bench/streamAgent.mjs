// The agent of the stream part, in a process of its own: it streams as many events as it is asked for, as fast as they are read, and
// works on slow tasks that can be subscribed to or polled. It tells its parent when a slow task was done.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

const skills = [{ id: 'stories', name: 'Stories', description: 'Tells one.', tags: ['text'] }]
const shared = {
  name: 'story-desk',
  description: 'Tells stories, word by word.',
  version: '1.4.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills,
}

const versions = {
  0.3: {
    card: (url, streaming) => ({
      ...shared,
      protocolVersion: '0.3.0',
      url: `${url}/rpc`,
      preferredTransport: 'JSONRPC',
      capabilities: { streaming },
    }),
    task: (task, state) => ({ kind: 'task', ...task, status: { state } }),
    sent: (task, state) => ({ kind: 'task', ...task, status: { state } }),
    status: ({ id, contextId }, state, final) => ({
      kind: 'status-update',
      taskId: id,
      contextId,
      status: { state },
      final,
    }),
    chunk: ({ id, contextId }, text) => ({
      kind: 'artifact-update',
      taskId: id,
      contextId,
      artifact: { artifactId: 'story', parts: [{ kind: 'text', text }] },
      append: true,
    }),
  },
  '1.0': {
    card: (url, streaming) => ({
      ...shared,
      supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { streaming },
    }),
    task: (task, state) => ({ ...task, status: { state: nameOf(state) } }),
    sent: (task, state) => ({ task: { ...task, status: { state: nameOf(state) } } }),
    status: ({ id, contextId }, state) => ({
      statusUpdate: { taskId: id, contextId, status: { state: nameOf(state) } },
    }),
    chunk: ({ id, contextId }, text) => ({
      artifactUpdate: {
        taskId: id,
        contextId,
        artifact: { artifactId: 'story', parts: [{ text }] },
        append: true,
      },
    }),
  },
}
const nameOf = (state) => `TASK_STATE_${state.toUpperCase()}`

/** Resolves when the client has read, or has gone. */
function goesOn(response) {
  return new Promise((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
  })
}

const tasks = new Map()

function serve(speech, streaming) {
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const json = (value) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (request.method === 'GET') return json(speech.card(`http://${request.headers.host}`, streaming))
    const body = []
    for await (const piece of request) body.push(piece)
    const { id, method, params } = JSON.parse(Buffer.concat(body).toString('utf8'))
    const frame = (result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`
    const write = async (text) => {
      if (!response.write(text)) await goesOn(response)
    }

    if (/^(message\/stream|SendStreamingMessage)$/.test(method)) {
      const [, events, size] = /(\d+) events of (\d+)/.exec(params.message.parts[0].text).map(Number)
      const task = { id: randomUUID(), contextId: randomUUID() }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      await write(frame(speech.sent(task, 'working')))
      const one = frame(speech.chunk(task, 'x'.repeat(size)))
      const batch = Math.max(1, Math.min(events, Math.floor(32_768 / one.length)))
      const many = one.repeat(batch)
      for (let left = events; left > 0 && !response.destroyed; left -= batch)
        await write(left >= batch ? many : one.repeat(left))
      response.end(frame(speech.status(task, 'completed', true)))
      return
    }
    if (/^(message\/send|SendMessage)$/.test(method)) {
      const [, ms] = /for (\d+) ms/.exec(params.message.parts[0].text).map(Number)
      const task = { id: randomUUID(), contextId: randomUUID() }
      const kept = { task, state: 'working', subscribers: [] }
      tasks.set(task.id, kept)
      setTimeout(() => {
        kept.state = 'completed'
        process.send({ completed: task.id, at: performance.timeOrigin + performance.now() })
        for (const notify of kept.subscribers) notify()
      }, ms)
      return json({ jsonrpc: '2.0', id, result: speech.sent(task, 'working') })
    }
    const kept = tasks.get(params.id)
    if (/^(tasks\/get|GetTask)$/.test(method))
      return json({ jsonrpc: '2.0', id, result: speech.task(kept.task, kept.state) })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(frame(speech.sent(kept.task, kept.state)))
    const end = () => response.end(frame(speech.status(kept.task, 'completed', true)))
    if (kept.state === 'completed') end()
    else kept.subscribers.push(end)
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}`))
  })
}

const urls = {}
for (const [version, speech] of Object.entries(versions))
  urls[version] = { streaming: await serve(speech, true), polling: await serve(speech, false) }
process.send({ urls })
process.on('disconnect', () => process.exit())
