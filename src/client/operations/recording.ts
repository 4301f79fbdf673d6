import type { Clock } from '../../core/clock.ts'
import type { Exchange, HttpRequest, Limits, OpenResponse, Transport } from '../../http/types.ts'

/** A view of a transport whose exchanges are those of one operation, apart from those of others that run at the same time. */
export class Recording implements Transport {
  readonly #transport: Transport
  readonly exchanges: Exchange[] = []
  readonly limits: Limits
  readonly typedOrigin?: string
  readonly clock?: Clock
  #firstBody: string | undefined

  constructor(transport: Transport) {
    const { limits, typedOrigin, clock } = transport
    this.#transport = transport
    this.limits = limits
    if (typedOrigin !== undefined) this.typedOrigin = typedOrigin
    if (clock !== undefined) this.clock = clock
  }

  /** Size of the first body that was sent; the log keeps less of a large one. */
  get firstBytes(): number | undefined {
    return this.#firstBody === undefined ? undefined : Buffer.byteLength(this.#firstBody)
  }

  async open(request: HttpRequest): Promise<OpenResponse> {
    this.#firstBody ??= request.body
    try {
      const response = await this.#transport.open(request)
      this.exchanges.push(response.exchange)
      return response
    } catch (error) {
      const failed = this.#transport.exchanges.findLast((exchange) => exchange.error === error)
      if (failed) this.exchanges.push(failed)
      throw error
    }
  }

  close(): Promise<void> {
    return this.#transport.close()
  }
}
