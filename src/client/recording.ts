import type { Exchange, Transport } from '../transport/types.ts'

/** A view of a transport that keeps the exchanges of one operation apart from those of others that run beside it. */
export function recording(transport: Transport): { transport: Transport; exchanges: Exchange[] } {
  const exchanges: Exchange[] = []
  return {
    exchanges,
    transport: {
      ...transport,
      exchanges,
      async open(request) {
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
