import { expect, test } from 'vitest'
import { a2aAgent } from '../../src/index.ts'
import { checkCard } from '../../src/checks/card/checkCard.ts'
import { startFixture } from '../support/fixtureServer.ts'

const common = {
  name: 'Two Faces',
  description: 'Publishes a card for each version',
  version: '1.0.0',
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'echo', name: 'Echo', description: 'Echo text', tags: ['demo'] }],
}
const url = 'http://127.0.0.1:4100/rpc'
const modern = {
  ...common,
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
}
const old = { ...common, url, protocolVersion: '0.3.0', preferredTransport: 'JSONRPC' }

const twoFaces = {
  exchange: [
    {
      on: 'GET /.well-known/agent-card.json',
      needs: { 'a2a-version': '1.0' },
      status: 200,
      json: modern,
      else: { status: 200, json: old },
    },
  ],
}

test('the version that a matcher asks for decides which of two cards is fetched, and each is fetched once', async () => {
  await using helpdesk = await startFixture(twoFaces)
  await using agent = a2aAgent(helpdesk.url)
  const subject = { kind: 'agent', agent } as const
  for (const version of ['1.0', '0.3', '0.3', '1.0'] as const) {
    const verdict = await checkCard(subject, [{ version }])
    expect(verdict.outcome).toBe('passed')
    expect(verdict.received).toContain(`of A2A ${version}`)
  }
  expect(helpdesk.requests).toHaveLength(2)
})

test('rules silenced by one matcher stay active for the handle', async () => {
  await using helpdesk = await startFixture({
    exchange: [
      {
        on: 'GET /.well-known/agent-card.json',
        status: 200,
        json: { ...old, skills: [{ id: 'echo', name: 'Echo', description: 'Echo text' }] },
      },
    ],
  })
  await using agent = a2aAgent(helpdesk.url)
  const ids = async (judgedBy = {}): Promise<string[]> =>
    (await agent.card(judgedBy)).report.findings.map(({ id }) => id)
  expect(await ids()).toContain('card/skill-tags')
  expect(await ids({ rules: { 'card/skill-tags': 'off' } })).not.toContain('card/skill-tags')
  expect(await ids()).toContain('card/skill-tags')
  expect(helpdesk.requests).toHaveLength(1)
})
