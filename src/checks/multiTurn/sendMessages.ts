import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput, Reply, SendOptions } from '../../client/types.ts'
import { addFindings } from '../../findings/addFindings.ts'
import { finding } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../types.ts'
import type { Verdict } from '../verdict.ts'
import { failing, verdictOn, wrongAnswer, type DeadlineOption, type CheckResult } from '../checkResult.ts'
import { hasText } from '../reply/describeReply.ts'
import { count, listed } from '../phrases.ts'

/** Options for every message of a conversation. */
export type MultiTurnOptions = DeadlineOption &
  Pick<SendOptions, 'metadata' | 'configuration'> & {
    /** Longest wait until a task settles, for each message, in ms. Default: the handle's `waitMs`, 60 000. */
    waitMs?: number
  }

/** Several messages to one agent that make one verdict. */
export interface Conversation {
  readonly agent: A2AAgent
  readonly budget: Budget
  /** Sends a message and waits for its reply, whose findings go into the verdict. */
  say(message: MessageInput, more?: SendOptions): Promise<Reply>
  /** Adds findings that do not decide the outcome. */
  note(...findings: readonly Finding[]): void
}

/** Runs a conversation and builds the verdict, with the messages as an excerpt unless it passes. */
export function conversation(
  agent: A2AAgent,
  options: MultiTurnOptions,
  budget: Budget,
  expected: string,
  check: (conversation: Conversation) => Promise<CheckResult>,
): Promise<Verdict> {
  return verdictOn({ kind: 'agent', agent }, expected, async () => {
    const findings: Finding[] = []
    const words: string[] = []
    let turns = 0
    const say: Conversation['say'] = async (message, more = {}) => {
      turns += 1
      words.push(line(turns, 'user', shownMessage(message)))
      const reply = await agent.send(message, { ...common(options, budget), ...more })
      addFindings(findings, reply.findings)
      words.push(line('', 'agent', shownReply(reply)))
      return reply
    }
    const note: Conversation['note'] = (...more) => addFindings(findings, more)
    const result = await check({ agent, budget, say, note }).catch((error: unknown) =>
      turns > 1 ? inTurn(wrongAnswer(error), `message ${turns}`) : wrongAnswer(error),
    )
    addFindings(findings, result.findings ?? [])
    const transcript =
      result.outcome !== 'passed' && turns > 1 ? [{ label: 'Conversation', text: words.join('\n') }] : []
    const excerpts = [...transcript, ...(result.excerpts ?? [])]
    return { ...result, findings: withoutDoubles(findings), ...(excerpts.length > 0 && { excerpts }) }
  })
}

/** The send options of every message. */
function common(options: MultiTurnOptions, budget: Budget): SendOptions {
  const { metadata, configuration, waitMs } = options
  return {
    signal: budget.signal,
    ...(metadata !== undefined && { metadata }),
    ...(configuration !== undefined && { configuration }),
    ...(waitMs !== undefined && { waitMs }),
  }
}

/** The same result, attributed to one of several messages. */
export function inTurn(result: CheckResult, turn: string): CheckResult {
  const received = `${turn}: ${result.received}`
  const findings = (result.findings ?? []).map((finding) =>
    finding.message === result.received ? { ...finding, message: received } : finding,
  )
  return { ...result, received, findings }
}

/** One failure made of several; undefined without any. */
export function together(failures: readonly CheckResult[]): CheckResult | undefined {
  const [first] = failures
  if (first === undefined || failures.length === 1) return first
  // The findings have their own fixes.
  const { fix: _, ...result } = first
  return {
    ...result,
    received: failures.map(({ received }) => received).join('; '),
    findings: failures.flatMap(({ findings = [] }) => findings),
    excerpts: failures.flatMap(({ excerpts = [] }) => excerpts),
  }
}

/** The failure of an answer in a context other than the message's; undefined otherwise. */
export function contextMoved(sent: string | undefined, reply: Reply, when: string): CheckResult | undefined {
  const { contextId } = reply
  if (sent === undefined || contextId === undefined || contextId === sent) return undefined
  return failing('wire/context-changed', `contextId changed from ${sent} to ${contextId} ${when}`, {
    fix: 'Answer in the context of the message, or reject the message.',
  })
}

/** The warning about an answer without a contextId. */
export function noContext(message: string): Finding {
  return finding('conversation/no-context', message)
}

/** Drops warnings of the client about what a check reports itself. */
function withoutDoubles(findings: readonly Finding[]): Finding[] {
  const errors = new Set(findings.filter(({ level }) => level === 'error').map(({ id }) => id))
  return findings.filter(({ id, level }) => level === 'error' || !errors.has(id))
}

const wordsShown = 400

function line(turn: number | '', who: string, words: string): string {
  const whole = words.trim()
  const shown = whole.length > wordsShown ? `${whole.slice(0, wordsShown)}…` : whole
  return `${String(turn).padStart(2)} ${who.padEnd(6)} ${shown.replaceAll('\n', '\n          ')}`
}

function shownMessage(message: MessageInput): string {
  if (typeof message === 'string') return message
  return message
    .map((part) => {
      if (typeof part === 'string') return part
      return part.kind === 'text' ? part.text : `(${part.kind} part)`
    })
    .join('\n')
}

function shownReply(reply: Reply): string {
  const { state, data, files } = reply
  const other = [
    ...(data.length > 0 ? [count(data.length, 'data part')] : []),
    ...(files.length > 0 ? [count(files.length, 'file')] : []),
  ]
  const text = hasText(reply) ? reply.text : (reply.reason ?? '')
  const words = [...(text === '' ? [] : [text]), ...(other.length > 0 ? [`(${listed(other)})`] : [])]
  const said = words.length === 0 ? '(no text)' : words.join(' ')
  return state === undefined || state === 'completed' ? said : `(${state}) ${said}`
}
