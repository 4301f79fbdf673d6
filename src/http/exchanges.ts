import { loggedBody } from './body.ts'
import type { Exchange, HttpRequest } from './types.ts'

/** The most that the log of one handle holds, in characters of its bodies and an allowance for everything else. */
const mostCharacters = 16_777_216
const allowance = 2_048

/** The exchanges of one handle, oldest first. Beyond 16 MiB the oldest are forgotten, and their bodies with them. */
export class ExchangeLog {
  readonly all: Exchange[] = []
  #characters = 0

  start({ purpose, method, url, headers, body }: HttpRequest, startedAt: number): Exchange {
    const exchange: Exchange = {
      purpose,
      method,
      url,
      requestHeaders: headers,
      withheld: [],
      redirects: [],
      startedAt,
    }
    if (body !== undefined) exchange.requestBody = loggedBody(body)
    this.all.push(exchange)
    this.#characters += allowance + (exchange.requestBody?.length ?? 0)
    return exchange
  }

  /** Counts the answer of an exchange that is over, and makes room for it. */
  end(exchange: Exchange): void {
    // Forgotten, or its handle closed, before its answer was read.
    if (this.all.lastIndexOf(exchange) < 0) return
    this.#characters += exchange.responseBody?.length ?? 0
    if (this.#characters <= mostCharacters) return
    let forgotten = 0
    for (const old of this.all) {
      if (this.#characters <= mostCharacters || old === exchange) break
      this.#characters -= sizeOf(old)
      // Replies hold on to their exchanges as long as a test holds on to them.
      old.requestBody = undefined
      old.responseBody = undefined
      forgotten += 1
    }
    this.all.splice(0, forgotten)
  }

  /** Lets go of all bodies of a handle that was closed; replies keep theirs. */
  close(): void {
    this.all.forEach(({ requestBody: _, responseBody: __, ...head }, at) => (this.all[at] = head))
    this.#characters = this.all.length * allowance
  }
}

function sizeOf({ requestBody = '', responseBody = '' }: Exchange): number {
  return allowance + requestBody.length + responseBody.length
}
