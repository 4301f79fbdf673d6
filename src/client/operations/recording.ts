import type { Exchange, Transport } from '../../http/types.ts'

/** A transport whose exchanges are those of one operation only. */
export interface Recording {
  transport: Transport
  /** Oldest first. */
  exchanges: Exchange[]
  /** Size of the first body that was sent; the log keeps less of a large one. */
  firstBytes(): number | undefined
}

/** A view of a transport that keeps the exchanges of one operation apart from those of others that run beside it. */
export function recording(transport: Transport): Recording {
  const exchanges: Exchange[] = []
  let firstBytes: number | undefined
  return {
    exchanges,
    firstBytes: () => firstBytes,
    transport: {
      ...transport,
      exchanges,
      async open(request) {
        if (request.body !== undefined) firstBytes ??= Buffer.byteLength(request.body)
        try {
          const response = await transport.open(request)
          exchanges.push(response.exchange)
          return response
        } catch (error) {
          const failed = transport.exchanges.findLast((exchange) => exchange.error === error)
          if (failed) exchanges.push(failed)
          throw error
        }
      },
    },
  }
}
