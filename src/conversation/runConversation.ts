import type { A2AAgent } from '../agent/types.ts'
import type { Deps } from '../core/deps.ts'
import { addFindings } from '../findings/addFindings.ts'
import { finding } from '../findings/finding.ts'
import type { Finding } from '../findings/types.ts'
import { itemsAfter } from '../core/itemsAfter.ts'
import type { ModelCalls } from '../model/types.ts'
import { createGuard } from '../simulator/guards.ts'
import { heardEnd, isLoop, modelEnd, timeEnd, type Ending } from './endings.ts'
import { planConversation, type ConversationPlan } from './planConversation.ts'
import { called, createScript, type NextMessage } from './script.ts'
import { createSimulator, simulatorVersion } from '../simulator/simulator.ts'
import { tallyOf } from './usageMeter.ts'
import { orAborted } from '../core/abort.ts'
import { limitTime, nearDeadlineMs } from '../core/deadline.ts'
import { copyOf, transcriptOf } from '../transcript/transcript.ts'
import { answerEntry, messageEntry, say, type Heard } from './sendTurn.ts'
import type { ConversationOptions } from './types.ts'
import type { ConversationRun, Transcript, TranscriptEntry } from '../transcript/types.ts'

/** What a conversation is held with. */
export interface HoldTools {
  calls: ModelCalls
  /** From 1. */
  trial: number
  deps: Pick<Deps, 'clock' | 'id'>
  signal: AbortSignal
  /** When the conversation must be over, in ms since the epoch; what the judge needs is taken off. */
  deadline?: number
  /** What the simulated user cannot know: its messages are compared with them, and it never sees them. */
  criteria: readonly string[]
  /** Who was given the options. Default `converse`. */
  owner?: string
}

/** A run, and the error behind its fault. */
export interface FinishedConversation {
  run: ConversationRun
  cause?: unknown
}

/**
 * Conversations to the agent until something ends it, and gives what was said. What goes wrong with the agent, a model or the time is the
 * run's `fault` or `endReason`. Throws A2AUsageError for wrong options, wrong parts and functions of the test that throw.
 */
export async function holdConversation(
  agent: A2AAgent,
  options: ConversationOptions,
  tools: HoldTools,
): Promise<ConversationRun> {
  const { plan, warnings } = planConversation(tools.owner ?? 'converse', options)
  const { run } = await runConversation(agent, plan, tools)
  return { ...run, warnings: [...warnings, ...run.warnings] }
}

