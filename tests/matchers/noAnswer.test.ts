import { expect, test } from 'vitest'
import { createAgent } from '../../src/agent/handle.ts'
import { systemDeps } from '../../src/core/deps.ts'
import '../../src/vitest.ts'
import { startFixture } from '../support/fixtureServer.ts'

const handle = (url: string) =>
  createAgent(url, { endpoint: `${url}/rpc`, version: '0.3' }, systemDeps({ env: {} }))

// A proxy may say any of these for an agent that is down.
test.each([
  ['null', { text: 'null', headers: { 'content-type': 'application/json' } }],
  ['an empty object', { json: {} }],
  ['an empty list', { json: [] }],
  ['an error of another kind', { json: { error: 'no upstream' } }],
  ['an event stream without an event', { text: '', headers: { 'content-type': 'text/event-stream' } }],
  [
    'a body that is not compressed as it says',
    { text: 'no upstream', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
  ],
])('%s fails a matcher, and does not let a negated one pass', async (_, answer) => {
  await using helpdesk = await startFixture([{ on: 'POST /rpc', ...answer }])
  const agent = handle(helpdesk.url)

  await expect(expect(agent).toPassSmokeCheck()).rejects.toThrow(/^\[failed\]/)
  await expect(expect(agent).not.toPassSmokeCheck()).rejects.toThrow(/^\[error\]/)
  await expect(expect(agent).not.toReply('ping', 'pong')).rejects.toThrow(/^\[error\]/)
  await expect(expect(agent).not.toReachTaskState('ping', 'completed')).rejects.toThrow(/^\[error\]/)
})
