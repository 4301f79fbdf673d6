import type { A2AAgent } from '../../agent/types.ts'
import { passConversation } from '../../conversation/passConversation.ts'
import type { ConversationResult, PassConversationOptions } from '../../conversation/types.ts'
import { systemDeps } from '../../core/deps.ts'
import type { Budget, TestFacts } from '../types.ts'
import type { Verdict } from '../verdict.ts'
import { criteriaPhrase, resultText } from './resultText.ts'
import { conversationTime } from './conversationTime.ts'
import { verdictParts } from './conversationVerdict.ts'

/** Runs a conversation, or several, judges it, and turns the result into a verdict. */
export async function checkConversation(
  agent: A2AAgent,
  [options]: readonly [options: PassConversationOptions],
  budget: Budget,
  { test }: { test?: TestFacts },
): Promise<Verdict> {
  const time = conversationTime(budget)
  try {
    const result = await passConversation(agent, options, {
      deps: systemDeps(),
      signal: time.signal,
      deadline: time.deadline,
      retries: test?.retries,
      test,
      owner: 'toPassConversation',
    })
    return verdictOf(agent, result, options)
  } finally {
    time.close()
  }
}

function verdictOf(agent: A2AAgent, result: ConversationResult, options: PassConversationOptions): Verdict {
  const { outcome, shown, statistics, warnings } = result
  const { run, judgement } = shown
  const text = resultText(shown)
  const received = statistics === undefined ? text : `${trialsText(result)}: ${text}`
  return {
    ...verdictParts(shown, received, { outcome, seen: run.findings, notes: warnings }),
    agent: agent.label(),
    expected: expectedOf(judgement?.criteria.length, options),
    // The transcript shows the conversation; requests are shown only if they may explain a missing answer.
    exchanges: isSilent(shown) ? run.exchanges : [],
    conversation: result,
  }
}

/** Whether an answer of the agent is missing or wrong. Requests cannot explain a model that failed. */
function isSilent({ run, fault = run.fault }: ConversationResult['shown']): boolean {
  return fault !== undefined && (run.endReason === 'agent_error' || run.endReason === 'deadline')
}

function expectedOf(
  criteria: number | undefined,
  { threshold = 1, trials = 1, passRate = 1 }: PassConversationOptions,
): string {
  const rate = trials === 1 ? '' : `, in ${Math.ceil(passRate * trials - 1e-9)} of ${trials} trials`
  return `${criteriaPhrase(criteria, threshold)}${rate}`
}

function trialsText({ statistics, trials, shown }: ConversationResult): string {
  if (statistics === undefined) return ''
  const { passed, n, needed, planned } = statistics
  const at = trials.indexOf(shown) + 1
  return `${passed} of ${n} trials passed, ${needed} of ${planned} needed; trial ${at}`
}
