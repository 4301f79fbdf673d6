import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { a2aAgent } from '../../src/agent/a2aAgent.ts'
import { CARD03, CARD10 } from '../support/fixture.ts'
import { startFixture } from '../support/fixtureServer.ts'
import { echoAgent, failureOf, wireMessage } from './support.ts'

const cardPath = 'GET /.well-known/agent-card.json'
const untagged = { ...CARD03, skills: [{ id: 'echo', name: 'Echo', description: 'Echo text' }] }
const nameless = { ...CARD03, name: '' }

describe('passes', () => {
  test('for an agent whose card breaks no rule', async () => {
    await using server = await echoAgent(wireMessage('Hi.'))

    await expect(server.origin).toHaveValidAgentCard()

    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([cardPath])
  })

  test('for a card object and its text; a warning does not count', async () => {
    await expect(CARD10).toHaveValidAgentCard()
    await expect(JSON.stringify(CARD03)).toHaveValidAgentCard()
    await expect(untagged).toHaveValidAgentCard()
  })

  test('when the rule is off, or nothing counts', async () => {
    await expect(nameless).toHaveValidAgentCard({ rules: { 'card/name': 'off' } })
    await expect(nameless).toHaveValidAgentCard({ rules: { 'card/name': 'warning' } })
    await expect(nameless).toHaveValidAgentCard({ failOn: 'never' })
  })
})

describe('fails', () => {
  test('with the rule, the place and the fix', async () => {
    expect(await failureOf(() => expect(nameless).toHaveValidAgentCard())).toMatchInlineSnapshot(`
      "[failed] expect(card).toHaveValidAgentCard()

      Agent:    card object
      Expected: an agent card without errors
      Received: a card with 1 error and 1 warning by the <n> rules of A2A 0.3 (protocolVersion "0.3.0")

        ✗ name  name is empty   card/name  expect-a2a card table
            Give the agent a name.
        ! url  url is "http://127.0.0.1:<port>/rpc", a loopback address: only clients on the same machine can call it   card/loopback-address  expect-a2a endpoint rule
            Configure the public URL in the server, and put it into the card.
        · signatures  the card is not signed   card/unsigned  A2A 0.3 §5.5.6
            Sign the card if clients in other organizations should rely on it."
    `)
  })

  test('on a warning, when asked to', async () => {
    expect(await failureOf(() => expect(untagged).toHaveValidAgentCard({ failOn: 'warning' })))
      .toMatchInlineSnapshot(`
        "[failed] expect(card).toHaveValidAgentCard({ failOn: "warning" })

        Agent:    Echo Desk (card object)
        Expected: an agent card without errors and warnings
        Received: a card with 2 warnings by the <n> rules of A2A 0.3 (protocolVersion "0.3.0")

          ! skills[0].tags  skills[0].tags is missing   card/skill-tags  expect-a2a card table
              Add a few words by which other agents find the skill: "tags": ["billing"].
          ! url  url is "http://127.0.0.1:<port>/rpc", a loopback address: only clients on the same machine can call it   card/loopback-address  expect-a2a endpoint rule
              Configure the public URL in the server, and put it into the card.
          · signatures  the card is not signed   card/unsigned  A2A 0.3 §5.5.6
              Sign the card if clients in other organizations should rely on it."
      `)
  })

  test('by the rules of another version, when asked to', async () => {
    await using server = await echoAgent(wireMessage('Hi.'))
    const failure = await failureOf(() => expect(server.origin).toHaveValidAgentCard({ version: '1.0' }))

    expect(failure).toContain("of A2A 1.0 (the option version: '1.0')")
  })

  test('when a server answers but has no card, with every location', async () => {
    await using server = await startFixture([
      {
        on: cardPath,
        status: 200,
        headers: { 'content-type': 'text/html' },
        text: '<!doctype html><title>Desk</title>',
      },
    ])

    expect(await failureOf(() => expect(server.origin).toHaveValidAgentCard())).toMatchInlineSnapshot(`
      "[failed] expect(agent).toHaveValidAgentCard()

      Agent:    http://127.0.0.1:<port>
      Expected: an agent card without errors
      Received: no agent card at 2 locations

        ✗ no agent card was found   card/found  A2A 1.0 §8.2
            Serve it at /.well-known/agent-card.json, or pass cardUrl if it is served somewhere else.

      Card locations tried
        http://127.0.0.1:<port>/.well-known/agent-card.json  200 text/html, an HTML page (login page or SPA fallback?), expected JSON: "<!doctype html><title>Desk</title>"
        http://127.0.0.1:<port>/.well-known/agent.json       404"
    `)
  })

  test('when the card needs credentials', async () => {
    await using server = await startFixture([{ on: 'GET /.well-known/agent.json', status: 401 }])

    expect(await failureOf(() => expect(server.origin).toHaveValidAgentCard())).toMatchInlineSnapshot(`
      "[failed] expect(agent).toHaveValidAgentCard()

      Agent:    http://127.0.0.1:<port>
      Expected: an agent card without errors
      Received: 401 from http://127.0.0.1:<port>/.well-known/agent.json; no agent card at 2 locations
      Fix:      Either credentials are missing (option headers) or the path is wrong (option cardUrl): some hosts answer 401 for unknown paths.

        ✗ no agent card was found   card/found  A2A 1.0 §8.2
            Serve it at /.well-known/agent-card.json, or pass cardUrl if it is served somewhere else.

      Card locations tried
        http://127.0.0.1:<port>/.well-known/agent-card.json  404
        http://127.0.0.1:<port>/.well-known/agent.json       401"
    `)
  })

  test('when it is something else', async () => {
    const failure = await failureOf(() =>
      expect({ openapi: '3.1.0', info: {}, paths: {} }).toHaveValidAgentCard(),
    )

    expect(failure).toMatchInlineSnapshot(`
      "[failed] expect(card).toHaveValidAgentCard()

      Agent:    card object
      Expected: an agent card without errors
      Received: a document that is not an agent card

        ✗ this is not an A2A agent card: it looks like an OpenAPI document   card/not-a2a
            Serve the agent card at this path, or pass the option cardUrl if it is somewhere else."
    `)
  })
})

