import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, OperationOptions, Reply, SendOptions } from '../../client/types.ts'
import type { WaitOptions } from '../../client/wait/waitForTask.ts'
import { systemClock } from '../../core/clock.ts'
import type { Budget } from '../types.ts'
import type { Verdict } from '../verdict.ts'
import { verdictOn, type DeadlineOption, type CheckResult } from '../checkResult.ts'
import { textExcerpt } from './describeReply.ts'

/** Options for the message of a check. */
export type AskOptions = DeadlineOption &
  Pick<SendOptions, 'after' | 'contextId' | 'metadata' | 'configuration' | 'waitMs'>

/** Sends one message and checks the reply. Findings of the reply come before those of `judge`. */
export async function ask(
  agent: A2AAgent,
  message: MessageInput,
  options: AskOptions,
  budget: Budget,
  expected: string,
  judge: (reply: Reply) => CheckResult | Promise<CheckResult>,
): Promise<Verdict> {
  return verdictOn({ kind: 'agent', agent }, expected, async () => {
    const reply = await agent.send(message, sendOptions(options, budget))
    const result = await judge(reply)
    const excerpts = [...(result.outcome === 'passed' ? [] : textExcerpt(reply)), ...(result.excerpts ?? [])]
    return {
      ...result,
      findings: [...reply.findings, ...(result.findings ?? [])],
      ...(excerpts.length === 0 ? {} : { excerpts }),
    }
  })
}

/** The send options of a check, with its deadline. */
export function sendOptions(options: AskOptions, budget: Budget): SendOptions {
  return { ...pick(options), ...limits(budget) }
}

/** The deadline of a check, as operations take it. */
export function limits({ signal }: Budget): OperationOptions {
  return { signal }
}

/** Polls a task until it is as expected, within the deadline of the check. */
export function pollingOf(
  agent: A2AAgent,
  taskId: string,
  budget: Budget,
): Pick<WaitOptions, 'clock' | 'signal' | 'method' | 'get' | 'pollAtEnd'> {
  return {
    clock: systemClock,
    signal: budget.signal,
    method: 'get-task',
    get: async () => ({ value: await agent.getTask(taskId, limits(budget)), findings: [] }),
    pollAtEnd: true,
  }
}

function pick({ after, contextId, metadata, configuration, waitMs }: AskOptions): SendOptions {
  return Object.fromEntries(
    Object.entries({ after, contextId, metadata, configuration, waitMs }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}
