import {
  faults,
  startAgentFrom,
  startSlowAgent,
  type AgentFromOptions,
  type DemoAgent,
  type Fault,
  type Json,
  type SlowAgent,
  type Step,
} from '../../src/testing/index.ts'
import { methodOf, onParams } from '../faultyAgents/methods.ts'

/** A demo agent that is called by its origin, as fixture servers are. */
export type Served<Agent extends DemoAgent = DemoAgent> = Agent & { origin: string }

const served = <Agent extends DemoAgent>(agent: Agent): Served<Agent> =>
  Object.assign(agent, { origin: agent.url })

/** Works until somebody cancels; refuses that for a task that was begun with "keep on". */
export async function slowAgent(options: AgentFromOptions = {}): Promise<Served<SlowAgent>> {
  const { fault = [], ...rest } = options
  return served(await startSlowAgent({ ...rest, fault: [stubborn(), ...[fault].flat()] }))
}

/** The JSON-RPC methods that an agent was called by, in order. */
export function methodsOf({ requests }: DemoAgent): string[] {
  return requests.flatMap((request) => methodOf(request) ?? [])
}

/** Completes every task with an artifact, and never lists those. */
export async function listingAgent(options: AgentFromOptions = {}): Promise<Served> {
  const fault = onParams(['ListTasks'], ({ includeArtifacts: _, ...params }) => params)
  return served(await startAgentFrom({ respond: finding, fault, ...options }))
}

/** Posts everything, and shows no token. */
export async function pushingAgent(options: AgentFromOptions = {}): Promise<Served> {
  const fault = faults.push((delivery) => {
    const { 'x-a2a-notification-token': _, ...headers } = delivery.headers
    return [{ ...delivery, headers }]
  })
  const card = { capabilities: { streaming: true, pushNotifications: true } }
  return served(await startAgentFrom({ respond: finding, dialect: '0.3', card, fault, ...options }))
}

/** Looks something up and finds it. */
export const finding = (): Step[] => [
  { state: 'working', text: 'Looking it up' },
  { artifact: { artifactId: 'a1', name: 'answer', parts: [{ text: 'Oslo' }] } },
  { state: 'completed', text: 'Found it.' },
]

function stubborn(): Fault {
  let keepsOn = false
  return {
    request(request) {
      if (/send/i.test(methodOf(request) ?? '')) keepsOn = request.body.includes('keep on')
      return request
    },
    reply(own, request) {
      if (!keepsOn || request.body === '') return own
      const { id, method } = JSON.parse(request.body) as { id: unknown; method: string }
      const error = { code: -32002, message: 'Deployments cannot be stopped' }
      if (/cancel/i.test(method)) return { json: { jsonrpc: '2.0', id, error } }
      const { result } = own.json as { result?: Json }
      const state = method === 'GetTask' ? 'TASK_STATE_WORKING' : 'working'
      if (/get/i.test(method) && result !== undefined) result['status'] = { state }
      return own
    },
  }
}
