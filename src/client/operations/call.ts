import type { CallContext } from '../../bindings/binding.ts'
import { bindingFor, callAgent } from '../../bindings/call.ts'
import { addressPath } from '../../card/placement.ts'
import type { Deps } from '../../core/deps.ts'
import { A2AConnectionError } from '../../core/errors.ts'
import { addFindings } from '../../findings/addFindings.ts'
import type { Decoded, Finding } from '../../findings/types.ts'
import type { CallResult } from '../../http/answers.ts'
import type { Transport } from '../../http/types.ts'
import type { Call, Codec } from '../../protocol/codec.ts'
import { codecFor } from '../../protocol/codecs.ts'
import { extensionHeaders, versionHeader } from '../../protocol/headers.ts'
import type { Message, Task } from '../../protocol/model.ts'
import { bindingOf } from '../route/plan.ts'
import type { Request, Route } from '../route/types.ts'
import { variantOf } from '../route/variants.ts'
import { readEvents, readLastEvent } from '../stream/events.ts'

/** A request that is answered once. */
export interface Operation<T = Message | Task> extends Request {
  /** Reads a plain answer. */
  decode(codec: Codec, result: unknown): Decoded<T>
  /** Takes what an event stream adds up to as the answer; absent if that is neither a message nor a task. */
  folded?(value: Message | Task): T
}

/** The time that one operation has. */
export interface CallLimits {
  /** Longest wait for one request in ms. */
  requestTimeoutMs: number
  signal: AbortSignal | undefined
  /** Wall-clock limit in ms since the epoch. */
  deadlineAt: number | undefined
  /** Longest time that an event stream is read once it has reported a task, in ms. Default: `requestTimeoutMs`. */
  followMs?: number
}

/** An answer, with the tolerances that reading it needed and the route that gave it. */
export interface Answer<T = Message | Task> extends Decoded<T> {
  route: Route
  progress: string[]
  /** How long an event stream was followed, in ms. */
  followedMs: number
}

/** An answer whose events are still to be read, or one plain result in place of them. */
export interface Opened {
  result: CallResult
  codec: Codec
  route: Route
}

export function codecOf({ interface: target }: Route): Codec {
  return codecFor(target.dialect, bindingOf(target))
}

/** Sends single operations along a route. Throws A2AError; variants of the route (exact version, other verb or body) are tried on proof. */
export class Caller {
  readonly #deps: Deps
  readonly #extensions: readonly string[]

  constructor(deps: Deps, extensions: readonly string[] = []) {
    this.#deps = deps
    this.#extensions = extensions
  }

  /** Reads the answer, an event stream included. */
  call<T>(
    transport: Transport,
    operation: Operation<T>,
    route: Route,
    limits: CallLimits,
  ): Promise<Answer<T>> {
    return this.#vary(operation, route, (one) => this.#once(transport, operation, one, limits))
  }

  /** Requests an event stream and waits for its head. */
  open(transport: Transport, request: Request, route: Route, limits: CallLimits): Promise<Opened> {
    return this.#vary(request, route, async (one) => ({
      result: await this.#send(transport, request, one, limits, 'text/event-stream'),
      codec: codecOf(one),
      route: one,
    }))
  }

  /** What the request is called on a route, for messages. */
  methodOf(request: Request, route: Route): string {
    const call = encode(request, route)
    return bindingFor(call.binding).label(call)
  }

  /** Performs the request again, a little differently, as long as the errors prove that this is what is wrong. */
  async #vary<R>(request: Request, route: Route, perform: (route: Route) => Promise<R>): Promise<R> {
    for (let tried = route; ;) {
      try {
        return await perform(tried)
      } catch (error) {
        const variant = variantOf(tried, error, encode(request, tried))
        if (variant === undefined) throw error
        tried = variant
      }
    }
  }

  async #once<T>(
    transport: Transport,
    operation: Operation<T>,
    route: Route,
    limits: CallLimits,
  ): Promise<Answer<T>> {
    const result = await this.#send(transport, operation, route, limits)
    const codec = codecOf(route)
    const findings: Finding[] = []
    addFindings(findings, result.findings)
    if (result.kind === 'events' && operation.folded !== undefined) {
      const read = await readEvents(result, codec, limits, this.#deps)
      addFindings(findings, result.findings)
      addFindings(findings, read.findings)
      const { progress, followedMs } = read
      return { value: operation.folded(read.value), findings, route, progress, followedMs }
    }
    const plain = result.kind === 'result' ? result.result : await readLastEvent(result, limits, this.#deps)
    const decoded = operation.decode(codec, plain)
    addFindings(findings, result.findings)
    addFindings(findings, decoded.findings)
    return { value: decoded.value, findings, route, progress: [], followedMs: 0 }
  }

  #send(
    transport: Transport,
    request: Request,
    route: Route,
    limits: CallLimits,
    accept?: string,
  ): Promise<CallResult> {
    const { interface: target } = route
    const call = encode(request, route)
    const headers = { ...codecOf(route).headers(target.version) }
    if (this.#extensions.length > 0)
      Object.assign(headers, extensionHeaders(target.dialect, this.#extensions))
    if (route.exactVersion !== undefined) headers[versionHeader] = route.exactVersion
    const { timeoutMs, timeoutOption } = timeLeft(limits, this.#deps)
    const context: CallContext = {
      call,
      dialect: target.dialect,
      id: this.#deps.rpcId(),
      url: target.url,
      headers,
      timeoutMs,
      timeoutOption,
    }
    if (limits.signal !== undefined) context.signal = limits.signal
    if (target.path !== undefined) context.addressFrom = addressPath(target.path)
    if (accept !== undefined) context.accept = accept
    return callAgent(transport, context)
  }
}

function encode(request: Request, route: Route): Call {
  const call = request.encode(codecOf(route), route)
  if (call.binding !== 'HTTP+JSON') return call
  if (route.subscribeByGet && call.path.endsWith(':subscribe')) {
    const { body: _, ...bare } = call
    return { ...bare, verb: 'GET' }
  }
  if (!route.kindBody || call.body?.['message'] === undefined) return call
  const asRpc = request.encode(codecFor('0.3', 'JSONRPC'), route)
  return asRpc.binding === 'JSONRPC' ? { ...call, body: asRpc.params } : call
}

/** How long a request may take, and the option that says so. Throws A2AConnectionError `DEADLINE`. */
function timeLeft(
  { requestTimeoutMs, deadlineAt }: CallLimits,
  { clock }: Deps,
): Pick<CallContext, 'timeoutMs' | 'timeoutOption'> {
  const leftMs = deadlineAt === undefined ? Infinity : deadlineAt - clock.now()
  if (leftMs <= 0) {
    throw new A2AConnectionError(
      'DEADLINE',
      'the deadline passed before the request was sent (option deadlineMs)',
    )
  }
  return leftMs < requestTimeoutMs
    ? { timeoutMs: leftMs, timeoutOption: 'deadlineMs' }
    : { timeoutMs: requestTimeoutMs, timeoutOption: 'requestTimeoutMs' }
}
