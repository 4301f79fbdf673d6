import type { A2AAgent } from '../agent/types.ts'
import { orAborted, throwIfAborted } from '../core/abort.ts'
import { limitTime, nearDeadlineMs } from '../core/deadline.ts'
import type { Deps } from '../core/deps.ts'
import { itemsAfter } from '../core/itemsAfter.ts'
import { addFindings } from '../findings/addFindings.ts'
import { finding } from '../findings/finding.ts'
import type { Finding } from '../findings/types.ts'
import type { ModelCalls } from '../model/types.ts'
import { createGuard } from '../simulator/guards.ts'
import { createSimulator, simulatorVersion } from '../simulator/simulator.ts'
import { copyOf, transcriptOf } from '../transcript/transcript.ts'
import type { ConversationRun, Transcript, TranscriptEntry } from '../transcript/types.ts'
import { endByAnswer, endByModel, endByTime, isLoop, type Ending } from './endings.ts'
import type { ConversationPlan } from './planConversation.ts'
import {
  callUserFunction,
  createScript,
  type NextMessage,
  type Script,
  type SimulatedUser,
} from './script.ts'
import { sendTurn, type TurnAnswer } from './sendTurn.ts'
import { answerEntry, messageEntry } from './transcriptEntries.ts'
import { startUsageMeter } from './usageMeter.ts'

/** What a conversation needs besides its plan. */
export interface RunTools {
  calls: ModelCalls
  /** From 1. */
  trial: number
  deps: Pick<Deps, 'clock' | 'id'>
  signal: AbortSignal
  /** When the conversation must end, in ms since the epoch; the judge's time comes after it. */
  deadline?: number | undefined
  /** What the simulated user must not know. Its messages are compared with these texts; it never sees them. */
  criteria: readonly string[]
}

/** A run, and the error behind its fault. */
export interface FinishedConversation {
  run: ConversationRun
  cause?: unknown
}

/**
 * Runs a conversation until something ends it. Faults of the agent or a model, and a passed deadline, are in the run's `fault` or
 * `endReason`. Throws A2AUsageError for wrong parts and functions of the test that throw.
 */
export async function runConversation(
  agent: A2AAgent,
  plan: ConversationPlan,
  tools: RunTools,
): Promise<FinishedConversation> {
  const { calls, deps } = tools
  const startedAt = deps.clock.now()
  const earlier = agent.exchanges.at(-1)
  const meter = startUsageMeter(calls)
  const time = limitTime(deps.clock, tools.signal, tools.deadline)
  try {
    const conversation = new Conversation(agent, plan, tools, time.signal)
    const { endReason, fault, discarded = [], warning, cause } = await conversation.run()
    const simulator = plan.simulates ? await calls.idOf('simulator') : undefined
    const run: ConversationRun = {
      isA2AConversation: true,
      schemaVersion: 1,
      agent: agent.label(),
      ...(plan.persona !== undefined && { persona: plan.persona }),
      ...(plan.goal !== undefined && { goal: plan.goal }),
      ...(plan.facts.length > 0 && { facts: plan.facts }),
      entries: conversation.entries,
      turns: conversation.turns,
      maxTurns: plan.maxTurns,
      endReason,
      ...(fault !== undefined && { fault }),
      ...(discarded.length > 0 && { discarded }),
      models: { ...(simulator !== undefined && { simulator }) },
      promptVersions: { ...(plan.simulates && { simulator: simulatorVersion }) },
      ...meter.used(),
      findings: conversation.findings,
      warnings: warning === undefined ? [] : [warning],
      ms: Math.round(deps.clock.now() - startedAt),
      exchanges: itemsAfter(agent.exchanges, earlier),
      secrets: agent.secrets,
    }
    return { run, cause }
  } finally {
    time.close()
  }
}

type UserMessage = Extract<NextMessage, { kind: 'message' }>

/** One conversation while it runs. */
class Conversation {
  readonly entries: TranscriptEntry[] = []
  readonly findings: Finding[] = []
  turns = 0
  private readonly agent: A2AAgent
  private readonly plan: ConversationPlan
  private readonly tools: RunTools
  private readonly signal: AbortSignal
  private readonly script: Script
  private readonly taskIds: string[] = []
  private lastAnswer: TurnAnswer | undefined
  private contextId: string | undefined
  private waitingFor = 'the conversation to start'
  private waitingSince: number

  constructor(agent: A2AAgent, plan: ConversationPlan, tools: RunTools, signal: AbortSignal) {
    this.agent = agent
    this.plan = plan
    this.tools = tools
    this.signal = signal
    this.waitingSince = tools.deps.clock.now()
    this.script = createScript(plan, () => simulatedUser(plan, tools, this.entries))
  }

  /** Throws only errors of the test itself. */
  async run(): Promise<Ending> {
    try {
      for (;;) {
        const ending = await this.takeTurn()
        if (ending !== undefined) return ending
      }
    } catch (error) {
      return this.endByError(error)
    }
  }

  private async takeTurn(): Promise<Ending | undefined> {
    throwIfAborted(this.signal)
    this.waitFor(`the user's message of turn ${this.turns + 1}`)
    const next = await this.nextMessage()
    if (next.kind === 'end') {
      return { endReason: next.reason, discarded: next.discarded }
    }
    if (next.kind === 'invalid') {
      const message = next.why.replace(/\.$/, '')
      const fault = { outcome: 'invalid', code: 'INVALID', message } as const
      return { endReason: 'invalid', fault, discarded: next.discarded }
    }
    if (next.by === 'simulator' && isLoop(this.entries)) return { endReason: 'loop' }
    const answer = await this.send(next)
    return this.endAfter(answer)
  }

