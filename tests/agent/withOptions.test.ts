import { describe, expect, test } from 'vitest'
import { serveAgent } from '../../src/agent/serve.ts'
import { excerptsOf } from '../../src/agent/lifetime.ts'
import { card03, card10, failure, handleOf, message03, message10, posts, result } from '../client/support.ts'
import { CARD03 } from '../support/fixture.ts'
import { startFixture } from '../support/fixtureServer.ts'

const bearer = { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }

describe('withOptions', () => {
  test('calls the same agent with other credentials, and undefined removes them', async () => {
    await using helpdesk = await startFixture([
      card03(bearer),
      { on: 'POST /rpc', rpc: 'message/send', times: '*', ...result(message03('hi')) },
    ])
    const agent = handleOf(helpdesk, { credentials: { bearer: 'right-key' }, headers: { 'x-team': 'qa' } })
    const wrong = agent.withOptions({ credentials: { bearer: 'wrong-key' } })
    const none = agent.withOptions({ credentials: undefined })

    for (const one of [agent, wrong, none]) await one.send('ping')

    expect(posts(helpdesk).map(({ headers }) => [headers.authorization, headers['x-team']])).toEqual([
      ['Bearer right-key', 'qa'],
      ['Bearer wrong-key', 'qa'],
      [undefined, 'qa'],
    ])
    expect(wrong.url).toBe(agent.url)
    expect(none.options).toEqual({ headers: { 'x-team': 'qa' } })
    // What one of them knows to be secret, none of them prints.
    expect(wrong.secrets).toEqual(expect.arrayContaining(['right-key', 'wrong-key']))
  })

  test('has its own card and exchanges', async () => {
    await using helpdesk = await startFixture([
      card03(),
      { on: 'POST /rpc', rpc: 'message/send', times: '*', ...result(message03('hi')) },
    ])
    const agent = handleOf(helpdesk)
    await agent.send('ping')
    const other = agent.withOptions({ name: 'Other' })

    expect(other.exchanges).toEqual([])
    await other.send('ping')

    expect(other.exchanges).toHaveLength(2)
    expect(agent.exchanges).toHaveLength(2)
    expect(other.label()).toContain('Other')
  })

  test('speaks another version or binding', async () => {
    const interfaces = [
      { url: 'http://127.0.0.1:4100/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: 'http://127.0.0.1:4100/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ]
    await using helpdesk = await startFixture([
      card10({ supportedInterfaces: interfaces }),
      { on: 'POST /rpc', rpc: 'SendMessage', ...result(message10('rpc')) },
      { on: 'POST /rpc', rpc: 'message/send', ...result(message03('old')) },
      { on: 'POST /rest/message:send', json: message10('rest') },
    ])
    const agent = handleOf(helpdesk)

    expect((await agent.send('ping')).text).toBe('rpc')
    expect((await agent.withOptions({ binding: 'HTTP+JSON' }).send('ping')).text).toBe('rest')
    expect((await agent.withOptions({ version: '0.3' }).send('ping')).text).toBe('old')
  })

  test('wrong options are refused at once', () => {
    const agent = handleOf({ url: 'http://127.0.0.1:1' })

    expect(() => agent.withOptions({ waitMs: -1 })).toThrow('`waitMs` must be')
  })

  test('is closed with its parent handle, but does not close the parent', async () => {
    await using helpdesk = await startFixture([
      card03(),
      { on: 'POST /rpc', rpc: 'message/send', times: '*', ...result(message03('hi')) },
    ])
    const agent = handleOf(helpdesk)
    const [first, second] = [agent.withOptions({}), agent.withOptions({})]
    await first.close()

    expect((await agent.send('ping')).text).toBe('hi')
    expect(await failure(first.send('ping'))).toMatchObject({ code: 'BAD_USE' })
    await agent.close()
    expect(await failure(second.send('ping'))).toMatchObject({ code: 'BAD_USE' })
    expect(() => agent.withOptions({})).toThrow('was closed')
  })

  test('keeps the origin that was opened for a served agent, and what its handler threw', async () => {
    const calls: string[] = []
    await using agent = await serveAgent({
      fetch(request: Request) {
        const { pathname } = new URL(request.url)
        calls.push(pathname)
        if (pathname.endsWith('.json'))
          return Response.json({ ...CARD03, url: 'https://prod.example.com/rpc' })
        throw new Error('the handler is broken')
      },
    })
    const other = agent.withOptions({ requestTimeoutMs: 5000 })

    await failure(other.send('ping'))

    // Never the address in the card.
    expect(calls.at(-1)).toBe('/rpc')
    expect(JSON.stringify(excerptsOf(other))).toContain('the handler is broken')
    await other.close()
    expect((await agent.card()).report.shape.kind).toBe('card')
  })
})
