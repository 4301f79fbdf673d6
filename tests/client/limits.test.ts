import { endsAt } from './support.ts'
import { describe, expect, test } from 'vitest'
import { startFixture } from '../support/fixtureServer.ts'
import { manualClock } from '../support/manualClock.ts'
import {
  artifacts03,
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
  task03,
} from './support.ts'

const on = (rpc: string, ...answer: object[]) => Object.assign({ on: 'POST /rpc', rpc }, ...answer)

describe('J01: slow agents', () => {
  test('get 60 s by default', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', { delayMs: 8000 }, result(message03('slow hi'))),
    ])
    const clock = manualClock()
    const sending = handleOf(helpdesk, {}, { deps: { clock } }).send('ping')

    await helpdesk.held()
    await clock.advance(8000)
    helpdesk.release()

    expect((await sending).text).toBe('slow hi')
  })

  test('fail with the name of the limit', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', { delayMs: 8000 }, result(message03('slow hi'))),
    ])
    const clock = manualClock()
    const sending = failure(handleOf(helpdesk, { requestTimeoutMs: 2000 }, { deps: { clock } }).send('ping'))

    await helpdesk.held()
    await clock.advance(2000)

    const error = await sending
    helpdesk.release()
    expect(error).toMatchObject({ name: 'A2AConnectionError', code: 'TIMEOUT' })
    expect(error.message).toContain(
      `no response headers from POST ${helpdesk.origin}/rpc within 2000 ms (option requestTimeoutMs)`,
    )
  })

  test('are limited by the remaining time of the test', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', { delayMs: 8000 }, result(message03('slow hi'))),
    ])
    const clock = manualClock()
    const sending = failure(
      handleOf(helpdesk, {}, { deps: { clock } }).send('ping', { signal: endsAt(clock.now() + 3000) }),
    )

    await helpdesk.held()
    await clock.advance(3000)

    const error = await sending
    helpdesk.release()
    expect(error).toMatchObject({ code: 'DEADLINE' })
    expect(error.message).toContain('within 3000 ms (option deadlineMs)')
  })

  test('end as soon as the signal is aborted', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', { delayMs: 8000 }, result(message03('slow hi'))),
    ])
    const controller = new AbortController()
    const sending = failure(handleOf(helpdesk).send('ping', { signal: controller.signal }))

    await helpdesk.held()
    controller.abort()

    expect(await sending).toMatchObject({ name: 'A2AConnectionError', code: 'ABORTED' })
    helpdesk.release()
  })
})

describe('J03: large files', () => {
  const bytes = Buffer.alloc(1_048_576).toString('base64')
  const png = { kind: 'file' as const, bytes, mediaType: 'image/png', name: 'p.png' }

  test('HTTP 413 is reported with the size', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', {
        ifBodyLargerThan: 1_000_000,
        status: 413,
        headers: { 'content-type': 'text/plain' },
        text: 'Payload Too Large',
      }),
    ])

    const error = await failure(handleOf(helpdesk).send(['look', png]))

    const sent = Buffer.byteLength(posts(helpdesk)[0]!.body)
    expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 413 })
    expect(error.message).toContain(
      `HTTP 413 for a request of ${sent} bytes (file part p.png: 1048576 bytes before base64)`,
    )
    expect(error.message).not.toContain('AAAAAAAA')
  })

  test('a JSON-RPC error is reported with the size, too', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', rpcError(-32600, 'content too long')),
    ])

    const error = await failure(handleOf(helpdesk).send([png]))

    const sent = Buffer.byteLength(posts(helpdesk)[0]!.body)
    expect(error).toMatchObject({ code: 'RPC_ERROR', rpcCode: -32600 })
    expect(error.message).toContain('content too long')
    expect(error.message).toContain(
      `for a request of ${sent} bytes (file part p.png: 1048576 bytes before base64)`,
    )
    expect(methods(helpdesk)).toEqual(['message/send'])
  })

  test.each([
    [
      '0.3',
      card03(),
      'message/send',
      message03('ok'),
      { kind: 'file', file: { bytes, mimeType: 'image/png', name: 'p.png' } },
    ],
    [
      '1.0',
      card10(),
      'SendMessage',
      message10('ok'),
      { raw: bytes, mediaType: 'image/png', filename: 'p.png' },
    ],
  ])('%s: the file as that version writes it, and no echo of it', async (_, card, method, answer, part) => {
    await using helpdesk = await startFixture([card, on(method, result(answer))])

    await handleOf(helpdesk).send([png])

    expect(posts(helpdesk)[0]?.rpc?.params).toMatchObject({
      message: { parts: [part] },
      configuration: { historyLength: 0 },
    })
  })

  test('a small file leaves the history alone', async () => {
    await using helpdesk = await startFixture([card10(), on('SendMessage', result(message10('ok')))])

    await handleOf(helpdesk).send([{ ...png, bytes: 'AAAA' }])

    expect(posts(helpdesk)[0]?.rpc?.params).not.toHaveProperty('configuration')
  })

  test('get-task does not ask for the history either', async () => {
    await using helpdesk = await startFixture([
      card03(),
      on('message/send', result(task03('working'))),
      on('tasks/get', result(task03('completed', artifacts03('hi')))),
    ])

    await handleOf(helpdesk).send([png])

    expect(posts(helpdesk)[2]?.rpc).toMatchObject({
      method: 'tasks/get',
      params: { id: 't1', historyLength: 0 },
    })
  })
})