describe('.not', () => {
  test('passes when a rule is broken', async () => {
    await expect(nameless).not.toHaveValidAgentCard()
  })

  test('fails and says what was found', async () => {
    expect(await failureOf(() => expect(CARD10).not.toHaveValidAgentCard())).toMatchInlineSnapshot(`
      "[failed] expect(card).not.toHaveValidAgentCard()

      Agent:    Echo Desk (card object)
      Expected: not an agent card without errors
      Received: a card with 1 warning by the <n> rules of A2A 1.0 (supportedInterfaces[0] has protocolVersion "1.0")

        ! supportedInterfaces[0].url  supportedInterfaces[0].url is "http://127.0.0.1:<port>/rpc", a loopback address: only clients on the same machine can call it   card/loopback-address  expect-a2a endpoint rule
            Configure the public URL in the server, and put it into the card.
        · signatures  the card is not signed   card/unsigned  A2A 1.0 §8.4
            Sign the card if clients in other organizations should rely on it."
    `)
  })

  test('never passes if nothing answers, or without a card', async () => {
    await using server = await startFixture([])
    const down = 'http://127.0.0.1:9'

    expect(await failureOf(() => expect(server.origin).not.toHaveValidAgentCard())).toContain('[error] ')
    expect(await failureOf(() => expect(down).not.toHaveValidAgentCard())).toMatchInlineSnapshot(`
      "[error] expect(agent).not.toHaveValidAgentCard()

      Agent: http://127.0.0.1:<port>
      Error: could not connect to 127.0.0.1:<port>: connection refused
      Fix:   Is the agent running?

      Exchanges
        GET http://127.0.0.1:<port>/.well-known/agent-card.json → no response <n> ms (UNREACHABLE)
        GET http://127.0.0.1:<port>/.well-known/agent.json → no response <n> ms (UNREACHABLE)

        curl http://127.0.0.1:<port>/.well-known/agent.json -H 'accept: application/json' -H 'a2a-version: 1.0'"
    `)
  })
})

test('is inconclusive for a card of no certain version, also negated', async () => {
  const hybrid = { ...CARD03, protocolVersion: '1.0' }

  expect(await failureOf(() => expect(hybrid).not.toHaveValidAgentCard())).toMatchInlineSnapshot(`
    "[inconclusive] expect(card).not.toHaveValidAgentCard()

    Agent:    Echo Desk (card object)
    Expected: not an agent card without errors
    Received: a card that mixes versions, so no version's rules apply

      ✗ cannot tell which A2A version this card follows: the card mixes signs of different A2A versions: protocolVersion "1.0"; a top-level url (the layout of 0.x); preferredTransport (a 0.x member); the option version: '0.3' | '1.0' decides by which rules it is judged   card/ambiguous  A2A 0.3 §5.5; A2A 1.0 §4.4.1, §4.4.6
          Pass version: '0.3' or version: '1.0'; better, write the card in the form of one version."
  `)
  await expect(hybrid).toHaveValidAgentCard({ version: '0.3' })
})

test('options of the matcher override those of the handle', async () => {
  await using server = await startFixture([{ on: cardPath, json: '$CARD03', patch: { name: '' } }])
  await using agent = a2aAgent(server.origin, { version: '1.0' })

  await expect(agent).not.toHaveValidAgentCard()
  await expect(agent).toHaveValidAgentCard({ version: '0.3', rules: { 'card/name': 'off' } })
})

describe('misuse', () => {
  test.each([
    [{ failon: 'never' }, 'toHaveValidAgentCard(): there is no option `failon`. Did you mean `failOn`?'],
    [
      { failOn: 'warn' },
      'toHaveValidAgentCard(): `failOn` must be "error", "warning" or "never"; received "warn".',
    ],
    [{ rules: { 'card/nam': 'off' } }, 'card/nam'],
    [
      { version: '2.0' },
      'toHaveValidAgentCard(): `version` must be "0.1", "0.2", "0.3" or "1.0"; received "2.0".',
    ],
  ])('%j', async (options, message) => {
    const failure = await failureOf(() => expect(CARD10).not.toHaveValidAgentCard(options as object))

    expect(failure).toContain('[error] expect(')
    expect(failure).toContain(message)
  })

  test('an unsupported subject', async () => {
    expect(await failureOf(() => expect(7).toHaveValidAgentCard())).toMatchInlineSnapshot(`
      "[error] expect(agent).toHaveValidAgentCard()

      Error: expect() received the number 7, which is neither an agent nor an agent card.
      Fix:   Give expect() one of:
               a URL (string or URL): the agent's base URL, or that of its card
               an agent of a2aAgent(…), serveAgent(…) or startAgent(…)
               a card: an object, or its JSON text
               a Node http.Server, an Express or Fastify app, or an object with a \`fetch\` function (Hono, workers)
             Anything else that serves an agent: \`await serveAgent({listener})\`, \`({fetch})\` or \`({routes})\`."
    `)
  })
})
