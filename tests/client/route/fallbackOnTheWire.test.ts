import { describe, expect, test } from 'vitest'
import { startFixture, type FixtureReply } from '../../support/fixtureServer.ts'
import {
  card03,
  card10,
  failure,
  handleOf,
  message03,
  message10,
  methods,
  posts,
  result,
  rpcError,
} from '../support.ts'

const says03 = { supportedInterfaces: [rpcInterface('0.3')] }

function rpcInterface(protocolVersion: string, url = 'http://127.0.0.1:4100/rpc') {
  return { url, protocolBinding: 'JSONRPC', protocolVersion }
}

describe('B02: the card says 0.3, the server understands 1.0 only', () => {
  const server = (refusal: FixtureReply) =>
    startFixture([
      card10(says03),
      { on: 'POST /rpc', rpc: 'message/send', ...refusal },
      { on: 'POST /rpc', rpc: 'SendMessage', ...result(message10('hi')) },
    ])

  test.each([
    ['-32601', rpcError(-32601, 'Method not found')],
    ['-32601', { status: 500, ...rpcError(-32601, 'Method not found') }],
    ['-32009', rpcError(-32009, 'version 0.3 is not supported')],
    ['-32600', rpcError(-32600, 'unknown method message/send')],
    ['HTTP 404', { status: 404, text: 'no route' }],
    ['HTTP 405', { status: 405, text: '' }],
    ['HTTP 501', { status: 501, text: '' }],
  ])('on %s SendMessage is tried, and the reply says so', async (answer, refusal) => {
    await using app = await server(refusal)

    const reply = await handleOf(app).send('ping')

    expect(methods(app)).toEqual(['message/send', 'SendMessage'])
    expect(posts(app)[0]?.headers).not.toHaveProperty('a2a-version')
    expect(posts(app)[1]?.headers).toMatchObject({ 'a2a-version': '1.0' })
    expect(reply).toMatchObject({ text: 'hi', dialect: '1.0', declared: '0.3' })
    expect(reply.findings).toContainEqual(
      expect.objectContaining({
        id: 'wire/fallback',
        level: 'warning',
        path: 'supportedInterfaces[0]',
        message: `card says 0.3, but message/send → ${answer} and SendMessage works: declare protocolVersion 1.0`,
      }),
    )
  })

  test.each([
    ['-32602', rpcError(-32602, 'message/send: bad params')],
    ['-32603', rpcError(-32603, 'boom')],
    ['-32600 about something else', rpcError(-32600, 'payload too large')],
    ['500 without a JSON-RPC body', { status: 500, text: 'oops' }],
    ['502', { status: 502, text: '<html>bad gateway</html>' }],
    ['503', { status: 503, text: '' }],
    ['401', { status: 401, json: { error: 'token expired' } }],
    ['400', { status: 400, text: 'bad' }],
    ['a closed connection', { drop: true }],
  ])('on %s nothing else is tried: a fault must not hide behind another dialect', async (_, refusal) => {
    await using app = await server(refusal)

    const error = await failure(handleOf(app).send('ping'))

    expect(methods(app)).toEqual(['message/send'])
    expect(error.name).toMatch(/^A2A(Reply|Connection)Error$/)
    expect(error.message).not.toBe('')
  })

  test('the fallback is remembered, and each reply still reports it', async () => {
    await using app = await server(rpcError(-32601, 'Method not found'))
    const agent = handleOf(app)

    await agent.send('one')
    const second = await agent.send('two')

    expect(methods(app)).toEqual(['message/send', 'SendMessage', 'SendMessage'])
    expect(second.findings.filter(({ id }) => id === 'wire/fallback')).toHaveLength(1)
  })

  test('refresh() forgets the fallback', async () => {
    await using app = await server(rpcError(-32601, 'Method not found'))
    const agent = handleOf(app)

    await agent.send('one')
    agent.refresh()
    await agent.send('two')

    expect(methods(app)).toEqual(['message/send', 'SendMessage', 'message/send', 'SendMessage'])
    expect(app.requests.filter(({ method }) => method === 'GET')).toHaveLength(2)
  })

  test('a version that the user set is the only one spoken', async () => {
    await using app = await server(rpcError(-32601, 'Method not found'))

    const error = await failure(handleOf(app, { version: '0.3' }).send('ping'))

    expect(methods(app)).toEqual(['message/send'])
    expect(error).toMatchObject({ code: 'RPC_ERROR', rpcCode: -32601 })
  })
})

test('the reverse: the card says 1.0, the server understands 0.3 only', async () => {
  await using app = await startFixture([
    card10(),
    { on: 'POST /rpc', rpc: 'SendMessage', ...rpcError(-32601, 'Method not found') },
    { on: 'POST /rpc', rpc: 'message/send', ...result(message03('hi')) },
  ])

  const reply = await handleOf(app).send('ping')

  expect(reply).toMatchObject({ text: 'hi', dialect: '0.3', declared: '1.0' })
  expect(reply.findings).toContainEqual(
    expect.objectContaining({
      message: 'card says 1.0, but SendMessage → -32601 and message/send works: declare protocolVersion 0.3',
    }),
  )
})

