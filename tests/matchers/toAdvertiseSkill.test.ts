import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import { CARD03 } from '../support/fixture.ts'
import { startFixture } from '../support/fixtureServer.ts'
import { echoAgent, failureOf, misuse, wireMessage } from './support.ts'

const card = {
  ...CARD03,
  skills: [
    {
      id: 'refund',
      name: 'Refunds',
      description: 'Pays back',
      tags: ['billing', 'orders'],
      examples: ['Refund #4411'],
    },
    { id: 'track', name: 'Track an order', description: 'Finds parcels', tags: ['orders'] },
  ],
}

test('passes by id, by pattern, and by what the skill has', async () => {
  await using server = await echoAgent(wireMessage('Hi.'))

  await expect(server.origin).toAdvertiseSkill('echo')
  await expect(card).toAdvertiseSkill(/^Track/)
  await expect(card).toAdvertiseSkill('refund', { tags: ['orders'], description: /back$/ })
  await expect(card).toAdvertiseSkill(/./, { tags: expect.arrayContaining(['billing']) })
  await expect(card).not.toAdvertiseSkill('refunds')
  await expect(card).not.toAdvertiseSkill('track', { tags: ['billing'] })
})

test('fails with the skills that there are', async () => {
  expect(await failureOf(() => expect(card).toAdvertiseSkill('refnd'))).toMatchInlineSnapshot(`
    "[failed] expect(card).toAdvertiseSkill("refnd")

    Agent:    Echo Desk (card object)
    Expected: a card that advertises the skill "refnd"
    Received: a card with 2 skills: "refund", "track". Did you mean "refund"?   card/no-skill"
  `)
})

test('fails with what the skill has instead', async () => {
  expect(await failureOf(() => expect(card).toAdvertiseSkill('track', { tags: ['billing'] })))
    .toMatchInlineSnapshot(`
      "[failed] expect(card).toAdvertiseSkill("track", { tags: ["billing"] })

      Agent:    Echo Desk (card object)
      Expected: a card that advertises the skill "track" with {"tags":["billing"]}
      Received: the skill "track", whose tags has no "billing", but is ["orders"]   card/skill-differs"
    `)
})

test('fails without skills, and without a card', async () => {
  await using server = await startFixture([])

  expect(await failureOf(() => expect({ ...card, skills: [] }).toAdvertiseSkill(/x/))).toContain(
    'Received: a card without skills',
  )
  expect(await failureOf(() => expect(server.origin).toAdvertiseSkill('echo'))).toMatchInlineSnapshot(`
    "[failed] expect(agent).toAdvertiseSkill("echo")

    Agent:    http://127.0.0.1:<port>
    Expected: a card that advertises the skill "echo"
    Received: no agent card at 2 locations

      ✗ no agent card was found   card/found  A2A 1.0 §8.2
          Serve it at /.well-known/agent-card.json, or pass cardUrl if it is served somewhere else.

    Card locations tried
      http://127.0.0.1:<port>/.well-known/agent-card.json  404
      http://127.0.0.1:<port>/.well-known/agent.json       404"
  `)
})

test('.not fails and says what was found', async () => {
  expect(await failureOf(() => expect(card).not.toAdvertiseSkill(/order/))).toMatchInlineSnapshot(`
    "[failed] expect(card).not.toAdvertiseSkill(/order/)

    Agent:    Echo Desk (card object)
    Expected: not a card that advertises a skill whose id or name matches /order/
    Received: the skill "track", "Track an order""
  `)
})

test.each([
  [
    [],
    'toAdvertiseSkill(): `idOrPattern` must be a non-empty string or a regular expression; received undefined.',
  ],
  [
    ['echo', { tag: ['x'] }],
    'toAdvertiseSkill(): there is no option `partial.tag`. Did you mean `partial.tags`?',
  ],
  [['echo', { deadlineMs: 1 }], 'toAdvertiseSkill(): there is no option `partial.deadlineMs`.'],
  [['echo', undefined, { wait: 1 }], 'toAdvertiseSkill(): there is no option `wait`.'],
])('misuse: %j', async (args, message) => {
  const wrong = misuse(expect(card), 'toAdvertiseSkill')

  expect(await failureOf(() => wrong(...args))).toContain(message)
})
