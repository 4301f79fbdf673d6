import { faults, startAgentFrom, type Fault, type WireRequest } from '../../src/testing/index.ts'
import { loopbackLookup } from '../support/tls.ts'
import type { FaultyAgent, StartAgent } from './faultyAgent.ts'
import { agentFrom, echo03, echo10, itself } from './baseAgents.ts'

const interfaces = (change: (url: string) => string): Fault => ({
  card: (card) => {
    const { supportedInterfaces } = card as { supportedInterfaces: { url: string }[] }
    return {
      ...card,
      supportedInterfaces: supportedInterfaces.map((one) => ({ ...one, url: change(one.url) })),
    }
  },
})

/** Reached by a public name, which its own card leaves out. */
const public10: StartAgent = async (fault) => {
  const agent = await startAgentFrom({
    fault: fault.length > 0 ? [] : interfaces((url) => url.replace('127.0.0.1', 'desk.example')),
  })
  return { ...agent, url: agent.url.replace('127.0.0.1', 'desk.example'), deps: { lookup: loopbackLookup } }
}

/** Served by the test itself, as `serveAgent` does. */
const served10: StartAgent = async (fault) => {
  const agent = await startAgentFrom({ fault })
  return { ...agent, extra: { served: agent.url } }
}

/** Its calls go to another origin, where the token does not follow. */
const two10: StartAgent = async (fault) => {
  const other = await startAgentFrom()
  const agent = await startAgentFrom({
    fault: fault.length > 0 ? interfaces((url) => other.url + new URL(url).pathname) : [],
  })
  const close = async (): Promise<void> => {
    await Promise.all([agent.close(), other.close()])
  }
  return { url: agent.url, close }
}

const answer03 = ({ body }: WireRequest): { json: unknown } => ({
  json: {
    jsonrpc: '2.0',
    id: (JSON.parse(body) as { id: unknown }).id,
    result: { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'Oslo' }] },
  },
})

/** Where an agent is called. */
export const addresses: FaultyAgent[] = [
  {
    name: 'gives its bind address',
    finding: 'wire/address-moved',
    level: 'warning',
    message: '0.0.0.0 is a bind address, not an address a client can call',
    path: 'supportedInterfaces[0].url',
    start: echo10,
    fault: interfaces((url) => url.replace('127.0.0.1', '0.0.0.0')),
  },
  {
    name: 'gives its loopback address to the world',
    finding: 'wire/address-moved',
    level: 'warning',
    message: 'but the agent was reached at http://desk.example',
    start: public10,
    fault: itself,
  },
  {
    name: 'names its production address while a test serves it',
    finding: 'wire/address-moved',
    level: 'note',
    message: 'but the agent under test was started here',
    path: 'supportedInterfaces[0].url',
    start: served10,
    fault: interfaces((url) => url.replace(/^.*?127.0.0.1:\d+/, 'https://desk.example')),
  },
  {
    name: 'gives a path instead of an address',
    finding: 'wire/relative-address',
    level: 'warning',
    message: 'supportedInterfaces[0].url is "/a2a/jsonrpc", which must be an absolute http(s) URL',
    start: echo10,
    fault: interfaces((url) => new URL(url).pathname),
  },
  {
    name: 'is called at an origin that must not see the token',
    finding: 'wire/credentials-withheld',
    level: 'warning',
    message: 'authorization not sent there (option trustedOrigins)',
    path: 'supportedInterfaces[0].url',
    start: two10,
    fault: itself,
    options: { headers: { authorization: 'Bearer secret-of-the-desk' } },
  },
  {
    name: 'lists no interface that can be called, and answers at its own address',
    finding: 'wire/last-resort',
    level: 'warning',
    message: "so JSON-RPC is tried at the agent's own address",
    start: agentFrom({ dialect: '0.3', routes: { 'POST /': answer03 } }),
    fault: faults.card('preferredTransport', 'GRPC'),
  },
  {
    name: 'lists no interface that can be called',
    finding: 'card/no-interface',
    level: 'error',
    message: 'the agent card offers GRPC at',
    start: echo03,
    fault: faults.card('preferredTransport', 'GRPC'),
  },
  {
    name: 'offers gRPC only, in 1.0',
    finding: 'card/no-interface',
    level: 'error',
    message: 'this client speaks JSON-RPC and HTTP+JSON',
    start: echo10,
    fault: faults.card('supportedInterfaces', [
      { url: 'desk.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0' },
    ]),
  },
]
