import { expect, test } from 'vitest'
import '../../src/vitest.ts'
import { a2aAgent } from '../../src/agent/a2aAgent.ts'
import { startStudio } from '../../src/testing/index.ts'
import { guarded, guardedCard, withoutGet } from './guarded.ts'
import { failureOf, misuse } from './support.ts'

test('passes for the website of the guide, in whatever order the members stand', async () => {
  await using studio = await startStudio()
  const reversed = Object.fromEntries(Object.entries(guardedCard).toReversed())
  await using server = await guarded([{ on: 'GET /rpc', json: { ...reversed, url: '$URL' } }])

  await expect(studio.url).toAnswerCardAtEndpoint()
  expect(await failureOf(() => expect(server.origin).toAnswerCardAtEndpoint())).toContain(': url differs')
})

test('asks as the handle does', async () => {
  await using server = await guarded()

  await expect(a2aAgent(server.origin, { headers: { 'x-desk': 'yes' } })).toAnswerCardAtEndpoint()

  expect(server.requests.map(({ method, path, headers }) => [method, path, headers['x-desk']])).toEqual([
    ['GET', '/.well-known/agent-card.json', 'yes'],
    ['GET', '/rpc', 'yes'],
  ])
})

test('fails with the whole message', async () => {
  await using server = await withoutGet()

  expect(await failureOf(() => expect(server.origin).toAnswerCardAtEndpoint())).toMatchInlineSnapshot(`
    "[failed] expect(agent).toAnswerCardAtEndpoint()

    Agent:    Echo Desk (http://127.0.0.1:<port>)
    Expected: the agent card as the answer to GET at the endpoint
    Received: GET http://127.0.0.1:<port>/rpc was answered with HTTP 405   card/not-at-endpoint
    Fix:      Return the card for GET at the endpoint that answers POST.

    Exchanges
      GET http://127.0.0.1:<port>/.well-known/agent-card.json → 200 application/json <n> B <n> ms
      GET http://127.0.0.1:<port>/rpc → 405 <n> B <n> ms

      curl http://127.0.0.1:<port>/rpc -H 'accept: application/json' -H 'a2a-version: 1.0'"
  `)
})

test('.not passes where GET gives no card, fails where it does, and throws where the server breaks down', async () => {
  await using posting = await withoutGet()
  await using server = await guarded()
  await using broken = await guarded([{ on: 'GET /rpc', status: 500, text: 'boom', times: '*' }])

  await expect(posting.origin).not.toAnswerCardAtEndpoint()
  expect(await failureOf(() => expect(server.origin).not.toAnswerCardAtEndpoint())).toContain(
    'Received: the published card from GET http://127.0.0.1:<port>/rpc',
  )
  expect(await failureOf(() => expect(broken.origin).not.toAnswerCardAtEndpoint())).toMatch(/^\[error\]/)
})

test('misuse: an unknown option', async () => {
  await using server = await guarded()

  expect(
    await failureOf(() => misuse(expect(server.origin).not, 'toAnswerCardAtEndpoint')({ path: '/' })),
  ).toContain('toAnswerCardAtEndpoint(): there is no option `path`.')
})
