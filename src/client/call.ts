import type { AgentOptions } from '../agent/types.ts'
import type { Deps } from '../deps.ts'
import { A2AConnectionError, A2AReplyError, isA2AError } from '../errors.ts'
import type { Decoded, Finding } from '../finding.ts'
import type { Call, Codec } from '../protocol/codec.ts'
import { createFold } from '../protocol/fold.ts'
import { extensionHeaders, versionHeader, wireVersion } from '../protocol/headers.ts'
import { codecFor } from '../protocol/codecs.ts'
import { isActive, type AgentInterface, type Message, type Task } from '../protocol/model.ts'
import { callRpc, type CallResult } from '../transport/jsonrpc.ts'
import { callRest } from '../transport/rest.ts'
import type { Exchange, Transport } from '../transport/types.ts'
import { bindingOf } from './choose.ts'
import { addressPath } from '../card/placement.ts'
import { provesParseRejection, rejectsVersion } from './fallback.ts'
import { addFindings } from './wait.ts'

/** One way to call: an interface, and the peculiarities of an agent that only an answer can tell. */
export interface Way {
  interface: AgentInterface
  /** Sent as `A2A-Version` instead of Major.Minor. */
  exactVersion?: string
  /** Body of a 0.3 REST message written as in JSON-RPC, with `kind` and `parts`. */
  kindBody?: boolean
}

/** What is asked, in whatever dialect. */
export interface Operation {
  encode(codec: Codec, way: Way): Call
  /** Reads a plain answer. */
  decode(codec: Codec, result: unknown): Decoded<Message | Task>
}

/** The time that one operation has. */
export interface CallLimits {
  /** Longest wait for one request in ms. */
  requestTimeoutMs: number
  signal?: AbortSignal
  deadline?: number
  /** Longest time that an event stream is read for once it has told of a task, in ms. Default: `requestTimeoutMs`. */
  followMs?: number
}

export interface Answer {
  value: Message | Task
  /** Tolerances that reading it needed. */
  findings: Finding[]
  progress: string[]
  /** How long an event stream was followed, in ms. */
  followedMs: number
  /** The way that worked, and what was peculiar about it. */
  way: Way
  variants: Finding[]
}

export interface CallerOptions {
  transport: Transport
  deps: Deps
  extensions?: AgentOptions['extensions']
}

/** Sends one operation along one way and reads the answer, an event stream included. */
export interface Caller {
  /** Throws A2AError; the variants of a way (exact version, other body form) are tried on proof. */
  call(operation: Operation, way: Way, limits: CallLimits): Promise<Answer>
  /** How the operation is called along a way, for messages. */
  methodOf(operation: Operation, way: Way): string
}

export function createCaller({ transport, deps, extensions = [] }: CallerOptions): Caller {
  const codecOf = ({ interface: target }: Way): Codec => codecFor(target.dialect, bindingOf(target))

  const encode = (operation: Operation, way: Way): Call => {
    const call = operation.encode(codecOf(way), way)
    if (!way.kindBody || call.binding !== 'HTTP+JSON' || call.body === undefined) return call
    const asRpc = operation.encode(codecFor('0.3', 'JSONRPC'), way)
    return asRpc.binding === 'JSONRPC' ? { ...call, body: asRpc.params } : call
  }

  const once = async (operation: Operation, way: Way, limits: CallLimits): Promise<Answer> => {
    const { interface: target } = way
    const codec = codecOf(way)
    const call = encode(operation, way)
    const headers = {
      ...codec.headers(target.version),
      ...(way.exactVersion !== undefined && { [versionHeader]: way.exactVersion }),
      ...extensionHeaders(target.dialect, extensions),
    }
    const about = {
      url: target.url,
      headers,
      ...timeLeft(limits, deps),
      ...(limits.signal && { signal: limits.signal }),
      ...(target.path !== undefined && { addressFrom: addressPath(target.path) }),
    }
    const result =
      call.binding === 'JSONRPC'
        ? await callRpc(transport, { ...about, call, id: deps.rpcId() })
        : await callRest(transport, { ...about, call })
    const read =
      result.kind === 'result'
        ? { ...operation.decode(codec, result.result), progress: [], followedMs: 0 }
        : await readEvents(result, codec, limits, deps)
    const findings: Finding[] = []
    addFindings(findings, result.findings)
    addFindings(findings, read.findings)
    return { ...read, findings, way, variants: [] }
  }

  const call = async (operation: Operation, way: Way, limits: CallLimits): Promise<Answer> => {
    try {
      return await once(operation, way, limits)
    } catch (error) {
      const variant = variantOf(way, error, encode(operation, way))
      if (variant === undefined) throw error
      const answer = await call(operation, variant.way, limits)
      return { ...answer, variants: [variant.finding, ...answer.variants] }
    }
  }

  const methodOf = (operation: Operation, way: Way): string => {
    const encoded = encode(operation, way)
    // Over HTTP+JSON the name of an operation says nothing about the version, its path does.
    return encoded.binding === 'JSONRPC' ? encoded.method : `${encoded.verb} ${encoded.path}`
  }

  return { call, methodOf }
}

