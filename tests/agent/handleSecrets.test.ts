import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { startFixture } from '../support/fixtureServer.ts'
import { card03, failure, handleOf, rpcError } from '../client/support.ts'

const key = 'k3y-of-the-house'

test.each([
  ['an error', rpcError(-32000, `bad key ${key}`, { data: { seen: [key] } })],
  ['a status', { status: 500, text: `bad key ${key}` }],
])(
  'what an agent repeats of a secret in %s is not in the error of send() and getTask()',
  async (_, answer) => {
    await using helpdesk = await startFixture([card03(), { on: 'POST /rpc', ...answer }])
    const agent = handleOf(helpdesk, { headers: { 'x-api-key': key } })

    for (const call of [() => agent.send('ping'), () => agent.getTask('t1')]) {
      const error = await failure(call())
      expect(error['message']).toContain('bad key <hidden>')
      const thrown: unknown = await call().catch((reason: unknown) => reason)
      expect(inspect(thrown, { depth: 9, showHidden: true })).not.toContain(key)
    }
  },
)
