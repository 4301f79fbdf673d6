import type { Finding } from '../../core/finding.ts'
import type { Message, Task } from '../../protocol/model.ts'

/** An answer in the session of its message: the client makes that in 0.1, and not every agent repeats it. */
export function inSession<T extends Message | Task>(value: T, sessionId: string | undefined): T {
  return value.contextId === undefined && sessionId !== undefined ? { ...value, contextId: sessionId } : value
}

/** Tells that the answer to a message is in another context than the message. */
export function contextChanged(sent: string | undefined, received: string | undefined): Finding[] {
  if (sent === undefined || received === undefined || received === sent) return []
  return [
    {
      id: 'wire/context-changed',
      level: 'warning',
      path: 'contextId',
      message: `the message continued context "${sent}", but the answer is in context "${received}"`,
      fix: 'Answer in the context that the message names, or reject the message.',
      source: 'A2A 1.0 §3.4.1',
    },
  ]
}
