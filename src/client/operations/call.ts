import type { AgentOptions } from '../types.ts'
import { addressPath } from '../../card/placement.ts'
import type { Deps } from '../../core/deps.ts'
import { A2AConnectionError } from '../../core/errors.ts'
import { addFindings, type Decoded, type Finding } from '../../core/finding.ts'
import type { Call, Codec } from '../../protocol/codec.ts'
import { codecFor } from '../../protocol/codecs.ts'
import { extensionHeaders, versionHeader } from '../../protocol/headers.ts'
import type { AgentInterface, Message, Task } from '../../protocol/model.ts'
import type { CallContext } from '../../bindings/binding.ts'
import { bindingFor, callAgent } from '../../bindings/call.ts'
import type { CallResult } from '../../http/answers.ts'
import type { Transport } from '../../http/types.ts'
import { bindingOf } from '../route/choose.ts'
import { readEvents, readLastEvent } from '../stream/events.ts'
import { variantOf } from '../route/variants.ts'

/** One way to call: an interface, and the peculiarities of an agent that only an answer can tell. */
export interface Way {
  interface: AgentInterface
  /** Sent as `A2A-Version` instead of Major.Minor. */
  exactVersion?: string
  /** Body of a 0.3 REST message written as in JSON-RPC, with `kind` and `parts`. */
  kindBody?: boolean
  /** Subscriptions over HTTP+JSON are asked for by GET, as the proto file has it. */
  subscribeByGet?: boolean
}

/** What is asked, in whatever dialect. */
export interface Request {
  encode(codec: Codec, way: Way): Call
  /** False for a dialect that lacks the operation. Default: all have it. */
  exists?(codec: Codec): boolean
  /** What to call it where it does not exist, and since when it does: `ListTasks (A2A 1.0)`. */
  since?: string
}

/** A request that is answered once. */
export interface Operation<T = Message | Task> extends Request {
  /** Reads a plain answer. */
  decode(codec: Codec, result: unknown): Decoded<T>
  /** Takes what an event stream adds up to for the answer; absent where that is neither a message nor a task. */
  folded?(value: Message | Task): T
}

/** The time that one operation has. */
export interface CallLimits {
  /** Longest wait for one request in ms. */
  requestTimeoutMs: number
  signal?: AbortSignal
  /** Wall-clock limit in ms since the epoch. */
  deadlineAt?: number
  /** Longest time that an event stream is read for once it has told of a task, in ms. Default: `requestTimeoutMs`. */
  followMs?: number
}

/** The way that worked, and what was peculiar about it. */
export interface Found {
  way: Way
  variants: Finding[]
}

export interface Answer<T = Message | Task> extends Found {
  value: T
  /** Tolerances that reading it needed. */
  findings: Finding[]
  progress: string[]
  /** How long an event stream was followed, in ms. */
  followedMs: number
}

/** An answer of which the events are still to be read, or one plain result in place of them. */
export interface Opened extends Found {
  result: CallResult
  codec: Codec
}

export interface CallerOptions {
  transport: Transport
  deps: Deps
  extensions?: AgentOptions['extensions']
}

/** Sends one operation along one way. Throws A2AError; the variants of a way (exact version, other verb or body) are tried on proof. */
export interface Caller {
  /** Reads the answer, an event stream included. */
  call<T>(operation: Operation<T>, way: Way, limits: CallLimits): Promise<Answer<T>>
  /** Asks for an event stream and waits for its head. */
  open(request: Request, way: Way, limits: CallLimits): Promise<Opened>
  /** How the operation is called along a way, for messages. */
  methodOf(request: Request, way: Way): string
}

export function codecOf({ interface: target }: Way): Codec {
  return codecFor(target.dialect, bindingOf(target))
}

