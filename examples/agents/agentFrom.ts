import { bearer03, bearer10 } from './auth.ts'
import { speak03 } from './dialect03.ts'
import { speak10, type Profile } from './dialect10.ts'
import type { Respond } from './task.ts'
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
  /** Overrides members of a small valid card; `undefined` removes one. A function receives the agent's origin. */
  card?: Json | ((url: string) => Json)
  /** What the agent answers: a string as a message, steps as a task. Default: repeats what the user said. */
  respond?: Respond
  /** Bearer token that every call needs, as the card then declares; the card itself stays public. Default: none. */
  token?: string
  /** Overrides members of the card for authenticated callers: the extended card, which the card then declares. */
  extendedCard?: Json
  /** Bindings that are served and listed (1.0 only). Default: JSON-RPC and HTTP+JSON. */
  bindings?: ('JSONRPC' | 'HTTP+JSON')[]
  /** Answers for more paths, by `METHOD /path`; they override the agent's. */
  routes?: Record<string, (request: WireRequest) => WireReply | Promise<WireReply>>
}

/**
 * Starts a small agent on 127.0.0.1, healthy unless `fault` says otherwise: for tests of code that calls agents, and for
 * agents that are broken on purpose. It streams, and sends push notifications where `card` sets that capability.
 */
export async function startAgentFrom(options: AgentFromOptions = {}): Promise<DemoAgent> {
  const { dialect = '1.0', token, extendedCard, bindings = ['JSONRPC', 'HTTP+JSON'] } = options
  if (extendedCard && token === undefined) {
    throw new TypeError(
      'startAgentFrom: an extendedCard is only for callers with a token, so give a token too.',
    )
  }
  const respond = options.respond ?? (({ text }) => `You said: ${text}`)
  return serve((url) => {
    const given = typeof options.card === 'function' ? options.card(url) : options.card
    const card = { ...smallCard(url, { ...options, dialect, bindings }), ...given }
    const profile: Profile = { token, bindings, extendedCard: extendedCard && { ...card, ...extendedCard } }
    const speak = (dialect === '1.0' ? speak10 : speak03)(respond, options, profile)
    return {
      card,
      handle: (served, own) => {
        const handle = speak(served, own)
        return (request) =>
          options.routes?.[`${request.method} ${request.path}`]?.(request) ?? handle(request)
      },
    }
  }, options)
}

/** Starts a small A2A 1.0 agent that speaks only HTTP+JSON. */
export function startRestAgent(
  options: Omit<AgentFromOptions, 'dialect' | 'bindings'> = {},
): Promise<DemoAgent> {
  const card = (url: string): Json => ({
    name: 'REST helpdesk',
    ...(typeof options.card === 'function' ? options.card(url) : options.card),
  })
  return startAgentFrom({ ...options, card, bindings: ['HTTP+JSON'] })
}

function smallCard(
  url: string,
  { dialect, bindings, token, extendedCard }: AgentFromOptions & { bindings: string[] },
): Json {
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
  if (dialect === '0.3') {
    return {
      ...common,
      protocolVersion: '0.3.0',
      url: `${url}/a2a`,
      preferredTransport: 'JSONRPC',
      ...(token !== undefined && bearer03),
      ...(extendedCard && { supportsAuthenticatedExtendedCard: true }),
    }
  }
  const paths: Record<string, string> = { JSONRPC: 'jsonrpc', 'HTTP+JSON': 'rest' }
  return {
    ...common,
    ...(extendedCard && { capabilities: { ...common.capabilities, extendedAgentCard: true } }),
    supportedInterfaces: bindings.map((protocolBinding) => ({
      url: `${url}/a2a/${paths[protocolBinding]}`,
      protocolBinding,
      protocolVersion: '1.0',
    })),
    ...(token !== undefined && bearer10),
  }
}
