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
