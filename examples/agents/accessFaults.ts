import { isCardRequest, parseJson } from './rpc.ts'
import type { Delivery } from './push.ts'
import type { Fault } from './wire.ts'

/** Faults of push notifications and of authentication. */
export interface AccessFaults {
  /** Changes each push notification: what is returned is sent in its place. */
  push(change: (delivery: Delivery) => Delivery[]): Fault
  /** Sends push notifications without the token and the credentials that the receiver gave. */
  pushWithoutProof(): Fault
  /** Sends the first push notification of each receiver after its second. */
  swapPushes(): Fault
  /** Goes on with push notifications to a receiver that was deleted. */
  pushAfterDelete(): Fault
  /** Lets everybody in: who shows no credentials, or wrong ones, is taken for one who has the token. */
  letIn(token: string): Fault
  /** Refuses strangers without the `WWW-Authenticate` header. */
  withoutChallenge(): Fault
  /** Refuses strangers with another status: 403, or a 200 with a JSON-RPC error. */
  refuseWith(status: number): Fault
  /** Refuses strangers inside an event stream that was opened for them. */
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
