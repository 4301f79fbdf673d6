import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import { a2aAgent } from '../../src/agent/a2aAgent.ts'
import { startAgentFrom, startDeployer } from '../../src/testing/index.ts'
import { CARD03 } from '../support/fixture.ts'
import { startFixture } from '../support/fixtureServer.ts'
import { guarded, guardedCard } from './guarded.ts'
import { echoAgent, failureOf, misuse, wireMessage } from './support.ts'

const credentials = { bearer: 't0ken' }

test('passes in every version that has an extended card', async () => {
  await using first = await startAgentFrom({ token: 't0ken', extendedCard: { description: 'More' } })
  await using rest = await startAgentFrom({
    token: 't0ken',
    extendedCard: { description: 'More' },
    bindings: ['HTTP+JSON'],
  })
  await using third = await guarded()

  await expect(first.url).toServeExtendedCard({ credentials })
  await expect(rest.url).toServeExtendedCard({ credentials })
  await expect(third.origin).toServeExtendedCard({ credentials })
  await expect(a2aAgent(third.origin, { credentials })).toServeExtendedCard()
})

test('0.2 has it as a GET', async () => {
  const card = { ...guardedCard, protocolVersion: '0.2.5' }
  await using server = await startFixture([
    { on: 'GET /.well-known/agent-card.json', times: '*', json: card },
    {
      on: 'GET /agent/authenticatedExtendedCard',
      times: '*',
      needs: { authorization: 'Bearer t0ken' },
      else: { status: 401, headers: { 'www-authenticate': 'Bearer' } },
      json: { ...card, description: 'Knows more' },
    },
  ])

  await expect(server.origin).toServeExtendedCard({ credentials })

  expect(server.requests.filter(({ path }) => path.startsWith('/agent/'))).toHaveLength(4)
})

test('the deployer of the demo', async () => {
  await using deployer = await startDeployer()

  expect(await failureOf(() => expect(deployer.url).toServeExtendedCard())).toContain(
    'anonymous callers are denied the extended card, as they should be; no credentials are configured to request it with',
  )
})

test('fails with the whole message', async () => {
  await using server = await startFixture([
    { on: 'GET /.well-known/agent-card.json', json: guardedCard },
    { on: 'POST /rpc', times: '*', json: { jsonrpc: '2.0', id: '$id', result: guardedCard } },
  ])

  expect(await failureOf(() => expect(server.origin).toServeExtendedCard({ credentials })))
    .toMatchInlineSnapshot(`
      "[failed] expect(agent).toServeExtendedCard({ credentials: { … } })

      Agent:    Echo Desk (http://127.0.0.1:<port>)
      Expected: a valid extended card for authenticated callers, and none for anonymous ones
      Received: an extended card is for authenticated clients only, but agent/getAuthenticatedExtendedCard without credentials was answered with HTTP 200 and a result   auth/not-enforced
      Fix:      Check credentials first on every route of the agent, and answer HTTP 401 without them.

      Exchanges
        GET http://127.0.0.1:<port>/.well-known/agent-card.json → 200 application/json <n> B <n> ms
        POST http://127.0.0.1:<port>/rpc → 200 application/json <n> B <n> ms
          received {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"0.3.0","name":"Echo Desk","description":"Repeats what it hears","url":"http://127.0.0.1:<port>/rpc","preferredTransport":"JSONRPC","version":"1.0.0","capabilities":{"streaming":false},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"echo","name":"Echo","description":"Echo text","tags":["demo"]}],"supportsAuthenticatedExtendedCard":true,"securitySchemes":{"bearer":{"type":"http","scheme":"bearer"}},"security":[{"bearer":[]}]}}

        curl http://127.0.0.1:<port>/rpc -H 'accept: application/json' -H 'content-type: application/json' --data-raw '{"jsonrpc":"2.0","id":1,"method":"agent/getAuthenticatedExtendedCard"}'"
    `)
})

test('fails for an extended card that breaks a rule', async () => {
  await using server = await guarded([], { ...guardedCard, skills: 'none' })

  expect(await failureOf(() => expect(server.origin).toServeExtendedCard({ credentials }))).toContain(
    'Received: an extended card with 1 error by the rules of A2A 0.3',
  )
})

test('.not fails with what it is', async () => {
  await using server = await guarded()

  const failure = await failureOf(() => expect(server.origin).not.toServeExtendedCard({ credentials }))

  expect(failure).toContain(
    'Expected: not a valid extended card for authenticated callers, and none for anonymous ones',
  )
  expect(failure).toContain('Received: an extended card with no error by the rules of A2A 0.3')
  expect(failure).not.toContain('t0ken')
})

test('misuse: a card that does not declare one, unless forced', async () => {
  await using server = await echoAgent(wireMessage('hi'))

  expect(await failureOf(() => expect(server.origin).not.toServeExtendedCard({ credentials }))).toContain(
    '[error] expect(agent).not.toServeExtendedCard({ credentials: { … } })\n\n' +
      'Agent: Echo Desk (http://127.0.0.1:<port>)\n' +
      'Error: the card does not declare an extended card (supportsAuthenticatedExtendedCard: true)',
  )
  await using silent = await guarded([], { ...guardedCard, supportsAuthenticatedExtendedCard: undefined })
  await expect(silent.origin).toServeExtendedCard({ credentials, force: true })
})

test('misuse: a card object, an unknown option', async () => {
  await using server = await guarded()

  expect(await failureOf(() => misuse(expect(CARD03), 'toServeExtendedCard')())).toMatch(/^\[error\]/)
  expect(
    await failureOf(() => misuse(expect(server.origin), 'toServeExtendedCard')({ token: 'x' })),
  ).toContain('toServeExtendedCard(): there is no option `token`.')
})
