import type { ConversationRun, TranscriptEntry } from '../../src/transcript/types.ts'

/** A conversation of two turns about a refund, as `converse()` gives it. */
export function heldRun(over: Partial<ConversationRun> = {}): ConversationRun {
  const entries: TranscriptEntry[] = [
    { turn: 1, from: 'user', by: 'script', text: 'I was charged twice' },
    {
      turn: 1,
      from: 'agent',
      text: 'What is your order number?',
      task: { id: 't1', nth: 1, state: 'input-required' },
      contextId: 'c1',
      ms: 12,
    },
    { turn: 2, from: 'user', by: 'script', text: 'It is order #4411' },
    {
      turn: 2,
      from: 'agent',
      text: 'One of the two charges for order #4411 has been refunded.',
      task: { id: 't1', nth: 1, state: 'completed' },
      data: [{ refunded: true }],
      artifacts: [{ artifactId: 'refund', text: 'refunded', data: [{ refunded: true }] }],
      contextId: 'c1',
      ms: 15,
    },
  ]
  return {
    isA2AConversation: true,
    schemaVersion: 1,
    agent: 'Helpdesk (http://127.0.0.1:4100)',
    entries,
    turns: 2,
    maxTurns: 2,
    endReason: 'script_end',
    models: {},
    promptVersions: {},
    usage: { unreported: 0 },
    replay: { simulator: 0, judge: 0, check: 0, agent: 0, live: 0 },
    findings: [],
    warnings: [],
    ms: 40,
    exchanges: [],
    secrets: [],
    ...over,
  }
}

/** The same, cut short: nobody knows what would have been said. */
export function brokenRun(outcome: 'error' | 'invalid'): ConversationRun {
  const fault = {
    outcome,
    code: 'UNREACHABLE',
    message: 'turn 3: connection refused',
    fix: 'Start the agent.',
  }
  return heldRun({ endReason: outcome === 'error' ? 'agent_error' : 'invalid', fault })
}