  private async nextMessage(): Promise<NextMessage> {
    const { turns, entries, signal } = this
    if (turns < this.plan.maxTurns) {
      return this.script.next({ turn: turns + 1, entries, transcript: () => this.snapshot(), signal })
    }
    if (!this.script.hasMore()) return { kind: 'end', reason: 'script_end' }
    return { kind: 'end', reason: isLoop(entries) ? 'loop' : 'max_turns' }
  }

  private async send({ message, ...origin }: UserMessage): Promise<TurnAnswer> {
    const { agent, plan, signal, contextId } = this
    const { calls, trial, deps } = this.tools
    const turn = ++this.turns
    this.entries.push(messageEntry(turn, message, origin))
    if (turn === 2 && contextId === undefined) this.findings.push(noContext)
    this.waitFor(`an answer in turn ${turn}`)
    const { clock } = deps
    const previous = this.lastAnswer
    const answer = await orAborted(
      sendTurn({ agent, message, turn, trial, previous, contextId, plan, calls, clock, signal }),
      signal,
    )
    this.record(answer)
    return answer
  }

  private record(answer: TurnAnswer): void {
    const { turns, contextId, lastAnswer, taskIds } = this
    const { taskId } = answer
    addFindings(
      this.findings,
      answer.findings.map((one) => inTurn(one, turns, contextId, answer)),
    )
    if (taskId !== undefined && !taskIds.includes(taskId)) {
      if (lastAnswer !== undefined && isQuestion(lastAnswer) && taskId !== lastAnswer.taskId) {
        this.findings.push(newTask(turns))
      }
      taskIds.push(taskId)
    }
    const nth = taskId === undefined ? undefined : taskIds.indexOf(taskId) + 1
    this.entries.push(answerEntry(turns, answer, nth))
    this.lastAnswer = answer
    this.contextId = answer.contextId ?? contextId
  }

  /** Whether the answer or a function of the test ends the conversation. */
  private async endAfter(answer: TurnAnswer): Promise<Ending | undefined> {
    const { onTurn, stopWhen, onAgentError } = this.plan
    if (onTurn !== undefined) await this.call('onTurn', () => onTurn(this.snapshot()))
    const ending = endByAnswer(answer, { turn: this.turns, onAgentError, isLate: this.isPastDeadline() })
    if (ending !== undefined || stopWhen === undefined) return ending
    const stops = await this.call('stopWhen', () => stopWhen(this.snapshot()))
    return stops ? { endReason: 'stop_when' } : undefined
  }

  private call<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    this.waitingFor = `the function ${name}`
    return callUserFunction(`the function "${name}"`, run, this.signal)
  }

  private endByError(error: unknown): Ending {
    const { entries, turns, signal, waitingFor, plan } = this
    const answered = entries.some((entry) => entry.from === 'agent' && entry.error === undefined)
    const waitedMs = Math.round(this.tools.deps.clock.now() - this.waitingSince)
    const isPastDeadline = this.isPastDeadline()
    const ending =
      endByTime(error, { signal, isPastDeadline, waitingFor, waitedMs, answered, turn: turns, plan }) ??
      endByModel(error, answered)
    if (ending === undefined) throw error
    if (entries.at(-1)?.from === 'user') {
      const { code, message } = ending.fault ?? { code: 'DEADLINE', message: ending.warning ?? '' }
      entries.push({ turn: turns, from: 'agent', text: '', error: { code, message }, ms: waitedMs })
    }
    return ending
  }

  private isPastDeadline(): boolean {
    const { deps, deadline = Infinity } = this.tools
    return deps.clock.now() >= deadline - nearDeadlineMs
  }

  private waitFor(what: string): void {
    this.waitingFor = what
    this.waitingSince = this.tools.deps.clock.now()
  }

  /** A copy, because functions of the test must not change the conversation. */
  private snapshot(): Transcript {
    return transcriptOf(copyOf(this.entries))
  }
}

function simulatedUser(
  { persona, goal, language, temperature, facts }: ConversationPlan,
  { trial, calls, deps, criteria }: RunTools,
  entries: readonly TranscriptEntry[],
): SimulatedUser {
  const { id } = deps
  return {
    user: createSimulator({ persona, goal, facts, language, temperature, trial, calls, id }),
    guard: createGuard({ persona, goal, facts, criteria, entries: () => entries }),
  }
}

const noContext: Finding = finding(
  'conversation/no-context',
  'the first answer has no contextId, so the conversation continued without one',
)

function newTask(turn: number): Finding {
  return finding(
    'conversation/new-task',
    `turn ${turn} answered a question of the agent, but the agent started a new task`,
    { level: 'warning' },
  )
}

function isQuestion({ state }: TurnAnswer): boolean {
  return state === 'input-required' || state === 'auth-required'
}

/** The finding, with the turn in its message if it needs one. */
function inTurn(found: Finding, turn: number, sent: string | undefined, answer: TurnAnswer): Finding {
  return found.id === 'wire/context-changed' && sent !== undefined && answer.contextId !== undefined
    ? { ...found, message: `contextId changed from ${sent} to ${answer.contextId} in turn ${turn}` }
    : found
}
