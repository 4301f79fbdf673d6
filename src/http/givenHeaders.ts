import { A2AUsageError } from '../core/errors.ts'
import type { GivenHeaders, HeaderSource } from './types.ts'

/** Headers and query parameters made from the credentials of a card's security schemes. */
export type Authorize = (about: { refresh: boolean }) => Promise<GivenHeaders>

/** What the user adds to one request. */
export interface Given extends GivenHeaders {
  /** False withholds the client certificate. */
  certificate?: false
}

const sensitive = /auth|cookie|token|secret|key|password|session|signature|credential/i

export interface GivenSourceOptions {
  headers?: HeaderSource | undefined
  authorize?: Authorize | undefined
  typedUrl?: string | undefined
  /** Told every secret. */
  sink?: ((value: string) => void) | undefined
}

/** Joins the user's headers, the credentials, and a name and password in the typed address. */
export class GivenSource {
  readonly #options: GivenSourceOptions
  readonly #inAddress: Record<string, string>
  #names: string[] | undefined

  constructor(options: GivenSourceOptions) {
    const authorization = basicOf(options.typedUrl)
    this.#options = options
    this.#inAddress = authorization === undefined ? {} : { authorization }
  }

  /** True when asking again may give other credentials. */
  get renewable(): boolean {
    return typeof this.#options.headers === 'function' || this.#options.authorize !== undefined
  }

  /** What to send to an origin that may see it, where no function has to be asked. */
  now(): Given | undefined {
    const { headers, authorize } = this.#options
    return typeof headers === 'function' || authorize !== undefined ? undefined : this.#join(headers)
  }

  /** What to send to an origin that may see it. */
  async make(url: URL, refresh: boolean): Promise<Given> {
    const { headers, authorize } = this.#options
    const own = typeof headers === 'function' ? await headers({ url: url.href, refresh }) : headers
    return this.#join(own, await authorize?.({ refresh }))
  }

  /** Names of all that another origin does not get to see. */
  async names(): Promise<string[]> {
    if (this.#names !== undefined) return this.#names
    const { headers, typedUrl } = this.#options
    // The values stay here; only their names are needed.
    if (typedUrl === undefined || typeof headers === 'function')
      return Object.keys(typeof headers === 'object' ? headers : {})
    return Object.keys((await this.make(new URL(typedUrl), false)).headers)
  }

  #join(own: Record<string, string> = {}, credentials?: GivenHeaders): Given {
    const { sink } = this.#options
    const headers = {
      ...this.#inAddress,
      ...checked(credentials?.headers ?? {}, 'credentials'),
      ...checked(own, 'headers'),
    }
    const query = credentials?.query ?? {}
    if (sink !== undefined) {
      for (const [name, value] of Object.entries(headers)) reportSecret(sink, name, value)
      for (const value of Object.values(query)) sink(value)
    }
    this.#names = [...Object.keys(headers), ...Object.keys(query)]
    return { headers, query }
  }
}

function checked(headers: Record<string, string>, option: string): Record<string, string> {
  const lower: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    // Omitted on purpose: `{authorization: process.env.TOKEN && …}`.
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

function reportSecret(sink: (value: string) => void, name: string, value: string): void {
  // Short values of harmless headers would mask half of a message.
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