test('a card that lists both versions is called at its own address for each', async () => {
  await using app = await startFixture([
    card10({ supportedInterfaces: [rpcInterface('1.0'), rpcInterface('0.3', 'http://127.0.0.1:4100/old')] }),
    { on: 'POST /rpc', rpc: 'SendMessage', ...rpcError(-32601, 'Method not found') },
    { on: 'POST /old', rpc: 'message/send', ...result(message03('hi')) },
  ])

  expect(await handleOf(app).send('ping')).toMatchObject({ text: 'hi', dialect: '0.3' })
  expect(posts(app).map(({ path }) => path)).toEqual(['/rpc', '/old'])
})

describe('C05: the server speaks 0.1', () => {
  const old = (card: object) =>
    startFixture([
      card03({ url: 'http://127.0.0.1:4100/', ...card }),
      { on: 'POST /', rpc: 'message/send', ...rpcError(-32601, 'Method not found') },
      {
        on: 'POST /',
        rpc: 'tasks/send',
        ...result({
          id: 't1',
          sessionId: 's1',
          status: { state: 'completed', message: { role: 'agent', parts: [{ type: 'text', text: 'hi' }] } },
        }),
      },
    ])

  test('is detected after message/send, and reported', async () => {
    await using app = await old({})

    const reply = await handleOf(app, {}, { ids: ['message', 'task', 'session'] }).send('ping')

    expect(reply).toMatchObject({
      text: 'hi',
      dialect: '0.1',
      declared: '0.3',
      contextId: 's1',
      taskId: 't1',
    })
    expect(reply.findings).toContainEqual(
      expect.objectContaining({
        id: 'wire/fallback',
        message: expect.stringMatching(
          /^card says 0\.3\.0, but message\/send → -32601 and tasks\/send works: the agent speaks 0\.1$/,
        ) as string,
      }),
    )
    expect(posts(app).map(({ rpc }) => rpc)).toEqual([
      {
        id: 1,
        method: 'message/send',
        params: {
          message: {
            kind: 'message',
            messageId: 'message',
            role: 'user',
            parts: [{ kind: 'text', text: 'ping' }],
          },
          configuration: { blocking: true },
        },
      },
      {
        id: 2,
        method: 'tasks/send',
        params: {
          id: 'task',
          sessionId: 'session',
          message: { role: 'user', parts: [{ type: 'text', text: 'ping' }] },
        },
      },
    ])
  })

  test('a message to 1.0 has neither kind nor type nor configuration', async () => {
    await using app = await startFixture([
      card10(),
      { on: 'POST /rpc', rpc: 'SendMessage', ...result(message10('hi')) },
    ])

    await handleOf(app).send('ping')

    expect(posts(app)[0]?.rpc?.params).toEqual({
      message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'ping' }] },
    })
  })
})

test('a server without any known method fails with the method of the card and everything else that was tried', async () => {
  await using app = await startFixture([
    card10(),
    { on: 'POST /rpc', ...rpcError(-32601, 'Method not found') },
  ])

  const error = await failure(handleOf(app).send('ping'))

  expect(error).toMatchObject({ name: 'A2AReplyError', code: 'RPC_ERROR', rpcCode: -32601 })
  expect(error.message).toContain('SendMessage was answered with error -32601')
  expect(error.message).toContain('; then message/send → -32601, tasks/send → -32601')
})

describe('A2A-Version', () => {
  const exact = { supportedInterfaces: [rpcInterface('1.0.0')] }

  test('is sent once more as the card writes it when Major.Minor is rejected', async () => {
    await using app = await startFixture([
      card10(exact),
      {
        on: 'POST /rpc',
        rpc: 'SendMessage',
        needs: { 'a2a-version': '1.0.0' },
        times: '*',
        ...result(message10('hi')),
      },
      { on: 'POST /rpc', rpc: 'SendMessage', status: 500, ...rpcError(-32009, 'Supported versions: 1.0.0') },
    ])
    const agent = handleOf(app)

    const reply = await agent.send('ping')
    await agent.send('again')

    expect(posts(app).map(({ headers }) => headers['a2a-version'])).toEqual(['1.0', '1.0.0', '1.0.0'])
    expect(reply).toMatchObject({ text: 'hi', dialect: '1.0' })
    expect(reply.findings).toContainEqual(
      expect.objectContaining({
        id: 'wire/version-header',
        message: 'A2A-Version "1.0" was rejected (-32009), so "1.0.0" was sent as the card writes it',
      }),
    )
  })

  test('rejected in both spellings means another dialect', async () => {
    await using app = await startFixture([
      card10(exact),
      { on: 'POST /rpc', rpc: 'SendMessage', ...rpcError(-32009, 'no') },
      { on: 'POST /rpc', rpc: 'message/send', ...result(message03('hi')) },
    ])

    expect(await handleOf(app).send('ping')).toMatchObject({ dialect: '0.3' })
    expect(methods(app)).toEqual(['SendMessage', 'SendMessage', 'message/send'])
  })
})

