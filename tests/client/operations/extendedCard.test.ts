import { describe, expect, test } from 'vitest'
import { CARD03, CARD10 } from '../../support/fixture.ts'
import { startFixture } from '../../support/fixtureServer.ts'
import { card03, card10, failure, handleOf, methods, result, rpcError } from '../support.ts'

const full03 = { ...CARD03, description: 'for those who are known', supportsAuthenticatedExtendedCard: true }
const full10 = {
  ...CARD10,
  description: 'for those who are known',
  capabilities: { extendedAgentCard: true },
}
const flag03 = { supportsAuthenticatedExtendedCard: true }
const flag10 = { capabilities: { extendedAgentCard: true } }
const rest = 'http://127.0.0.1:4100/rest'
const getPath = '/agent/authenticatedExtendedCard'

describe('extendedCard()', () => {
  test.each([
    ['1.0', card10(flag10), 'GetExtendedAgentCard', full10],
    ['0.3', card03(flag03), 'agent/getAuthenticatedExtendedCard', full03],
  ])('%s over JSON-RPC', async (_, card, rpc, full) => {
    await using helpdesk = await startFixture([card, { on: 'POST /rpc', rpc, ...result(full) }])

    const { card: given, report, exchange } = await handleOf(helpdesk).extendedCard()

    expect(given).toMatchObject({ description: 'for those who are known' })
    expect(report.errors).toEqual([])
    expect(report.shape).toMatchObject({ kind: 'card' })
    expect(exchange).toMatchObject({ purpose: rpc, status: 200 })
    expect(methods(helpdesk)).toEqual([rpc])
  })

  test.each([
    [
      '1.0',
      card10({
        ...flag10,
        supportedInterfaces: [{ url: rest, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
      }),
      'GET /rest/extendedAgentCard',
      full10,
    ],
    ['0.3', card03({ ...flag03, url: rest, preferredTransport: 'HTTP+JSON' }), 'GET /rest/v1/card', full03],
  ])('%s over HTTP+JSON', async (_, card, on, full) => {
    await using helpdesk = await startFixture([card, { on, json: full }])

    expect((await handleOf(helpdesk, { binding: 'HTTP+JSON' }).extendedCard()).card).toMatchObject({
      description: full.description,
    })
  })

  test.each([
    ['next to the address', `GET /a2a${getPath}`, 1],
    ['at the root', `GET ${getPath}`, 2],
  ])('0.2 has it %s', async (_, on, tries) => {
    const early = { ...flag03, protocolVersion: '0.2.5', url: 'http://127.0.0.1:4100/a2a/v1' }
    await using helpdesk = await startFixture([card03(early), { on, json: { ...full03, ...early } }])

    const { card, exchange } = await handleOf(helpdesk).extendedCard()

    expect(card).toMatchObject({ description: 'for those who are known' })
    expect(exchange.url).toBe(`${helpdesk.url}${on.slice(4)}`)
    expect(helpdesk.requests.filter(({ path }) => path.endsWith(getPath))).toHaveLength(tries)
    expect(methods(helpdesk)).toEqual([])
  })

  test('0.3 agents without the operation may still have the GET', async () => {
    await using helpdesk = await startFixture([
      card03(flag03),
      { on: 'POST /rpc', ...rpcError(-32601, 'Method not found') },
      { on: `GET ${getPath}`, json: full03 },
    ])

    expect((await handleOf(helpdesk, { version: '0.3' }).extendedCard()).card).toMatchObject({
      description: 'for those who are known',
    })
  })

  test('if neither is there, the first answer counts', async () => {
    await using helpdesk = await startFixture([
      card03(flag03),
      { on: 'POST /rpc', times: '*', ...rpcError(-32601, 'Method not found') },
    ])

    expect(await failure(handleOf(helpdesk, { version: '0.3' }).extendedCard())).toMatchObject({
      code: 'RPC_ERROR',
      rpcCode: -32601,
      message: expect.stringContaining('agent/getAuthenticatedExtendedCard was answered') as string,
    })
  })

  test('a refusal names the missing credentials', async () => {
    await using helpdesk = await startFixture([
      card03({ ...flag03, protocolVersion: '0.2.5' }),
      {
        on: `GET ${getPath}`,
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        json: { error: 'who are you?' },
      },
    ])

    expect(await failure(handleOf(helpdesk).extendedCard())).toMatchObject({
      code: 'HTTP_STATUS',
      status: 401,
      message: expect.stringContaining('WWW-Authenticate: Bearer') as string,
    })
  })

  test.each([
    ['capabilities.extendedAgentCard', card10(), 'GetExtendedAgentCard'],
    ['supportsAuthenticatedExtendedCard', card03(), 'agent/getAuthenticatedExtendedCard'],
  ])('without %s it is not asked for, unless forced', async (name, card, rpc) => {
    await using helpdesk = await startFixture([card, { on: 'POST /rpc', rpc, ...rpcError(-32007, 'none') }])
    const agent = handleOf(helpdesk)

    expect(await failure(agent.extendedCard())).toMatchObject({
      code: 'NOT_DECLARED',
      message: `${name} is not declared in the agent card, so ${rpc} was not called`,
    })
    expect(methods(helpdesk)).toEqual([])
    expect(await failure(agent.extendedCard({ force: true }))).toMatchObject({ rpcCode: -32007 })
  })

  test('an answer that is not a card is an error', async () => {
    await using helpdesk = await startFixture([card10(flag10), { on: 'POST /rpc', ...result(null) }])

    expect(await failure(handleOf(helpdesk).extendedCard())).toMatchObject({
      code: 'BAD_REPLY',
      message: 'GetExtendedAgentCard was answered with nothing (expected an agent card)',
    })
  })
})
