import {
  startSlowAgent,
  type AgentFromOptions,
  type Fault,
  type SlowAgent,
  type WireRequest,
} from '../../src/testing/index.ts'

export const methodOf = ({ body }: WireRequest): string => /"method":"([\w/]+)"/.exec(body)?.[1] ?? ''

const isSubscription = (request: WireRequest): boolean =>
  /^(SubscribeToTask|tasks\/resubscribe)$/.test(methodOf(request)) || request.path.endsWith(':subscribe')

/** Starts a slow agent that works on as soon as somebody has subscribed to its task. */
export async function startResumable(options: AgentFromOptions = {}): Promise<SlowAgent> {
  let finish = (): void => {}
  const goesOn: Fault = {
    request: (request) => {
      if (isSubscription(request)) finish()
      return request
    },
  }
  const agent = await startSlowAgent({ ...options, fault: [goesOn, ...[options.fault ?? []].flat()] })
  finish = () => agent.finish()
  return agent
}

/** Lays a fault over what subscriptions are answered with, and nothing else. */
export const onSubscription = (fault: Fault): Fault => ({
  reply: (own, request) => (isSubscription(request) ? (fault.reply?.(own, request) ?? own) : own),
})
