import { A2AUsageError } from '../core/errors.ts'
import type { GivenHeaders, HeaderSource } from './types.ts'

/** Headers and query parameters made from the credentials of a card's security schemes. */
export type Authorize = (about: {
  refresh: boolean
}) => Promise<{ headers: Record<string, string>; query: Record<string, string> }>

/** What goes along with a request. */
export interface Given extends GivenHeaders {
  /** False keeps the client certificate back. */
  certificate?: false
}

export interface GivenSource {
  /** What to send to an origin that may see it. */
  make(url: URL, refresh: boolean): Promise<Given>
  /** Names of all that another origin does not get to see. */
  names(): Promise<string[]>
  /** True when asking anew may give other credentials. */
  readonly renewable: boolean
}

const sensitive = /auth|cookie|token|secret|key|password|session|signature|credential/i

/** Joins the user's headers, the credentials, and a name and password in the typed address; tells `sink` every secret. */
export function givenSource(options: {
  headers?: HeaderSource
  authorize?: Authorize
  typedUrl?: string
  sink?: (value: string) => void
}): GivenSource {
  const { headers, authorize, typedUrl, sink } = options
  const inAddress = basicOf(typedUrl)
  let lastNames: string[] | undefined

  async function make(url: URL, refresh: boolean): Promise<Given> {
    const fixed = typeof headers === 'function' ? await headers({ url: url.href, refresh }) : (headers ?? {})
    const credentials = await authorize?.({ refresh })
    const made: Given = {
      headers: {
        ...(inAddress === undefined ? {} : { authorization: inAddress }),
        ...checked(credentials?.headers ?? {}, 'credentials'),
        ...checked(fixed, 'headers'),
      },
      query: credentials?.query ?? {},
    }
    if (sink !== undefined) {
      for (const [name, value] of Object.entries(made.headers)) tell(sink, name, value)
      for (const value of Object.values(made.query)) sink(value)
    }
    lastNames = [...Object.keys(made.headers), ...Object.keys(made.query)]
    return made
  }

  return {
    make,
    renewable: typeof headers === 'function' || authorize !== undefined,
    async names() {
      if (lastNames !== undefined) return lastNames
      // The values stay here; only what they are called is needed.
      if (typedUrl === undefined || typeof headers === 'function')
        return Object.keys(typeof headers === 'object' ? headers : {})
      return Object.keys({ ...(await make(new URL(typedUrl), false)).headers })
    },
  }
}

function checked(headers: Record<string, string>, option: string): Record<string, string> {
  const lower: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    // Left out on purpose: `{authorization: process.env.TOKEN && …}`.
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' || /[\r\n\0]/.test(value) || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      throw new A2AUsageError('BAD_OPTIONS', `option ${option}: "${name}" cannot be sent as an HTTP header`, {
        fix:
          typeof value === 'string'
            ? 'Names are letters, digits and dashes; values have no line breaks (a token read from a file may end in one).'
            : `Its value must be a string, not ${typeof value}.`,
      })
    }
    lower[name.toLowerCase()] = value
  }
  return lower
}

function tell(sink: (value: string) => void, name: string, value: string): void {
  // Short values of harmless headers would blot out half of a message.
  if (value === '' || (!sensitive.test(name) && value.length < 4)) return
  sink(value)
  const token = /^(?:Bearer|Basic|Token|ApiKey)\s+(\S+)$/i.exec(value)?.[1]
  if (token !== undefined) sink(token)
}

function basicOf(typedUrl: string | undefined): string | undefined {
  if (typedUrl === undefined) return undefined
  const { username, password } = new URL(typedUrl)
  if (username === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
}