function timeLeft(
  { requestTimeoutMs, deadline }: CallLimits,
  { clock }: Deps,
): { timeoutMs: number; timeoutOption: 'requestTimeoutMs' | 'deadlineMs' } {
  const leftMs = deadline === undefined ? Infinity : deadline - clock.now()
  if (leftMs <= 0) {
    throw new A2AConnectionError('DEADLINE', 'time was up before the request was sent (option deadlineMs)')
  }
  return leftMs < requestTimeoutMs
    ? { timeoutMs: leftMs, timeoutOption: 'deadlineMs' }
    : { timeoutMs: requestTimeoutMs, timeoutOption: 'requestTimeoutMs' }
}

/**
 * Reads a reply that came as an event stream, until it is complete, the agent closes it or the time is up. An agent that only keeps
 * the connection open would hold it for ever.
 */
async function readEvents(
  stream: Extract<CallResult, { kind: 'events' }>,
  codec: Codec,
  limits: CallLimits,
  { clock }: Deps,
): Promise<Pick<Answer, 'value' | 'findings' | 'progress' | 'followedMs'>> {
  const { requestTimeoutMs, followMs = requestTimeoutMs, deadline = Infinity } = limits
  const fold = createFold()
  const more: Finding[] = []
  const start = clock.now()
  let late = false
  const hangUp = (ms: number): (() => void) =>
    clock.after(Math.max(0, Math.min(ms, deadline - clock.now(), longestTimerMs)), () => {
      late = true
      stream.abort()
    })
  let stop = hangUp(requestTimeoutMs)
  try {
    for await (const raw of stream.events) {
      const { value: event, findings: tolerances } = codec.readEvent(raw)
      const known = fold.reply() !== undefined
      fold.add(event, tolerances)
      if (fold.ended) break
      if (known || fold.reply() === undefined) continue
      if (followMs <= clock.now() - start) break
      stop()
      stop = hangUp(followMs - (clock.now() - start))
    }
  } catch (error) {
    const known = fold.reply()
    // A cut stream takes nothing away: the task goes on, and get-task tells how.
    if (!isCut(error) || known?.kind !== 'task' || !isActive(known.status.state)) throw error
    more.push({
      id: 'wire/stream-cut',
      level: 'warning',
      message: `the event stream broke off while task ${known.id} was ${known.status.state}: ${(error as Error).message}`,
      mend: 'Keep the connection open until the task is interrupted or done.',
    })
  } finally {
    stop()
    stream.abort()
  }
  const followedMs = clock.now() - start
  const value = fold.reply()
  if (value === undefined) throw late ? silentStream(stream, followedMs) : emptyStream()
  return { value, findings: [...fold.findings, ...more], progress: [...fold.progress], followedMs }
}

const longestTimerMs = 2 ** 31 - 1

function emptyStream(): A2AReplyError {
  return new A2AReplyError('BAD_REPLY', 'the stream ended without any event', {
    finding: 'wire/stream-empty',
    mend: 'Send a Task or a Message before the stream is closed.',
  })
}

function silentStream({ exchange }: { exchange: Exchange }, ms: number): A2AConnectionError {
  return new A2AConnectionError(
    'TIMEOUT',
    `the event stream of ${exchange.method} ${exchange.url} stayed open for ${ms} ms without a Task or a Message (option requestTimeoutMs)`,
    { mend: 'Let the agent send its Task first; if it is that slow, raise requestTimeoutMs.' },
  )
}

function isCut(error: unknown): boolean {
  return isA2AError(error) && error.code === 'UNREACHABLE'
}

/** The same interface once more, a little differently, when the error proves that this is what is amiss. */
function variantOf(way: Way, error: unknown, call: Call): { way: Way; finding: Finding } | undefined {
  const { interface: target } = way
  const path = target.path === undefined ? {} : { path: target.path }
  const { version } = target
  if (
    rejectsVersion(error, target.dialect) &&
    way.exactVersion === undefined &&
    version !== undefined &&
    version !== wireVersion(version)
  ) {
    return {
      way: { ...way, exactVersion: version },
      finding: {
        id: 'wire/version-header',
        level: 'warning',
        message: `A2A-Version "${wireVersion(version)}" was rejected (-32009), so "${version}" was sent as the card writes it`,
        mend: `Declare protocolVersion "${wireVersion(version)}": a patch number is never part of the negotiation.`,
        source: 'A2A 1.0 §3.6',
        ...path,
      },
    }
  }
  const hasBody = call.binding === 'HTTP+JSON' && call.body !== undefined
  if (hasBody && target.dialect === '0.3' && !way.kindBody && provesParseRejection(error)) {
    return {
      way: { ...way, kindBody: true },
      finding: {
        id: 'wire/rest-body',
        level: 'warning',
        message:
          'the agent could not read a message with "content" (the ProtoJSON form), so it was sent with "kind" and "parts"',
        mend: 'Accept the ProtoJSON form of A2A 0.3 over HTTP+JSON.',
        source: 'A2A 0.3 §3.2.3',
        ...path,
      },
    }
  }
  return undefined
}
