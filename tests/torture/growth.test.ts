import { describe, expect, test } from 'vitest'
import { createAgent } from '../../src/agent/handle.ts'
import { systemDeps } from '../../src/core/deps.ts'
import { addFindings } from '../../src/findings/addFindings.ts'
import type { Finding } from '../../src/findings/types.ts'
import { serve } from '../http/support.ts'
import { chunk, frame, status, task } from './events.ts'
import { rawAgent } from './rawAgent.ts'

const deps = systemDeps({ env: {} })

test('an inline file of 16 MiB is sent whole', async () => {
  const bytes = Buffer.alloc(16 * 2 ** 20, 'expect').toString('base64')
  let received = 0
  const server = await serve(({ method, body }, response) => {
    response.setHeader('content-type', 'application/json')
    if (method === 'GET') return void response.end(JSON.stringify(card(server.url)))
    received = body.length
    const result = {
      kind: 'message',
      messageId: 'm1',
      role: 'agent',
      parts: [{ kind: 'text', text: 'Oslo' }],
    }
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
  })
  await using agent = createAgent(server.url, {}, deps)

  const reply = await agent.send(['Look', { kind: 'file', bytes, mediaType: 'image/png' }])

  expect(reply.text).toBe('Oslo')
  expect(received).toBeGreaterThan(bytes.length)
  expect(reply.exchanges.at(-1)?.requestBody).toContain('"bytes":"<16777216 bytes>"')
})

describe('work that grows with the answer', () => {
  test('is linear where send() is answered by an event stream', async () => {
    const [once, twice] = [await stepsToRead(1_000), await stepsToRead(2_000)]
    expect(twice / once).toBeLessThan(2.5)
  })

  test('is linear in the number of distinct findings', () => {
    let reads = 0
    const finding = (index: number): Finding => ({
      get id() {
        reads += 1
        return 'wire/timestamp'
      },
      level: 'warning',
      message: `event ${index}`,
    })
    const findings: Finding[] = []
    for (let index = 0; index < 2_000; index++) addFindings(findings, [finding(index), finding(index)])
    expect(findings).toHaveLength(2_000)
    expect(reads).toBeLessThan(3 * 2_000 * 2)
  })
})

/** Steps over elements of lists while a reply of that many chunks is read: what the old way copied for each event. */
async function stepsToRead(chunks: number): Promise<number> {
  const body = [
    frame(task('WORKING')),
    ...Array.from({ length: chunks }, (_, at) => frame(chunk(`${at} `, at === 0 ? {} : { append: true }))),
    frame(status('COMPLETED')),
  ]
  await using server = await rawAgent({ body: [body.join('')] })
  await using agent = createAgent(server.url, {}, deps)
  const iterator = Object.getPrototypeOf([][Symbol.iterator]()) as { next(): unknown }
  const { next } = iterator
  let steps = 0
  iterator.next = function (this: unknown) {
    steps += 1
    return next.call(this)
  }
  try {
    const reply = await agent.send('Hi')
    expect(reply.text).toHaveLength(Array.from({ length: chunks }, (_, at) => `${at} `).join('').length)
  } finally {
    iterator.next = next
  }
  return steps
}

const card = (url: string): object => ({
  name: 'Large files',
  description: 'Takes large files',
  version: '1.0.0',
  protocolVersion: '0.3.0',
  url: `${url}/a2a`,
  preferredTransport: 'JSONRPC',
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'describe', name: 'Describe', description: 'Describes a picture', tags: ['images'] }],
})
