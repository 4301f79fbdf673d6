import type { ModelRequest } from '../../src/model/types.ts'

/** A request as the simulator makes one, with what a test changes of it. */
export function request(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    role: 'simulator',
    system: 'You are the user.',
    messages: [{ role: 'user', content: 'Go on.' }],
    signal: new AbortController().signal,
    ...changes,
  }
}

/** What a test asks to be held to. */
export const schema = {
  name: 'turn',
  definition: {
    type: 'object',
    additionalProperties: false,
    required: ['message'],
    properties: { message: { type: 'string' } },
  },
}

/** What an asked model throws; a test that expects an error fails without one. */
export async function thrown(asked: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await asked
  } catch (error) {
    return error as Record<string, unknown>
  }
  throw new Error('nothing was thrown')
}
