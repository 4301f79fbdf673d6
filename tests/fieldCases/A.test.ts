import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { a2aAgent } from '../../src/agent/a2aAgent.ts'
import { CARD10 } from '../support/fixture.ts'
import { entry, fixture, open } from './scene.ts'

const wellKnown = 'GET /.well-known/agent-card.json'

describe('A01 only the path of cards before 0.3 exists', () => {
  test('a warning, with both paths and why', async () => {
    await using helpdesk = await open(fixture('A01'))

    await expect(helpdesk.url).toHaveValidAgentCard()
    const failure = await helpdesk.passing(() => expect(helpdesk.url).not.toHaveValidAgentCard())

    for (const part of ['legacy', '/.well-known/agent.json', '/.well-known/agent-card.json', '0.3 and later'])
      expect(failure).toContain(part)
    expect(helpdesk.paths().slice(0, 2)).toEqual([wellKnown, 'GET /.well-known/agent.json'])
  })

  test('a card that says a version before 0.3 is right there', async () => {
    const scene = fixture('A01')
    const answer = entry(scene, 'GET /.well-known/agent.json')
    answer.json = { ...(answer.json as object), protocolVersion: '0.2.6' }
    await using helpdesk = await open(scene)

    await expect(helpdesk.url).toHaveValidAgentCard({ failOn: 'warning' })
  })

  test.each([401, 403, 500])(
    'HTTP %i at the new path does not stop the search, because a card elsewhere says more than a refusal',
    async (status) => {
      const scene = fixture('A01')
      entry(scene, wellKnown).status = status
      await using helpdesk = await open(scene)

      expect(await helpdesk.passing(() => expect(helpdesk.url).not.toHaveValidAgentCard())).toContain(
        `  ${status} application/json`,
      )
    },
  )

  test.each([401, 403, 503])(
    'HTTP %i comes first in the message if no location has a card',
    async (status) => {
      const scene = fixture('A01')
      entry(scene, 'GET /.well-known/agent.json').status = status
      await using helpdesk = await open(scene)

      const failure = await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())

      expect(failure).toMatch(
        new RegExp(
          `^\\[failed\\] .*\\n\\nAgent: .*\\nExpected: .*\\nReceived: ${status} application/json from http://127.0.0.1:4100/.well-known/agent.json;`,
        ),
      )
    },
  )

  test('if none answers with a card, every URL is listed with its answer', async () => {
    const scene = fixture('A01')
    entry(scene, 'GET /.well-known/agent.json').status = 410
    await using helpdesk = await open({ ...scene, base: 'http://127.0.0.1:4100/desk' })

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain('no agent card at 4 locations')
    const tried = failure.slice(failure.indexOf('Card locations tried')).replaceAll(/ {2,}/g, ' ')
    for (const line of [
      'http://127.0.0.1:4100/desk/.well-known/agent-card.json 404',
      'http://127.0.0.1:4100/desk/.well-known/agent.json 404',
      'http://127.0.0.1:4100/.well-known/agent-card.json 404 application/json',
      'http://127.0.0.1:4100/.well-known/agent.json 410 application/json',
    ])
      expect(tried).toContain(line)
  })
})

describe('A02 the base URL has a path, and the card lives under it', () => {
  test.each(['', '/', '//'])('the mount path is kept, also with %j behind it', async (slashes) => {
    const scene = fixture('A02')
    await using helpdesk = await open({ ...scene, base: scene.base + slashes })

    await expect(helpdesk.url).toHaveValidAgentCard({ failOn: 'warning' })

    expect(helpdesk.paths()).toEqual(['GET /agents/desk/.well-known/agent-card.json'])
  })

  test('a base that is the URL of the card is requested unchanged', async () => {
    const scene = fixture('A02')
    await using helpdesk = await open({ ...scene, base: `${scene.base}/.well-known/agent-card.json` })

    await expect(helpdesk.url).toHaveValidAgentCard({ failOn: 'warning' })

    expect(helpdesk.paths()).toEqual(['GET /agents/desk/.well-known/agent-card.json'])
  })

  test.each(['/agents/desk/.well-known/agent.json', '/cards/desk.json'])(
    'also where there is nothing at %s',
    async (path) => {
      await using helpdesk = await open({ ...fixture('A02'), base: `http://127.0.0.1:4100${path}` })

      const failure = await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())

      expect(failure).toContain('no agent card at 1 location')
      expect(helpdesk.paths()).toEqual([`GET ${path}`])
    },
  )
})

describe('A04 the card is at a vendor path behind a token', () => {
  test('cardUrl and headers find it, and nothing else is requested', async () => {
    await using helpdesk = await open(fixture('A04'))
    await using agent = a2aAgent(helpdesk.url, helpdesk.options)

    await expect(agent).toHaveValidAgentCard({ failOn: 'warning' })

    expect(helpdesk.paths()).toEqual(['GET /projects/p1/agents/desk/a2a/agentCard/v1.0'])
    expect(helpdesk.requests[0]?.headers.authorization).toBe('Bearer test')
  })

  test('the card itself may be given, and then nothing is fetched', async () => {
    const scene = fixture('A04')
    scene.exchange?.push({
      on: 'POST /rpc',
      rpc: 'SendMessage',
      json: {
        jsonrpc: '2.0',
        id: '$id',
        result: { message: { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } },
      },
    })
    await using helpdesk = await open(scene)
    const card = JSON.parse(helpdesk.fill(JSON.stringify(CARD10)))

    await expect(helpdesk.agent({ card })).toHaveValidAgentCard({ failOn: 'warning' })
    await expect(helpdesk.agent({ card })).toReply('ping', 'hi')

    expect(helpdesk.paths()).toEqual(['POST /rpc'])
  })

  test('without the option the message lists what was tried and names it', async () => {
    await using helpdesk = await open(fixture('A04'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure.match(/\.well-known\/agent(-card)?\.json +404/g)).toHaveLength(4)
    expect(failure).toContain('pass cardUrl if it is served somewhere else')
  })
})

describe('A09 HTML or plain text where the card should be', () => {
  test('an HTML page fails, with what it is and its first words', async () => {
    const scene = fixture('A09')
    await using helpdesk = await open(scene)

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toHaveValidAgentCard())

    expect(failure).toMatch(/^\[failed\] /)
    for (const part of [
      'http://127.0.0.1:4100/.well-known/agent-card.json',
      '200 text/html',
      'expected JSON',
      '<!doctype html><title>Desk</title>',
      'an HTML page (login page or SPA fallback?)',
    ])
      expect(failure).toContain(part)
    for (const { headers } of helpdesk.requests)
      expect(headers).toMatchObject(scene['clientMustSend'] as object)
  })

  test.each([
    ['text/plain', 'the card is served as text/plain, not as application/json'],
    ['application/octet-stream', 'the card is served as application/octet-stream'],
    ['', 'the card is served without a content-type'],
  ])('a card served as %j is read, with a warning', async (type, says) => {
    await using helpdesk = await open(served(type))

    expect(await helpdesk.passing(() => expect(helpdesk.url).not.toHaveValidAgentCard())).toContain(says)
  })

  test.each(['application/a2a+json', 'application/json; charset=utf-8'])('%s: no warning', async (type) => {
    await using helpdesk = await open(served(type))

    await expect(helpdesk.url).toHaveValidAgentCard({ failOn: 'warning' })
  })

  function served(type: string) {
    const scene = fixture('A09')
    const answer = entry(scene, wellKnown)
    delete answer.text
    Object.assign(answer, { json: '$CARD03', headers: { 'content-type': type } })
    return scene
  }
})