export function createCaller({ transport, deps, extensions = [] }: CallerOptions): Caller {
  const encode = (request: Request, way: Way): Call => {
    const call = request.encode(codecOf(way), way)
    if (call.binding !== 'HTTP+JSON') return call
    if (way.subscribeByGet && call.path.endsWith(':subscribe')) {
      const { body: _, ...bare } = call
      return { ...bare, verb: 'GET' }
    }
    if (!way.kindBody || call.body?.['message'] === undefined) return call
    const asRpc = request.encode(codecFor('0.3', 'JSONRPC'), way)
    return asRpc.binding === 'JSONRPC' ? { ...call, body: asRpc.params } : call
  }

  const send = (request: Request, way: Way, limits: CallLimits, accept?: string): Promise<CallResult> => {
    const { interface: target } = way
    const call = encode(request, way)
    const headers = {
      ...codecOf(way).headers(target.version),
      ...extensionHeaders(target.dialect, extensions),
    }
    if (way.exactVersion !== undefined) headers[versionHeader] = way.exactVersion
    const context: CallContext = {
      call,
      dialect: target.dialect,
      id: deps.rpcId(),
      url: target.url,
      headers,
      ...timeLeft(limits, deps),
    }
    if (limits.signal !== undefined) context.signal = limits.signal
    if (target.path !== undefined) context.addressFrom = addressPath(target.path)
    if (accept !== undefined) context.accept = accept
    return callAgent(transport, context)
  }

  const once = async <T>(operation: Operation<T>, way: Way, limits: CallLimits): Promise<Answer<T>> => {
    const result = await send(operation, way, limits)
    const codec = codecOf(way)
    const read =
      result.kind === 'result'
        ? { ...operation.decode(codec, result.result), progress: [], followedMs: 0 }
        : await readStream(operation, result, codec, limits)
    const findings: Finding[] = []
    addFindings(findings, result.findings)
    addFindings(findings, read.findings)
    return { ...read, findings, way, variants: [] }
  }

  const readStream = async <T>(
    operation: Operation<T>,
    stream: Extract<CallResult, { kind: 'events' }>,
    codec: Codec,
    limits: CallLimits,
  ): Promise<Omit<Answer<T>, keyof Found>> => {
    const { folded } = operation
    if (folded === undefined) {
      const last = await readLastEvent(stream, limits, deps)
      return { ...operation.decode(codec, last), progress: [], followedMs: 0 }
    }
    const read = await readEvents(stream, codec, limits, deps)
    return { ...read, value: folded(read.value) }
  }

  /** The same interface once more, a little differently, for as long as the errors prove that this is what is amiss. */
  const vary = async <R extends Found>(
    request: Request,
    way: Way,
    perform: (way: Way) => Promise<R>,
  ): Promise<R> => {
    try {
      return await perform(way)
    } catch (error) {
      const variant = variantOf(way, error, encode(request, way))
      if (variant === undefined) throw error
      const answer = await vary(request, variant.way, perform)
      return { ...answer, variants: [variant.finding, ...answer.variants] }
    }
  }

  return {
    call: (operation, way, limits) => vary(operation, way, (one) => once(operation, one, limits)),
    open: (request, way, limits) =>
      vary(request, way, async (one) => ({
        result: await send(request, one, limits, 'text/event-stream'),
        codec: codecOf(one),
        way: one,
        variants: [],
      })),
    methodOf(request, way) {
      const call = encode(request, way)
      return bindingFor(call.binding).label(call)
    },
  }
}

function timeLeft(
  { requestTimeoutMs, deadlineAt }: CallLimits,
  { clock }: Deps,
): { timeoutMs: number; timeoutOption: 'requestTimeoutMs' | 'deadlineMs' } {
  const leftMs = deadlineAt === undefined ? Infinity : deadlineAt - clock.now()
  if (leftMs <= 0) {
    throw new A2AConnectionError('DEADLINE', 'time was up before the request was sent (option deadlineMs)')
  }
  return leftMs < requestTimeoutMs
    ? { timeoutMs: leftMs, timeoutOption: 'deadlineMs' }
    : { timeoutMs: requestTimeoutMs, timeoutOption: 'requestTimeoutMs' }
}