/** The same for options that are checked. */
export async function runConversation(
  agent: A2AAgent,
  plan: ConversationPlan,
  tools: HoldTools,
): Promise<FinishedConversation> {
  const { calls, trial, deps } = tools
  const { clock } = deps
  const began = clock.now()
  const earlier = agent.exchanges.at(-1)
  const tally = tallyOf(calls)
  const time = limitTime(clock, tools.signal, tools.deadline)
  const { signal } = time
  const entries: TranscriptEntry[] = []
  const findings: Finding[] = []
  const warnings: string[] = []
  const taskIds: string[] = []
  let turns = 0
  let last: Heard | undefined
  let contextId: string | undefined
  let waitingFor = 'the conversation to begin'
  let waitingSince = began

  // Functions get a copy, so that whatever they do with it the conversation stays what was said.
  const snapshot = (): Transcript => transcriptOf(copyOf(entries))
  const script = createScript(plan, () => ({
    user: createSimulator({
      ...(plan.persona !== undefined && { persona: plan.persona }),
      ...(plan.goal !== undefined && { goal: plan.goal }),
      ...(plan.language !== undefined && { language: plan.language }),
      ...(plan.temperature !== undefined && { temperature: plan.temperature }),
      facts: plan.facts,
      trial,
      calls,
      id: deps.id,
    }),
    guard: createGuard({
      ...(plan.persona !== undefined && { persona: plan.persona }),
      ...(plan.goal !== undefined && { goal: plan.goal }),
      facts: plan.facts,
      criteria: tools.criteria,
      entries: () => entries,
    }),
  }))

  async function nextMessage(): Promise<NextMessage> {
    if (turns < plan.maxTurns) return script.next({ turn: turns + 1, entries, transcript: snapshot, signal })
    if (!script.hasMore()) return { kind: 'end', reason: 'script_end' }
    return { kind: 'end', reason: isLoop(entries) ? 'loop' : 'max_turns' }
  }

  async function answerTo(next: Extract<NextMessage, { kind: 'message' }>): Promise<Ending | undefined> {
    turns += 1
    const { message, ...about } = next
    entries.push(messageEntry(turns, message, about))
    if (turns === 2 && contextId === undefined) findings.push(noContext)
    waitingFor = `the answer of the agent in turn ${turns}`
    const sent = contextId
    const answer = await orAborted(
      say({
        agent,
        message,
        turn: turns,
        trial,
        after: last,
        contextId,
        plan,
        calls,
        clock,
        signal,
      }),
      signal,
    )
    addFindings(findings, answer.findings.map(inTurn(turns, sent, answer)))
    if (answer.taskId !== undefined && !taskIds.includes(answer.taskId)) {
      if (last !== undefined && isOpen(last) && answer.taskId !== last.taskId) findings.push(newTask(turns))
      taskIds.push(answer.taskId)
    }
    const nth = answer.taskId === undefined ? undefined : taskIds.indexOf(answer.taskId) + 1
    entries.push(answerEntry(turns, answer, nth))
    last = answer
    contextId = answer.contextId ?? contextId
    const { onTurn, stopWhen } = plan
    if (onTurn !== undefined) {
      waitingFor = 'the function onTurn'
      await called('the function "onTurn"', () => onTurn(snapshot()), signal)
    }
    const isLate = clock.now() >= (tools.deadline ?? Infinity) - nearDeadlineMs
    const ended = heardEnd(answer, { turn: turns, onAgentError: plan.onAgentError, isLate })
    if (ended !== undefined) return ended
    if (stopWhen === undefined) return undefined
    waitingFor = 'the function stopWhen'
    const stop = await called('the function "stopWhen"', () => stopWhen(snapshot()), signal)
    return stop ? { endReason: 'stop_when' } : undefined
  }

  async function conversation(): Promise<Ending> {
    for (;;) {
      signal.throwIfAborted()
      waitingSince = clock.now()
      waitingFor = `the user's message of turn ${turns + 1}`
      const next = await nextMessage()
      if (next.kind === 'invalid') {
        const { why, discarded } = next
        return {
          endReason: 'invalid',
          fault: { outcome: 'invalid', code: 'INVALID', message: sentence(why) },
          discarded,
        }
      }
      if (next.kind === 'end') {
        return { endReason: next.reason, ...(next.discarded && { discarded: next.discarded }) }
      }
      if (next.by === 'simulator' && isLoop(entries)) return { endReason: 'loop' }
      waitingSince = clock.now()
      const ended = await answerTo(next)
      if (ended !== undefined) return ended
    }
  }

  /** What an error makes of the conversation; whatever is nobody's fault but the test's is thrown again. */
  function endedBy(error: unknown): Ending {
    const lastEntry = entries.at(-1)
    const unanswered = lastEntry?.from === 'user'
    const answered = entries.some((entry) => entry.from === 'agent' && entry.error === undefined)
    const waitedMs = Math.round(clock.now() - waitingSince)
    const isOurs = tools.deadline !== undefined && clock.now() >= tools.deadline - nearDeadlineMs
    const ended =
      timeEnd(error, { signal, isOurs, waitingFor, waitedMs, answered, turn: turns, plan }) ??
      modelEnd(error, answered)
    if (ended === undefined) throw error
    if (unanswered) {
      const { code, message } = ended.fault ?? { code: 'DEADLINE', message: ended.warning ?? '' }
      entries.push({ turn: turns, from: 'agent', text: '', error: { code, message }, ms: waitedMs })
    }
    return ended
  }

  try {
    const ended = await conversation().catch(endedBy)
    if (ended.warning !== undefined) warnings.push(ended.warning)
    const simulator = plan.simulates ? await calls.idOf('simulator') : undefined
    const { discarded = [] } = ended
    const run: ConversationRun = {
      isA2AConversation: true,
      schemaVersion: 1,
      agent: agent.label(),
      ...(plan.persona !== undefined && { persona: plan.persona }),
      ...(plan.goal !== undefined && { goal: plan.goal }),
      ...(plan.facts.length > 0 && { facts: plan.facts }),
      entries,
      turns,
      maxTurns: plan.maxTurns,
      endReason: ended.endReason,
      ...(ended.fault !== undefined && { fault: ended.fault }),
      ...(discarded.length > 0 && { discarded }),
      models: { ...(simulator !== undefined && { simulator }) },
      promptVersions: { ...(plan.simulates && { simulator: simulatorVersion }) },
      ...tally.taken(),
      findings,
      warnings,
      ms: Math.round(clock.now() - began),
      exchanges: itemsAfter(agent.exchanges, earlier),
      secrets: agent.secrets,
    }
    return { run, ...(ended.cause !== undefined && { cause: ended.cause }) }
  } finally {
    time.close()
  }
}

const noContext: Finding = finding(
  'conversation/no-context',
  'the first answer names no contextId, so the conversation went on without one',
)

function newTask(turn: number): Finding {
  return finding(
    'conversation/new-task',
    `turn ${turn} answered a question of the agent, and was taken for a new task`,
    { level: 'warning' },
  )
}

function isOpen({ state }: Heard): boolean {
  return state === 'input-required' || state === 'auth-required'
}

/** The same finding, with the turn where one of several is meant. */
function inTurn(turn: number, sent: string | undefined, answer: Heard): (finding: Finding) => Finding {
  return (finding) =>
    finding.id === 'wire/context-changed' && sent !== undefined && answer.contextId !== undefined
      ? { ...finding, message: `contextId changed from ${sent} to ${answer.contextId} in turn ${turn}` }
      : finding
}

const sentence = (text: string): string => text.replace(/\.$/, '')
