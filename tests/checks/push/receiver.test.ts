import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openReceiver } from '../../../src/checks/push/receiver.ts'

const signal = new AbortController().signal
const post = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body, headers })

describe('a receiver', () => {
  test('keeps what is posted, with its headers, and answers 200', async () => {
    await using receiver = await openReceiver({ secret: 's1' })
    expect(receiver.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/a2a-push\/s1$/)

    const answer = await post(receiver.url, '{"a":"ä"}', { 'X-A2A-Notification-Token': 'tok' })

    expect(answer.status).toBe(200)
    expect(receiver.arrivals).toEqual([
      {
        at: expect.any(Number),
        headers: expect.objectContaining({ 'x-a2a-notification-token': 'tok' }),
        body: '{"a":"ä"}',
        truncated: false,
      },
    ])
  })

  test('echoes the validation token of 0.1', async () => {
    await using receiver = await openReceiver({ secret: 's1' })

    const answer = await fetch(`${receiver.url}?validationToken=a%2Fb`)

    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/plain',
      'a/b',
    ])
    expect([receiver.arrivals, receiver.strays]).toEqual([[], []])
  })

  test('rejects other paths and methods, and records them without its own path', async () => {
    await using receiver = await openReceiver({ secret: 's1' })

    const elsewhere = await post(new URL('/hook', receiver.url).href, '{}')
    const put = await fetch(receiver.url, { method: 'PUT', body: '{}' })

    expect([elsewhere.status, put.status, put.headers.get('allow')]).toEqual([404, 405, 'POST'])
    expect(receiver.arrivals).toEqual([])
    expect(receiver.strays).toEqual(['POST /hook', 'PUT /a2a-push/'])
  })

  test('reads no more than 4 MiB of a body', async () => {
    await using receiver = await openReceiver({ secret: 's1' })

    await post(receiver.url, 'x'.repeat(4 * 1024 * 1024 + 1)).catch(() => undefined)

    expect(receiver.arrivals.map(({ body, truncated }) => [body, truncated])).toEqual([['', true]])
  })

  test('keeps no more than 1000 notifications', async () => {
    await using receiver = await openReceiver({ secret: 's1' })
    const { port, pathname } = new URL(receiver.url)
    const one = `POST ${pathname} HTTP/1.1\r\nhost: here\r\ncontent-length: 2\r\n\r\n{}`
    const socket = connect(Number(port), '127.0.0.1')
    const answered = new Promise<void>((resolve) => {
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1')
        if (text.split('HTTP/1.1 200').length > 1001) resolve()
      })
    })
    socket.write(one.repeat(1001))
    await answered
    socket.destroy()

    expect(receiver.arrivals).toHaveLength(1000)
  })

  test('is reached behind a public address, with any path prefix', async () => {
    await using receiver = await openReceiver({
      secret: 's1',
      publicUrl: 'https://tunnel.example.com/here/',
      port: 0,
    })
    expect(receiver.url).toBe('https://tunnel.example.com/here/a2a-push/s1')
  })

  test('listens at a host in brackets', async () => {
    await using receiver = await openReceiver({ secret: 's1', host: '::1' })

    expect(receiver.url).toMatch(/^http:\/\/\[::1\]:\d+\//)
    expect((await post(receiver.url, '{}')).status).toBe(200)
  })

  test('says why it cannot listen', async () => {
    await using first = await openReceiver({ secret: 's1' })
    const port = Number(new URL(first.url).port)

    await expect(openReceiver({ secret: 's2', port })).rejects.toMatchObject({
      name: 'A2AUsageError',
      code: 'BAD_OPTIONS',
      message: `cannot listen for push notifications at 127.0.0.1:${port}: the port is in use.`,
      fix: 'Pass another `port` or `host`, or run tests that share one sequentially.',
    })
  })
})

describe('waiting', () => {
  test('ends with a notification, or with the timeout', async () => {
    await using receiver = await openReceiver({ secret: 's1' })
    const next = receiver.next(10_000, signal)
    await post(receiver.url, '{}')

    expect(await next).toBe(true)
    expect(await receiver.next(1, signal)).toBe(false)
  })

  test('rejects with the reason of the signal', async () => {
    await using receiver = await openReceiver({ secret: 's1' })
    const controller = new AbortController()
    const next = receiver.next(10_000, controller.signal)
    controller.abort(new Error('stopped'))

    await expect(next).rejects.toThrow('stopped')
    await expect(receiver.next(10_000, controller.signal)).rejects.toThrow('stopped')
  })
})

describe('closing', () => {
  test('ends open connections, even in the middle of a request', async () => {
    const receiver = await openReceiver({ secret: 's1' })
    const { port, pathname } = new URL(receiver.url)
    const idle = connect(Number(port), '127.0.0.1')
    const half = request(receiver.url, { method: 'POST', headers: { 'content-length': '10' } })
    half.write('x')
    const ended = Promise.all([
      new Promise((resolve) => idle.once('close', resolve)),
      new Promise((resolve) => half.once('error', resolve)),
    ])
    await new Promise((resolve) => idle.once('connect', resolve))
    await post(receiver.url, '{}')

    await receiver.close()

    await ended
    await expect(post(`http://127.0.0.1:${port}${pathname}`, '{}')).rejects.toThrow('fetch failed')
    await receiver.close()
  })

  test('does not keep the process alive', async () => {
    const before = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length
    await using receiver = await openReceiver({ secret: 's1' })
    await post(receiver.url, '{}')

    // Lists what keeps the process alive, and only that.
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap')).toHaveLength(before)
    expect(receiver.arrivals).toHaveLength(1)
  })
})
