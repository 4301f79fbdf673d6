import { speak03 } from './dialect03.ts'
import { speak10 } from './dialect10.ts'
import type { Respond } from './engine.ts'
import {
  serve,
  type DemoAgent,
  type DemoOptions,
  type Json,
  type WireReply,
  type WireRequest,
} from './wire.ts'

/** Options of `startAgentFrom()`. */
export interface AgentFromOptions extends DemoOptions {
  /** The version to speak. Default `1.0`: JSON-RPC at /a2a/jsonrpc and HTTP+JSON under /a2a/rest; `0.3` is JSON-RPC at /a2a. */
  dialect?: '0.3' | '1.0'
  /** Laid over a small valid card; a key that is undefined is left out. A function gets the agent's origin. */
  card?: Json | ((url: string) => Json)
  /** What the agent answers: a string as a Message, steps as a Task. Default: the user's own words. */
  respond?: Respond
  /** Answers of further paths, by `METHOD /path`; they win over the agent's own. */
  routes?: Record<string, (request: WireRequest) => WireReply>
}

/**
 * Starts a small agent on 127.0.0.1, healthy unless `fault` says otherwise: for tests of code that calls agents, and for
 * agents that are broken on purpose.
 */
export function startAgentFrom(options: AgentFromOptions = {}): Promise<DemoAgent> {
  const dialect = options.dialect ?? '1.0'
  const respond = options.respond ?? (({ text }) => `You said: ${text}`)
  const speak = (dialect === '1.0' ? speak10 : speak03)(respond, options)
  return serve((url) => {
    const own = typeof options.card === 'function' ? options.card(url) : options.card
    return {
      card: { ...smallCard(dialect, url), ...own },
      handle: (card) => {
        const handle = speak(card)
        return (request) =>
          options.routes?.[`${request.method} ${request.path}`]?.(request) ?? handle(request)
      },
    }
  }, options)
}

function smallCard(dialect: '0.3' | '1.0', url: string): Json {
  const common = {
    name: 'Echo Desk',
    description: 'Repeats what it hears',
    version: '1.0.0',
    provider: { organization: 'Example', url: 'https://example.com' },
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'echo',
        name: 'Echo',
        description: 'Says back what it is told',
        tags: ['demo'],
        examples: ['Hello'],
      },
    ],
  }
  return dialect === '1.0'
    ? {
        ...common,
        supportedInterfaces: [
          { url: `${url}/a2a/jsonrpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: `${url}/a2a/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        ],
      }
    : { ...common, protocolVersion: '0.3.0', url: `${url}/a2a`, preferredTransport: 'JSONRPC' }
}
