import { describe, expect, test } from 'vitest'
import '../../src/vitest.ts'
import { expand } from '../support/fixture.ts'
import { entry, fixture, open } from './scene.ts'

const wellKnown = 'GET /.well-known/agent-card.json'

describe('I02 security declared, not enforced', () => {
  test('fails, and says what was answered without credentials', async () => {
    await using helpdesk = await open(fixture('I02'))

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toRequireAuthentication())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(
      'Received: the card requires "bearer", but message/send without credentials was answered with HTTP 200 and a result',
    )
    // One look-up, and one short message: what is open is not asked again.
    expect(helpdesk.methods()).toEqual(['tasks/get', 'message/send'])
  })

  test('.not passes: the agent is at fault', async () => {
    await using helpdesk = await open(fixture('I02'))

    await expect(helpdesk.url).not.toRequireAuthentication()
  })

  test('401 without credentials, 200 with any token', async () => {
    const scene = fixture('I02')
    const { json, status = 200 } = entry(scene, 'message/send')
    entry(scene, 'message/send').reply = ({ headers }) =>
      /^Bearer \S/.test(headers.authorization ?? '')
        ? { status, json }
        : { status: 401, headers: { 'www-authenticate': 'Bearer' } }
    await using helpdesk = await open(scene)

    const failure = await helpdesk.failure(() => expect(helpdesk.url).toRequireAuthentication())

    expect(failure).toMatch(/^\[failed\] /)
    expect(failure).toContain(
      'Received: the card requires "bearer", but message/send with a random credential for "bearer" was answered with HTTP 200 and a result   auth/wrong-accepted',
    )
  })

  test('schemes declared but security absent: a warning', async () => {
    const scene = fixture('I02')
    delete entry(scene, wellKnown).patch?.['security']
    await using helpdesk = await open(scene)

    expect(await helpdesk.passing(() => expect(helpdesk.url).not.toRequireAuthentication())).toContain(
      '! schemes are declared, but nothing requires them (security / securityRequirements is empty)   auth/optional',
    )
  })

  test('a JSON-RPC error about credentials is a refusal, with a warning', async () => {
    const scene = fixture('I02')
    entry(scene, 'message/send').json = {
      jsonrpc: '2.0',
      id: '$id',
      error: { code: -32000, message: 'Authentication required' },
    }
    await using helpdesk = await open(scene)

    expect(await helpdesk.passing(() => expect(helpdesk.url).not.toRequireAuthentication())).toContain(
      'message/send without credentials was refused with HTTP 200 and error -32000, "Authentication required"',
    )
  })

  test.each([
    [-32001, 'Task not found'],
    [-32009, 'Version not supported'],
    [-32001, 'Task not found or access denied'],
  ])('any other is an answer: %i %s', async (code, message) => {
    const scene = fixture('I02')
    entry(scene, 'message/send').json = { jsonrpc: '2.0', id: '$id', error: { code, message } }
    await using helpdesk = await open(scene)

    expect(await helpdesk.failure(() => expect(helpdesk.url).toRequireAuthentication())).toContain(
      `but message/send without credentials was answered with HTTP 200 and error ${code}, "${message}"   auth/not-enforced`,
    )
  })
})

describe('I03 API key scheme with the wrong key names', () => {
  const { bad, good03, good10 } = fixture('I03').cards as Record<string, object>
  const rules = { 'card/unsigned': 'off' } as const

  test('the card', async () => {
    await expect(expand(good03)).toHaveValidAgentCard({ rules })
    await expect(expand(good10)).toHaveValidAgentCard({ rules })
    await expect(expand(bad)).not.toHaveValidAgentCard()
  })

  test.each([
    ['good03', good03, 'message/send'],
    ['good10', good10, 'SendMessage'],
  ])(
    '%s: anonymous requests and the right key are distinguished by the header that the card names',
    async (_, card, rpc) => {
      await using helpdesk = await open({
        exchange: [
          { on: wellKnown, times: '*', json: expand(card) },
          {
            on: 'POST /rpc',
            times: '*',
            needs: { 'x-desk-key': 'k' },
            else: { status: 403 },
            json: { jsonrpc: '2.0', id: '$id', error: { code: -32001, message: 'Task not found' } },
          },
        ],
      })

      await expect(helpdesk.url).toRequireAuthentication({ credentials: { helpdesk: 'k' } })

      const keys = helpdesk.posts().map(({ headers }) => headers['x-desk-key'])
      expect(keys.slice(0, 4)).toEqual([undefined, '', expect.stringMatching(/^[\da-f]{32}$/), 'k'])
      expect(helpdesk.methods()).toContain(rpc)
      expect(helpdesk.posts().every(({ headers }) => headers['x-api-key'] === undefined)).toBe(true)
    },
  )
})
