/** A 0.3 card that breaks no rule when it is fetched from 127.0.0.1. */
export function card03(patch: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    protocolVersion: '0.3.0',
    name: 'Echo Desk',
    description: 'Repeats what it hears',
    url: 'http://127.0.0.1:4100/rpc',
    preferredTransport: 'JSONRPC',
    version: '1.0.0',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'echo', name: 'Echo', description: 'Echo text', tags: ['demo'] }],
    ...patch,
  }
}

/** The same as a 1.0 card. */
export function card10(patch: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'Echo Desk',
    description: 'Repeats what it hears',
    version: '1.0.0',
    supportedInterfaces: [interface10()],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'echo', name: 'Echo', description: 'Echo text', tags: ['demo'] }],
    ...patch,
  }
}

/** The same without a word about the version that it follows. */
export function bare(patch: Record<string, unknown> = {}): Record<string, unknown> {
  return without(card03(patch), 'protocolVersion', 'preferredTransport')
}

/** The same as a 0.1 card, which only `authentication` distinguishes from a 0.2 card. */
export function card01(patch: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...bare(), authentication: { schemes: ['bearer'] }, ...patch }
}

export function interface10(patch: Record<string, unknown> = {}): Record<string, unknown> {
  return { url: 'http://127.0.0.1:4100/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0', ...patch }
}

export function skill(patch: Record<string, unknown> = {}): Record<string, unknown> {
  return { id: 'echo', name: 'Echo', description: 'Echo text', tags: ['demo'], ...patch }
}

/** A card without some of its members. */
export function without(card: Record<string, unknown>, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(card).filter(([name]) => !names.includes(name)))
}

/** Where the cards above come from when their addresses are right. */
export const local = {
  typedUrl: 'http://127.0.0.1:4100',
  cardUrl: 'http://127.0.0.1:4100/.well-known/agent-card.json',
}
