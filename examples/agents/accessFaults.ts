import { isCardRequest, parseJson } from './rpc.ts'
import type { Delivery } from './push.ts'
import type { Fault } from './wire.ts'

/** Faults of push notifications and of authentication. */
export interface AccessFaults {
  /** Changes each push notification: what it returns is sent instead. */
  push(change: (delivery: Delivery) => Delivery[]): Fault
  /** Sends push notifications without the token and the credentials of the config. */
  pushWithoutProof(): Fault
  /** Sends the first push notification of each receiver after its second. */
  swapPushes(): Fault
  /** Keeps sending push notifications after their config was deleted. */
  pushAfterDelete(): Fault
  /** Accepts everyone: requests without credentials, or with wrong ones, are treated as if they had the token. */
  letIn(token: string): Fault
  /** Rejects unauthenticated requests without the `WWW-Authenticate` header. */
  withoutChallenge(): Fault
  /** Rejects unauthenticated requests with another status: 403, or 200 with a JSON-RPC error. */
  refuseWith(status: number): Fault
  /** Opens an event stream for unauthenticated requests and rejects them inside it. */
  refuseInStream(): Fault
}

const refused = (change: NonNullable<Fault['reply']>): Fault => ({
  reply: (own, request) => (own.status === 401 ? change(own, request) : own),
})

/** Makers of faults in push notifications and authentication. */
export const accessFaults: AccessFaults = {
  push: (change) => ({ push: change }),
  pushWithoutProof: () => ({
    push(delivery) {
      const { authorization: _, 'x-a2a-notification-token': __, ...headers } = delivery.headers
      return [{ ...delivery, headers }]
    },
  }),
  swapPushes() {
    const held = new Map<string, Delivery | undefined>()
    return {
      push(delivery) {
        const line = `${delivery.taskId} ${delivery.configId}`
        const first = held.get(line)
        const known = held.has(line)
        held.set(line, known ? undefined : delivery)
        if (!known) return []
        return first ? [delivery, first] : [delivery]
      },
    }
  },
  pushAfterDelete: () => ({ push: (delivery) => [{ ...delivery, deleted: false }] }),
  letIn: (token) => ({
    request: (request) =>
      isCardRequest(request)
        ? request
        : { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } },
  }),
  withoutChallenge: () =>
    refused(({ headers: { 'www-authenticate': _, ...headers } = {}, ...own }) => ({ ...own, headers })),
  refuseWith: (status) => refused((own) => ({ ...own, status })),
  refuseInStream: () => ({
    reply: (own, request) =>
      own.status === 401 && wantsStream(request.path, request.body) ? { events: [own.json] } : own,
  }),
}

function wantsStream(path: string, body: string): boolean {
  const { method } = (parseJson(body) ?? {}) as { method?: unknown }
  return (
    /:(stream|subscribe)$/.test(path) ||
    /^(SendStreamingMessage|SubscribeToTask|message\/stream|tasks\/resubscribe)$/.test(String(method))
  )
}