describe('0.3 over HTTP+JSON', () => {
  const rest = (url = 'http://127.0.0.1:4100/rest') => card03({ url, preferredTransport: 'HTTP+JSON' })
  const options = { binding: 'HTTP+JSON' as const }

  test('sends the ProtoJSON form first', async () => {
    await using app = await startFixture([
      rest(),
      {
        on: 'POST /rest/v1/message:send',
        status: 201,
        json: { message: { messageId: 'm', role: 'ROLE_AGENT', content: [{ text: 'hi' }] } },
      },
    ])

    const reply = await handleOf(app, options).send('ping')

    expect(reply.text).toBe('hi')
    expect(JSON.parse(posts(app)[0]!.body)).toEqual({
      message: { messageId: 'm1', role: 'ROLE_USER', content: [{ text: 'ping' }] },
      configuration: { blocking: true },
    })
  })

  test('sends kind and parts after a proof that it could not be parsed', async () => {
    await using app = await startFixture([
      rest(),
      { on: 'POST /rest/v1/message:send', ifBodyHas: '"kind"', json: message03('hi') },
      {
        on: 'POST /rest/v1/message:send',
        status: 400,
        json: { code: -32602, message: 'message.parts is required' },
      },
    ])
    const agent = handleOf(app, options)

    const reply = await agent.send('ping')

    expect(reply.text).toBe('hi')
    expect(JSON.parse(posts(app)[1]!.body)).toEqual({
      message: { kind: 'message', messageId: 'm1', role: 'user', parts: [{ kind: 'text', text: 'ping' }] },
      configuration: { blocking: true },
    })
    expect(reply.findings).toContainEqual(expect.objectContaining({ id: 'wire/rest-body', level: 'warning' }))
    await agent.send('again')
    expect(posts(app)).toHaveLength(3)
  })

  test('never after a bare 5xx', async () => {
    await using app = await startFixture([
      rest(),
      { on: 'POST /rest/v1/message:send', status: 500, text: 'oops' },
    ])

    expect(await failure(handleOf(app, options).send('ping'))).toMatchObject({
      code: 'HTTP_STATUS',
      status: 500,
    })
    expect(posts(app)).toHaveLength(1)
  })

  test('does not double a /v1 of the card', async () => {
    await using app = await startFixture([
      rest('http://127.0.0.1:4100/rest/v1'),
      { on: 'POST /rest/v1/message:send', json: message03('hi') },
    ])

    expect((await handleOf(app, options).send('ping')).text).toBe('hi')
    expect(posts(app).map(({ path }) => path)).toEqual(['/rest/v1/message:send'])
  })

  test('falls back to 1.0 if the paths are those of 1.0', async () => {
    await using app = await startFixture([rest(), { on: 'POST /rest/message:send', json: message10('hi') }])

    const reply = await handleOf(app, options).send('ping')

    expect(reply).toMatchObject({ text: 'hi', dialect: '1.0', declared: '0.3' })
    expect(reply.findings).toContainEqual(
      expect.objectContaining({
        message:
          'card says 0.3.0, but POST /v1/message:send → HTTP 404 and POST /message:send works: declare protocolVersion 1.0',
      }),
    )
  })
})

describe('an endpoint without a card', () => {
  test('is probed from SendMessage to tasks/send', async () => {
    await using app = await startFixture([
      {
        on: 'POST /rpc',
        rpc: 'tasks/send',
        ...result({
          id: 't',
          status: { state: 'completed' },
          artifacts: [{ parts: [{ type: 'text', text: 'hi' }] }],
        }),
      },
      { on: 'POST /rpc', ...rpcError(-32601, 'no such method') },
    ])

    const reply = await handleOf(app, { endpoint: `${app.origin}/rpc` }).send('ping')

    expect(methods(app)).toEqual(['SendMessage', 'message/send', 'tasks/send'])
    expect(reply).toMatchObject({ text: 'hi', dialect: '0.1' })
    expect(reply).not.toHaveProperty('declared')
    expect(reply.findings.map(({ id }) => id)).not.toContain('wire/fallback')
  })

  test('with a version is called at once, with no request for the card', async () => {
    await using app = await startFixture([
      { on: 'POST /rpc', rpc: 'message/send', ...result(message03('hi')) },
    ])

    const reply = await handleOf(app, { endpoint: `${app.origin}/rpc`, version: '0.3' }).send('ping')

    expect(reply.text).toBe('hi')
    expect(app.requests).toHaveLength(1)
  })

  test('takes its version from the card if it has one', async () => {
    await using app = await startFixture([
      card03(),
      { on: 'POST /other', rpc: 'message/send', ...result(message03('hi')) },
    ])

    const reply = await handleOf(app, { endpoint: `${app.origin}/other` }).send('ping')

    expect(reply).toMatchObject({ text: 'hi', dialect: '0.3', declared: '0.3' })
    expect(methods(app)).toEqual(['message/send'])
  })
})
