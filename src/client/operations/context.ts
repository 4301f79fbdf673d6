import { finding } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import type { Message, Task } from '../../protocol/model.ts'

/** An answer in the session of its message: the client makes that in 0.1, and not every agent repeats it. */
export function inSession<T extends Message | Task>(value: T, sessionId: string | undefined): T {
  return value.contextId === undefined && sessionId !== undefined ? { ...value, contextId: sessionId } : value
}

/** Tells that the answer to a message is in another context than the message. */
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
