import { Readable } from 'node:stream'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { loggedBody, loggedBytes, readAll } from '../../src/http/body.ts'
import { failure, get, post, serve, transportFor } from './support.ts'

describe('the body', () => {
  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['identity', (text: string) => Buffer.from(text)],
  ] as const)('%s is undone', async (encoding, pack) => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding })
      response.end(pack('{"name":"Blåbær 🫐"}'))
    })
    const response = await transportFor().open(get(server.url))
    expect(await response.text()).toBe('{"name":"Blåbær 🫐"}')
    expect(response.exchange.responseBody).toBe('{"name":"Blåbær 🫐"}')
  })

  test('an empty compressed body is empty', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end()
    })
    expect(await (await transportFor().open(get(server.url))).text()).toBe('')
  })

  test.each([
    ['gzip', 'plain text', /says content-encoding "gzip", but its body is not gzip/],
    ['zstd', 'whatever', /has content-encoding "zstd", which was not asked for/],
  ])('a body that is not %s is the fault of the agent', async (encoding, body, message) => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding })
      response.end(body)
    })
    const error = await failure((await transportFor().open(get(server.url))).text())
    expect(error).toMatchObject({ name: 'A2AReplyError', code: 'BAD_REPLY' })
    expect(error.message).toMatch(message)
  })

  test('a byte order mark is dropped and a charset of text is obeyed', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/bom') return void response.end('\ufeff{}')
      response.writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' })
      response.end(Buffer.from('Größe', 'latin1'))
    })
    const transport = transportFor()
    expect(await (await transport.open(get(`${server.url}/bom`))).text()).toBe('{}')
    expect(await (await transport.open(get(`${server.url}/`))).text()).toBe('Größe')
  })

  test.each(['announced', 'endless', 'compressed'])(
    'a body that is too large is refused: %s',
    async (kind) => {
      const server = await serve((_, response) => {
        if (kind === 'announced') return void response.end('x'.repeat(2_000))
        if (kind === 'compressed') {
          response.writeHead(200, { 'content-encoding': 'gzip' })
          return void response.end(gzipSync('x'.repeat(100_000)))
        }
        response.on('error', () => {})
        const more = (): void =>
          void (response.write('x'.repeat(1_000)) ? setImmediate(more) : response.once('drain', more))
        more()
      })
      const response = await transportFor().open(
        get(server.url, { maxBytes: 1_000, maxBytesOption: 'maxCardBytes' }),
      )
      const error = await failure(response.text())
      expect(error).toMatchObject({ name: 'A2APolicyError', code: 'TOO_LARGE' })
      expect(error.message).toBe(
        `the answer to GET ${server.url}/ is larger than 1000 bytes (option limits.maxCardBytes)`,
      )
      expect(response.exchange.error).toBe(error)
    },
  )

  test('the log keeps the first 64 KiB', async () => {
    const server = await serve((_, response) => void response.end('x'.repeat(100_000)))
    const response = await transportFor().open(post(server.url, 'y'.repeat(100_000)))
    expect(await response.text()).toHaveLength(100_000)
    expect(response.exchange.responseBody).toHaveLength(65_536)
    expect(response.exchange.responseBytes).toBe(100_000)
    expect(response.exchange.requestBody).toHaveLength(65_536)
  })

  test('the log leaves files out of a long request, and so keeps what stands behind them', async () => {
    const server = await serve((_, response) => void response.end('{}'))
    const body = JSON.stringify({ bytes: Buffer.alloc(100_000).toString('base64'), name: 'p.png' })
    const response = await transportFor().open(post(server.url, body))
    expect(response.exchange.requestBody).toBe('{"bytes":"<100000 bytes>","name":"p.png"}')
  })

  test('a connection that breaks within the body', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('0123456789', () => response.destroy())
    })
    const error = await failure((await transportFor().open(get(server.url))).text())
    expect(error).toMatchObject({ name: 'A2AConnectionError', code: 'UNREACHABLE' })
    expect(error.message).toMatch(
      /^the connection broke within the answer to GET http:\S+, after 10 bytes \(/,
    )
    expect(error.cause).toBeDefined()
  })

  test('chunks end the connection when they are left early', async () => {
    let closed = (): void => {}
    const gone = new Promise<void>((resolve) => (closed = resolve))
    const server = await serve((_, response) => {
      response.on('close', closed)
      response.write('first')
    })
    const response = await transportFor().open(get(server.url))
    for await (const chunk of response.chunks()) {
      expect(Buffer.from(chunk).toString()).toBe('first')
      break
    }
    await gone
    expect(response.exchange.responseBody).toBe('first')
  })
})

describe('reading a whole body', () => {
  test('gives every chunk, then ends', async () => {
    const chunks: string[] = []
    await readAll(Readable.from([Buffer.from('a'), Buffer.from('b')]), (chunk) => chunks.push(String(chunk)))
    expect(chunks).toEqual(['a', 'b'])
  })

  test('meets an error that came before anybody read', async () => {
    const stream = new Readable({ read() {} })
    stream.on('error', () => {})
    const closed = new Promise((resolve) => stream.once('close', resolve))
    stream.destroy(new Error('cut off'))
    await closed
    await expect(readAll(stream, () => {})).rejects.toThrow('cut off')
  })

  test('stops at the first chunk that is refused', async () => {
    const seen: string[] = []
    const stream = Readable.from(['a', 'b', 'c'].map((text) => Buffer.from(text)))
    const refused = readAll(stream, (chunk) => {
      seen.push(String(chunk))
      throw new Error('too large')
    })
    await expect(refused).rejects.toThrow('too large')
    expect(seen).toEqual(['a'])
    expect(stream.destroyed).toBe(true)
  })
})

describe('the log of a request body', () => {
  const file = (size: number): string => Buffer.alloc(size, 'a2a').toString('base64')
  const body = (...files: string[]): string =>
    JSON.stringify({ parts: files.map((bytes) => ({ file: { bytes } })), text: 'The "end"' })

  test.each([
    ['a short body as it is', body(file(2_000)), body(file(2_000))],
    [
      'a long one without its files',
      body(file(60_000), file(60_001)),
      body('<60000 bytes>', '<60001 bytes>'),
    ],
    ['a string after a quote that was escaped', `"\\"${file(60_000)}"`, '"\\"<60000 bytes>"'],
    ['a short string of base64', body('abcd', file(60_000)), body('abcd', '<60000 bytes>')],
  ])('keeps %s', (_, given, kept) => {
    expect(loggedBody(given)).toBe(kept)
  })

  test.each([
    ['long text', JSON.stringify({ text: 'so long '.repeat(20_000) })],
    ['a body that is not JSON', 'so long '.repeat(20_000)],
    ['a file that the body ends in', `{"bytes":"${file(100_000)}`],
  ])('keeps the first 64 KiB of %s', (_, given) => {
    expect(loggedBody(given)).toBe(given.slice(0, loggedBytes))
  })
})
