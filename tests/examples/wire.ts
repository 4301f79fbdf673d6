/** The raw wire for the tests of demo agents: no client of ours in between. */

// Answers of any shape are read here, so their JSON is left untyped.
// eslint-disable-next-line typescript/no-explicit-any
type AnyJson = any

export async function post(
  url: string,
  method: string,
  params: unknown,
  headers: Record<string, string> = {},
  id: unknown = 1,
): Promise<{ status: number; headers: Headers; json: AnyJson }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
  return postRaw(url, body, headers)
}

export async function postRaw(
  url: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; json: AnyJson }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return { status: response.status, headers: response.headers, json: JSON.parse(await response.text()) }
}

/** Every text of a value, in the order in which it stands there. */
export function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsOf(inner),
  )
}

export function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}

/** An event stream that is read event by event, as a client without a library would. */
export interface RawStream {
  status: number
  headers: Headers
  /** The next event; undefined when the stream has ended. Rejects when the connection broke. */
  next(): Promise<AnyJson>
  /** All that follow. */
  rest(): Promise<AnyJson[]>
  abort(): void
}

export async function openStream(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<RawStream> {
  const stop = new AbortController()
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'text/event-stream', ...headers },
    signal: stop.signal,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<AnyJson> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end !== -1) {
        const event = text.slice(0, end)
        text = text.slice(end + 2)
        return JSON.parse(event.slice('data: '.length))
      }
      const read = await reader?.read()
      if (!read || read.done) return undefined
      text += read.value
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    next,
    async rest() {
      const events: AnyJson[] = []
      for (let event = await next(); event !== undefined; event = await next()) events.push(event)
      return events
    },
    abort: () => stop.abort(),
  }
}

/** A JSON-RPC request as it stands on the wire. */
export function rpc(method: string, params: unknown, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, params }
}

/** Hands out what is put in, and counts, so that an id too many or too few is seen. */
export function queue(): { next(): string; put(...ids: string[]): void; left(): number } {
  const ids: string[] = []
  return {
    next: () => ids.shift() ?? 'no id left',
    put: (...more) => void ids.push(...more),
    left: () => ids.length,
  }
}
