import { expect, test, vi } from 'vitest'
import { createAgent } from '../../../src/agent/handle.ts'
import { systemDeps } from '../../../src/core/deps.ts'
import { startFixture } from '../../support/fixtureServer.ts'

test('A2A_LOG=bodies prints each exchange without a secret', async () => {
  await using helpdesk = await startFixture({
    exchange: [
      { on: 'GET /.well-known/agent-card.json', status: 200, json: { name: 'who is tok-4711-secret?' } },
    ],
  })
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    const options = { headers: { 'x-desk-key': 'tok-4711-secret' } }
    await using agent = createAgent(helpdesk.url, options, systemDeps({ env: { A2A_LOG: 'bodies' } }))
    await agent.card()
    const printed = write.mock.calls.map(([text]) => String(text)).join('')
    expect(printed).toContain(`GET ${helpdesk.url}/.well-known/agent-card.json | HTTP 200`)
    expect(printed).toContain('who is <hidden>?')
    expect(printed).not.toContain('tok-4711-secret')
  } finally {
    write.mockRestore()
  }
})
