import { expect, test } from 'vitest'
import { checkSmoke } from '../../../src/index.ts'
import { startAgentFrom, faults, type Fault } from '../../../src/testing/index.ts'
import type { Verdict } from '../../../src/checks/verdict.ts'

async function smoke(fault: Fault): Promise<Verdict> {
  await using agent = await startAgentFrom({ fault })
  return await checkSmoke(agent.url)
}

test('an answer that is not A2A fails with its code and id, and not for negated matchers', async () => {
  const verdict = await smoke(faults.callReply({ status: 503, text: 'deploying' }))

  expect(verdict).toMatchObject({
    outcome: 'failed',
    code: 'HTTP_STATUS',
    unanswered: true,
    received: expect.stringContaining('answered HTTP 503: "deploying"') as string,
    findings: [{ id: 'http/status', level: 'error', message: verdict.received }],
  })
})

test('an error of the agent is an answer', async () => {
  const json = { jsonrpc: '2.0', error: { code: -32603, message: 'quota used up' } }
  const verdict = await smoke(faults.callReply({ json }))

  expect(verdict).toMatchObject({ outcome: 'failed', code: 'RPC_ERROR', findings: [{ id: 'rpc/error' }] })
  expect(verdict).not.toHaveProperty('unanswered')
  expect(verdict.exchanges).toHaveLength(2)
})

test('throws when nothing answers', async () => {
  await expect(smoke(faults.callReply({ fail: 'drop' }))).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: expect.stringContaining('closed the connection before it answered POST') as string,
  })
})
