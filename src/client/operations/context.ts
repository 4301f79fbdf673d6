import { finding } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import type { Message, Task } from '../../protocol/model.ts'

/** An answer with the session of its message: the client makes it in 0.1, and not every agent repeats it. */
export function inSession<T extends Message | Task>(value: T, sessionId: string | undefined): T {
  return value.contextId === undefined && sessionId !== undefined ? { ...value, contextId: sessionId } : value
}

/** The finding for an answer in another context than its message. */
export function contextChanged(sent: string | undefined, received: string | undefined): Finding[] {
  if (sent === undefined || received === undefined || received === sent) return []
  return [
    finding(
      'wire/context-changed',
      `the message continued context "${sent}", but the answer is in context "${received}"`,
      { path: 'contextId' },
    ),
  ]
}
