import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply, SendOptions } from '../../client/types.ts'
import type { Budget } from '../types.ts'
import { isTerminal } from '../../protocol/model.ts'
import type { Verdict } from '../verdict.ts'
import { failing, type CheckResult } from '../checkResult.ts'
import type { Expected } from '../reply/expectedValue.ts'
import { noAnswer } from '../reply/replyFailures.ts'
import { refuseMisplaced, expectedReply } from '../reply/expectedReply.ts'
import {
  contextMoved,
  inTurn,
  noContext,
  conversation,
  together,
  type MultiTurnOptions,
} from './sendMessages.ts'

/** Options of `toKeepContext()`. */
export type KeepContextOptions = MultiTurnOptions & {
  /** A string must be the whole text of the last reply. Default false: the text contains it. */
  exact?: boolean
}

/**
 * Sends messages one after the other in the context that the agent creates with its first answer, and checks that each answer stays in it
 * and that the last one is as expected. Source: A2A 1.0 §3.4.1.
 */
export async function checkKeepContext(
  agent: A2AAgent,
  [messages, expected, options = {}]: readonly [
    messages: readonly MessageInput[],
    expected?: Expected<Reply>,
    options?: KeepContextOptions,
  ],
  budget: Budget,
): Promise<Verdict> {
  refuseMisplaced(expected, 'toKeepContext', 'messages')
  const expectation = expectedReply(expected, { matcher: 'toKeepContext', exact: options.exact })
  const hope = `one context over ${messages.length} messages, ending with a reply ${expectation.phrase}`
  return conversation(agent, options, budget, hope, async ({ say, note }) => {
    /** The ids of finished tasks, with the turn in which they finished. */
    const finished = new Map<string, number>()
    const failures: CheckResult[] = []
    let contextId: string | undefined
    let last: Reply | undefined

    for (const [index, message] of messages.entries()) {
      const turn = index + 1
      const reply: Reply = await say(message, following(last, contextId))
      const moved = contextMoved(contextId, reply, `in turn ${turn}`)
      if (moved !== undefined && failures.length === 0) failures.push(moved)
      if (reply.contextId === undefined) note(unnamed(turn, contextId))
      contextId ??= reply.contextId

      const wrong = noAnswer(reply) ?? oldTask(reply, finished)
      if (wrong !== undefined) {
        return together([...failures, inTurn(wrong, `turn ${turn} of ${messages.length}`)]) ?? wrong
      }
      if (reply.state !== undefined && isTerminal(reply.state)) finished.set(reply.taskId ?? '', turn)
      last = reply
    }

    const result = await expectation.judge(last as Reply, budget.signal, 'conversation/forgot')
    const all =
      result.outcome === 'failed' ? [...failures, inTurn(result, `turn ${messages.length}`)] : failures
    return together(all) ?? { ...result, received: kept(result.received, messages.length, contextId) }
  })
}

/** How a turn continues: in the same context, and with the task that asked for input. */
function following(last: Reply | undefined, contextId: string | undefined): SendOptions {
  if (contextId === undefined) return last === undefined ? {} : { after: last }
  // A task in another context does not belong to this message.
  const same = last?.contextId === undefined || last.contextId === contextId
  return { contextId, ...(last !== undefined && same && { after: last }) }
}

function unnamed(turn: number, contextId: string | undefined): ReturnType<typeof noContext> {
  const rest =
    contextId === undefined
      ? 'so there is no context to continue'
      : `although the message was sent in context ${contextId}`
  return noContext(`the reply in turn ${turn} has no contextId, ${rest}`)
}

/** An agent that ignores a message returns a task that it finished earlier. */
function oldTask(reply: Reply, finished: ReadonlyMap<string, number>): CheckResult | undefined {
  const turn = finished.get(reply.taskId ?? '')
  if (reply.kind !== 'task' || reply.taskId === '' || turn === undefined) return undefined
  return failing('conversation/old-task', `task ${reply.taskId} again, which had finished in turn ${turn}`, {
    fix: 'Start a new task for a message that names only a context; a finished task cannot be continued.',
  })
}

function kept(received: string, turns: number, contextId: string | undefined): string {
  return contextId === undefined
    ? `${turns} turns without a context; ${received}`
    : `${turns} turns in context ${contextId}; ${received}`
}
