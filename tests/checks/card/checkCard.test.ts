import { expect, test } from 'vitest'
import { a2aAgent } from '../../../src/agent/a2aAgent.ts'
import { serveAgent } from '../../../src/agent/serve.ts'
import { resolveSubject } from '../../../src/agent/subject.ts'
import { checkCard } from '../../../src/checks/card/checkCard.ts'
import { CARD03, CARD10, type FixtureExchange } from '../../support/fixture.ts'
import { startFixture } from '../../support/fixtureServer.ts'

const cardPath = '/.well-known/agent-card.json'
const untagged = { ...CARD03, skills: [{ id: 'echo', name: 'Echo', description: 'Echo text' }] }

test.each([
  [CARD03, {}, 'passed', 1],
  [untagged, {}, 'passed', 1],
  [untagged, { failOn: 'warning' }, 'failed', 1],
  [untagged, { failOn: 'never' }, 'passed', 1],
  [{ ...CARD03, name: 7 }, {}, 'failed', 0],
  [{ ...CARD03, name: 7 }, { failOn: 'never' }, 'passed', 0],
  [{ ...CARD03, name: 7 }, { rules: { 'card/name': 'off' } }, 'passed', 1],
  [untagged, { rules: { 'card/skill-tags': 'error' } }, 'failed', 0],
  [{ ...CARD03, protocolVersion: '1.0' }, {}, 'inconclusive', undefined],
  [{ ...CARD03, protocolVersion: '1.0' }, { version: '0.3' }, 'passed', 1],
  [{ openapi: '3.1.0', paths: {} }, {}, 'failed', 0],
  ['[1]', { failOn: 'never' }, 'failed', 0],
] as const)('%# judges a card object', async (card, options, outcome, score) => {
  const verdict = await checkCard({ kind: 'card', card }, [options])

  expect(verdict.outcome).toBe(outcome)
  expect(verdict.scores?.card).toBe(score)
})

test('says which rules apply, and why', async () => {
  const verdict = await checkCard({ kind: 'card', card: CARD10 }, [])

  expect(verdict.received).toMatch(
    /^a card with (no error|\d warnings?) by the \d+ rules of A2A 1\.0 \(supportedInterfaces\[0\] has protocolVersion "1\.0"\)$/,
  )
  expect(verdict.agent).toBe('Echo Desk (card object)')
})

// An HTML page where the card should be, whatever its status.
test.each<[FixtureExchange, string]>([
  [{ on: `GET ${cardPath}`, status: 403 }, '403'],
  [{ on: `GET ${cardPath}`, status: 503 }, '503'],
  [{ on: `GET ${cardPath}`, text: '<html>' }, 'no agent card at 2 locations'],
])('%# a server that has no card', async (exchange, received) => {
  await using server = await startFixture([exchange])
  await using agent = a2aAgent(server.origin)

  const verdict = await checkCard({ kind: 'agent', agent }, [])

  expect(verdict).toMatchObject({ outcome: 'failed', scores: { card: 0 } })
  expect(verdict.received).toMatch(new RegExp(`^${received}`))
  expect(verdict.attempts).toHaveLength(2)
  expect(verdict.findings.map(({ id }) => id)).toContain('card/found')
})

test('options of the matcher keep the source of the card known to the handle', async () => {
  await using server = await startFixture([
    { on: `GET ${cardPath}`, headers: { 'content-type': 'text/plain' }, json: '$CARD03' },
  ])
  await using agent = a2aAgent(server.origin)
  const ids = async (options: object): Promise<string[]> =>
    (await checkCard({ kind: 'agent', agent }, [options])).findings.map(({ id }) => id)

  expect(await ids({ version: '0.3' })).toEqual(await ids({}))
})

test('the addresses in the card of a served agent are those of its deployment', async () => {
  const card = { ...CARD03, url: 'https://echo.example.com/rpc' }
  const routes = { [cardPath]: () => Response.json(card) }
  await using agent = await serveAgent({ routes })
  const subject = await resolveSubject({ fetch: routes[cardPath] })

  for (const options of [{}, { version: '0.3' }] as const) {
    for (const one of [{ kind: 'agent', agent } as const, subject]) {
      const verdict = await checkCard(one, [options])
      expect(verdict.findings.filter(({ level }) => level !== 'note')).toEqual([])
    }
  }
})
