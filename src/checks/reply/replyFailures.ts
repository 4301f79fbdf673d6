import type { Reply } from '../../client/types.ts'
import type { FindingId } from '../../findings/catalogue.ts'
import type { TaskState } from '../../protocol/model.ts'
import { failing, type CheckResult } from '../checkResult.ts'
import { describeReply } from './describeReply.ts'

const ends: Partial<Record<TaskState, FindingId>> = {
  failed: 'reply/task-failed',
  rejected: 'reply/task-rejected',
  canceled: 'reply/task-canceled',
}

/** The result for a reply that fails whatever was expected; undefined if the reply is an answer. */
export function noAnswer(reply: Reply): CheckResult | undefined {
  const { kind, state, unsettled } = reply
  // The wait has its own finding.
  if (unsettled) {
    return {
      outcome: 'failed',
      received: describeReply(reply),
      fix: 'If the agent needs more time, raise `waitMs`.',
    }
  }
  if (kind === 'message' || state === 'completed' || state === 'input-required' || state === 'auth-required')
    return undefined
  return failing(ends[state ?? 'unknown'] ?? 'reply/task-unknown', describeReply(reply))
}
