import { finding } from '../../findings/finding.ts'
import type { A2AAgent } from '../../agent/types.ts'
import type { A2AStream, MessageInput, Reply } from '../../client/types.ts'
import { isNoAnswer, isReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../types.ts'
import { operationName } from '../../protocol/versions/profiles.ts'
import type { Verdict } from '../verdict.ts'
import { limits, sendOptions, type AskOptions } from '../reply/sendAndCheck.ts'
import { failing, verdictOn, type CheckResult } from '../checkResult.ts'
import { describeReply, hasText, textExcerpt } from '../reply/describeReply.ts'
import type { Expected } from '../reply/expectedValue.ts'
import { noAnswer } from '../reply/replyFailures.ts'
import { expectedReply, type ExpectedReply } from '../reply/expectedReply.ts'
import { count, quote } from '../phrases.ts'
import { arrivalOf, lateFindings, pieceFindings } from './eventTiming.ts'
import { declaresStreaming } from './declaresStreaming.ts'
import { closeMs, earlyFinding, merged, readStream, type ReadStream } from './readStream.ts'

/** Options of `toStream()`. */
export type StreamCheckOptions = AskOptions & {
  /** What the events must add up to, as in `toReply`. Default: some text, data or file. */
  expected?: Expected<Reply>
  /** The events must arrive one by one, not all at once at the end. Default false. */
  incremental?: boolean
  /** Longest time from the request to the first event in ms. Default: none. */
  firstEventMs?: number
  /** Sends the message again without streaming; the text must be the same. Default false. */
  sameAsSend?: boolean
  /** Streams even if the card does not declare streaming. Default false. */
  force?: boolean
}

/** Sends one message by the streaming method, and checks the events, their order, their end and the reply they make. */
export async function checkStream(
  agent: A2AAgent,
  [message, options = {}]: readonly [message: MessageInput, options?: StreamCheckOptions],
  budget: Budget,
): Promise<Verdict> {
  const expectation = expectedReply(options.expected, { matcher: 'toStream' })
  const expected = `a valid event stream with a reply ${expectation.phrase}`
  return verdictOn({ kind: 'agent', agent }, expected, async () => {
    const stream = agent.stream(message, {
      ...sendOptions(options, budget),
      closeMs,
      ...(options.force !== undefined && { force: options.force }),
    })
    try {
      const read = await readStream(stream)
      const result = await judge({ agent, message, options, budget, stream, read, expectation })
      if (options.force && stream.streamed && (await declaresStreaming(agent)) === false)
        return { ...result, findings: [...(result.findings ?? []), undeclared(stream)] }
      return result
    } catch (error) {
      return await refused(error, agent, options)
    } finally {
      await stream[Symbol.asyncDispose]()
    }
  })
}

interface Judged {
  agent: A2AAgent
  message: MessageInput
  options: StreamCheckOptions
  budget: Budget
  stream: A2AStream
  read: ReadStream
  expectation: ExpectedReply
}

async function judge(about: Judged): Promise<CheckResult> {
  const { agent, options, budget, stream, read } = about
  const { timings } = stream
  const found = [...read.findings]
  if (read.early) found.unshift(await earlyFinding(read, stream, agent, limits(budget)))
  found.push(
    ...lateFindings(timings, options.firstEventMs),
    ...pieceFindings(timings, options.incremental ?? false),
  )
  const all = merged(stream.findings, found)
  const errors = found.filter(({ level }) => level === 'error')
  const events = read.list.excerpts()
  if (errors.length > 0) {
    const [worst] = errors
    const received =
      errors.length === 1 && worst
        ? worst.message
        : `a stream of ${count(read.rules.events, 'event')} that breaks ${errors.length} rules`
    return { outcome: 'failed', received, findings: all, excerpts: events }
  }

  const result = await judgeReply(about, stream.soFar())
  const findings = [...(result.findings ?? []), ...all]
  if (result.outcome !== 'passed')
    return { ...result, findings, excerpts: [...(result.excerpts ?? []), ...events] }
  const arrival = arrivalOf(timings)
  if (options.incremental && arrival.kind === 'quick') {
    return {
      outcome: 'inconclusive',
      received: arrival.message,
      findings,
      excerpts: events,
      fix: 'Pass a message that keeps the agent busy for longer.',
    }
  }
  const what = stream.streamed ? `a stream of ${count(read.rules.events, 'event')}` : 'one JSON document'
  return { ...result, findings, received: `${what}: ${result.received}` }
}

/** Checks the reply of a stream that breaks no rule. */
async function judgeReply(
  { agent, message, options, budget, stream, expectation }: Judged,
  reply?: Reply,
): Promise<CheckResult> {
  if (reply === undefined)
    return failing('stream/ended-early', 'the stream contained neither a Message nor a Task')
  const none = noAnswer(reply)
  if (none !== undefined) return none
  const result = await expectation.judge(reply, budget.signal)
  const isEmpty = result.outcome === 'failed' && !hasText(reply)
  if (!options.sameAsSend || (result.outcome === 'failed' && !isEmpty)) {
    return result.outcome === 'passed'
      ? result
      : { ...result, excerpts: [...textExcerpt(reply), ...(result.excerpts ?? [])] }
  }

  const plain = await agent.send(message, sendOptions(options, budget))
  const method = operationName('send', { dialect: plain.dialect })
  const { findings } = plain
  if (plain.text.trim() === reply.text.trim() && noAnswer(plain) === undefined)
    return { ...result, findings: [...(result.findings ?? []), ...findings] }
  const received = !hasText(plain)
    ? `the stream has the text ${quote(reply.text)}, but ${method} got ${describeReply(plain)}`
    : !hasText(reply)
      ? `the stream completed without text, but ${method} answered the same message with text`
      : `the stream has the text ${quote(reply.text)}, but ${method} answered the same message with ${quote(plain.text)}`
  return failing('stream/differs-from-send', received, {
    findings,
    fix:
      `Let ${stream.method ?? 'the stream'} send the whole answer even if it comes in one piece. ` +
      'Two calls of a language model may differ: omit `sameAsSend` then.',
    excerpts: [
      { label: 'Text of the stream', text: reply.text },
      { label: `Text of ${method}`, text: plain.text },
    ],
  })
}

const unsupported = -32004

/** An agent that does not declare streaming may refuse it, but that is still not a stream. */
async function refused(error: unknown, agent: A2AAgent, { force }: StreamCheckOptions): Promise<CheckResult> {
  const isRefusal = isReplyError(error) && error.rpcCode === unsupported && !isNoAnswer(error)
  if (!force || !isRefusal || (await declaresStreaming(agent)) !== false) throw error
  return failing(
    'stream/refused',
    `${error.message}; the card does not declare streaming, so the refusal is correct`,
    { fix: 'To test the refusal, write `.not.toStream(message, { force: true })`.' },
  )
}

function undeclared({ method = 'the streaming method' }: A2AStream): Finding {
  return finding(
    'stream/undeclared',
    `streaming is not declared, but ${method} answered with a stream; expected UnsupportedOperationError (-32004)`,
  )
}
