import { describe, expect, test } from 'vitest'
import { startFixture } from '../../support/fixtureServer.ts'
import {
  artifacts03,
  card03,
  card10,
  failure,
  handleOf,
  message03,
  methods,
  posts,
  result,
  rpcError,
  task03,
} from '../../client/support.ts'

const on = (rpc: string, ...answer: object[]) => Object.assign({ on: 'POST /rpc', rpc }, ...answer)

describe('A05, A11: a dead address of the card', () => {
  test('a connection error names the card as the source of the address', async () => {
    await using closed = await startFixture([])
    await closed.close()
    await using helpdesk = await startFixture([card03({ url: `${closed.origin}/rpc` })])

    const error = await failure(handleOf(helpdesk).send('ping'))

    expect(error).toMatchObject({ name: 'A2AConnectionError', code: 'UNREACHABLE' })
    expect(error.message).toContain('the address comes from the agent card (url)')
    expect(error.fix).toContain('Option endpoint calls another address')
  })

  test('a path that a gateway doubled', async () => {
    const doubled = 'http://127.0.0.1:4100/a2a/tick/a2a/tock/'
    await using helpdesk = await startFixture({
      base: 'http://127.0.0.1:4100/a2a/tick',
      exchange: [
        {
          ...card10({
            supportedInterfaces: [{ url: doubled, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
          }),
          on: 'GET /a2a/tick/.well-known/agent-card.json',
        },
        { on: 'POST /a2a/tick/a2a/tock/', status: 404, text: 'no route' },
      ],
    })

    const error = await failure(handleOf(helpdesk).send('ping'))

    expect(error).toMatchObject({ name: 'A2AReplyError', code: 'HTTP_STATUS', status: 404 })
    expect(error.message).toContain(`POST ${helpdesk.fill(doubled)}`)
    expect(error.message).toContain('404')
    expect(error.message).toContain('this address comes from the agent card (supportedInterfaces[0].url)')
    expect(error.message).toContain('path looks doubled by a proxy')
  })
})

describe('A07: a relative url', () => {
  test.each(['/a2a/desk', '../a2a/desk'])('%s is read against the card, with a warning', async (url) => {
    await using helpdesk = await startFixture([
      card03({ url }),
      { on: 'POST /a2a/desk', rpc: 'message/send', ...result(message03('hi')) },
    ])

    const reply = await handleOf(helpdesk).send('ping')

    expect(reply.text).toBe('hi')
    expect(reply.findings).toContainEqual(
      expect.objectContaining({ id: 'wire/relative-address', level: 'warning', path: 'url' }),
    )
  })

  test('an empty one has no reading', async () => {
    await using helpdesk = await startFixture([card03({ url: '' })])

    expect(await failure(handleOf(helpdesk).send('ping'))).toMatchObject({
      code: 'NO_INTERFACE',
      message: expect.stringContaining('its url is ""') as string,
    })
    expect(posts(helpdesk)).toEqual([])
  })
})

describe('D: errors', () => {
  const refused = async (answer: object) => {
    await using helpdesk = await startFixture([card03(), on('message/send', answer)])
    return { error: await failure(handleOf(helpdesk).send('ping')), requests: posts(helpdesk).length }
  }

  test('401 with a JSON body that is not JSON-RPC (D01)', async () => {
    const { error } = await refused({
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="helpdesk"' },
      json: { error: 'token expired' },
    })

    expect(error).toMatchObject({ name: 'A2AReplyError', code: 'HTTP_STATUS', status: 401, transient: false })
    for (const part of ['401', 'token expired', 'POST http://127.0.0.1', 'Bearer realm="helpdesk"']) {
      expect(error.message).toContain(part)
    }
    expect(error.message).not.toContain('event-stream')
  })

  test('500 with a JSON-RPC error shows both (D01)', async () => {
    const { error } = await refused({ status: 500, ...rpcError(-32603, 'boom') })

    expect(error).toMatchObject({ code: 'RPC_ERROR', rpcCode: -32603, status: 500 })
    expect(error.message).toContain('-32603')
    expect(error.message).toContain('boom')
    expect(error.message).toContain('HTTP 500')
  })

  test.each([
    [429, { 'retry-after': '5' }],
    [502, { 'content-type': 'text/html' }],
    [503, {}],
    [504, {}],
  ])('%i is transient (D01)', async (status, headers) => {
    const { error, requests } = await refused({ status, headers, text: 'busy' })

    expect(error).toMatchObject({ code: 'HTTP_STATUS', status, transient: true })
    expect(requests).toBe(1)
  })

  test('204 without a body is not an answer (D01)', async () => {
    const { error } = await refused({ status: 204 })

    expect(error).toMatchObject({ name: 'A2AReplyError' })
    expect(error.message).toContain('204')
  })

  test('a JSON-RPC error with HTTP 200 (D02)', async () => {
    const { error } = await refused(rpcError(-32004, 'streaming is off'))

    expect(error).toMatchObject({ code: 'RPC_ERROR', rpcCode: -32004, status: 200 })
    expect(error.message).toContain('streaming is off')
  })

  test.each([200, 400, 500])(
    'the HTTP status around a JSON-RPC error does not matter: %i (D04)',
    async (status) => {
      const { error } = await refused({ status, ...rpcError(-32602, 'no parts') })

      expect(error).toMatchObject({ code: 'RPC_ERROR', rpcCode: -32602, status })
    },
  )
})

describe('E: where the text is', () => {
  test('E01: a reply that comes as an event stream, in which each level repeats the answer', async () => {
    const event = (value: object) =>
      `data: ${JSON.stringify({ jsonrpc: '2.0', id: '$id', result: value })}\n\n`
    const status = (state: string, final: boolean, role?: string, text?: string) => ({
      kind: 'status-update',
      taskId: 't1',
      contextId: 'c1',
      final,
      status: {
        state,
        ...(role && {
          message: { kind: 'message', messageId: `m-${state}`, role, parts: [{ kind: 'text', text }] },
        }),
      },
    })
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', {
        sse: [
          event(status('submitted', false, 'user', 'capital?')),
          event(status('working', false, 'agent', 'Oslo')),
          event({
            kind: 'artifact-update',
            taskId: 't1',
            contextId: 'c1',
            lastChunk: true,
            artifact: { artifactId: 'a1', parts: [{ kind: 'text', text: 'Oslo' }] },
          }),
          event(status('completed', true)),
        ],
      }),
    ])

    const reply = await handleOf(helpdesk).send('capital?')

    expect(reply).toMatchObject({
      text: 'Oslo',
      state: 'completed',
      progress: ['Oslo'],
      taskId: 't1',
      contextId: 'c1',
    })
    expect(methods(helpdesk)).toEqual(['message/send'])
  })

  test.each([null, []])('E02: artifacts %j, the text is in the status message', async (artifacts) => {
    const message = { ...message03('All set.') }
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', result(task03('completed', { artifacts, status: { state: 'completed', message } }))),
    ])

    const reply = await handleOf(helpdesk).send('go')

    expect(reply).toMatchObject({ text: 'All set.', artifacts: [] })
    expect(reply.findings).toEqual([])
  })

  test('E02, variant 2: the question of an interrupted task comes before its draft', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on(
        'message/send',
        result(
          task03('input-required', {
            ...artifacts03('draft'),
            status: { state: 'input-required', message: message03('Send it?') },
          }),
        ),
      ),
    ])

    const reply = await handleOf(helpdesk).send('write')

    expect(reply.text).toBe('Send it?')
    expect(reply.artifacts).toMatchObject([{ parts: [{ text: 'draft' }] }])
  })

  test.each([
    ['TASK_STATE_FAILED', 'quota used up', { state: 'failed', text: '', reason: 'quota used up' }],
    ['TASK_STATE_CANCELED', undefined, { state: 'canceled', text: '' }],
    ['TASK_STATE_REJECTED', 'not my job', { state: 'rejected', text: '', reason: 'not my job' }],
    ['TASK_STATE_AUTH_REQUIRED', 'sign in', { state: 'auth-required', text: 'sign in' }],
  ])('E05: %s', async (state, text, expected) => {
    const message = text && { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text }] }
    await using helpdesk = await startFixture([
      card10(),
      on(
        'SendMessage',
        result({ task: { id: 't1', contextId: 'c1', status: { state, ...(message && { message }) } } }),
      ),
    ])

    expect(await handleOf(helpdesk).send('go')).toMatchObject(expected)
  })
})
