import { deadlineOf } from '../core/abort.ts'
import { addFindings } from '../findings/addFindings.ts'
import type { Transport } from '../http/types.ts'
import type { Task } from '../protocol/model.ts'
import {
  Caller,
  codecOf,
  type Answer,
  type CallLimits,
  type Opened,
  type Operation,
} from './operations/call.ts'
import { contextChanged, inSession } from './operations/context.ts'
import { Recording } from './operations/recording.ts'
import { toReply } from './reply.ts'
import { assertDeclared, declares, type Capability } from './route/capabilities.ts'
import { Connector, type ClientOptions } from './route/connection.ts'
import { withPromise } from './route/explain.ts'
import { tryRoutes, type RouteTools } from './route/tryRoutes.ts'
import type { Connection, Request } from './route/types.ts'
import { EventStream, type StreamReply } from './stream/stream.ts'
import { profileOf } from '../protocol/versions/profiles.ts'
import type { A2AStream, GatedOptions, OperationOptions, Reply, StreamOptions } from './types.ts'

/** What the events of a request need besides its options. */
export interface EventsContext {
  record: Recording
  /** The task as it is known already. */
  start?: Task
  /** The session of a 0.1 message. */
  sessionId?: () => string | undefined
  /** The context that the message continues. */
  contextId?: string | undefined
}

/** What all operations of one client share: the connection to the agent, and how to get an answer over it. */
export class Session extends Connector {
  readonly about: ClientOptions
  readonly requestTimeoutMs: number
  readonly waitMs: number
  readonly caller: Caller

  constructor(about: ClientOptions) {
    super(about)
    const { options, deps } = about
    this.about = about
    this.requestTimeoutMs = options.requestTimeoutMs ?? 60_000
    this.waitMs = options.waitMs ?? 60_000
    this.caller = new Caller(deps, options.extensions)
  }

  limitsOf({ signal }: OperationOptions): CallLimits {
    return { requestTimeoutMs: this.requestTimeoutMs, signal, deadlineAt: deadlineOf(signal) }
  }

  /** What a request is called on the route that is tried first, for messages. */
  nameOf(request: Request, connection: Connection): string {
    const route = connection.settled ?? connection.routes[0]
    if (route === undefined || request.exists?.(codecOf(route)) === false) return 'the agent'
    return this.caller.methodOf(request, route)
  }

  /** Asks once, in whatever dialect the agent speaks. `core`: see `RouteTools`. */
  async ask<T>(
    operation: Operation<T>,
    connection: Connection,
    transport: Transport,
    limits: CallLimits,
    core = false,
  ): Promise<Answer<T>> {
    const tools = this.#tools(connection, transport, core)
    const answer = await tryRoutes(operation, tools, (route) =>
      this.caller.call(transport, operation, route, limits),
    )
    const findings = [...answer.route.findings]
    addFindings(findings, answer.findings)
    answer.findings = findings
    return answer
  }

  /** Asks once and keeps nothing but the answer; a capability must be declared, unless the call is forced. */
  async call<T>(operation: Operation<T>, options: GatedOptions = {}, needs?: Capability): Promise<Answer<T>> {
    const connection = await this.connect(options.signal)
    if (needs !== undefined) this.#assertDeclared(connection, needs, operation, options)
    return this.ask(operation, connection, new Recording(this.about.transport), this.limitsOf(options))
  }

  /** The events of a request; nothing is sent before they are read. */
  events(request: Request, options: StreamOptions, context: EventsContext): A2AStream {
    const { about } = this
    const { signal, waitMs = this.waitMs, keep = true, closeMs } = options
    let connection: Connection | undefined
    return new EventStream({
      clock: about.deps.clock,
      signal,
      waitMs,
      keep,
      closeMs,
      start: context.start,
      hide: about.hide,
      methodOf: (route) => this.caller.methodOf(request, route),
      open: async (stop) => {
        connection = await this.connect(stop)
        return this.#open(request, connection, { ...options, signal: stop }, context.record)
      },
      reply: (value) => this.#replyOf(value, connection, context),
    })
  }

  async #open(
    request: Request,
    connection: Connection,
    options: GatedOptions,
    transport: Transport,
  ): Promise<Opened> {
    this.#assertDeclared(connection, 'streaming', request, options)
    const limits = this.limitsOf(options)
    try {
      return await tryRoutes(request, this.#tools(connection, transport), (route) =>
        this.caller.open(transport, request, route, limits),
      )
    } catch (error) {
      throw declares(connection, 'streaming') === true ? withPromise(error, 'streaming') : error
    }
  }

  #replyOf(
    { value, opened, findings, progress, unsettled, ms }: StreamReply,
    connection: Connection | undefined,
    { record, sessionId, contextId }: EventsContext,
  ): Reply {
    const { dialect } = opened.route.interface
    return toReply(inSession(value, profileOf(dialect).wire.clientMakesIds ? sessionId?.() : undefined), {
      dialect,
      declared: connection?.declared,
      progress,
      unsettled,
      wait: { polls: 0, ms },
      findings: [...findings, ...contextChanged(contextId, value.contextId)],
      exchanges: record.exchanges,
      agent: this.about.label(),
      secrets: this.about.secrets,
    })
  }

  #tools(connection: Connection, transport: Transport, core = false): RouteTools {
    const { caller, about } = this
    return {
      connection,
      transport,
      typedUrl: about.typedUrl,
      codecOf,
      methodOf: (request, route) => caller.methodOf(request, route),
      core,
    }
  }

  #assertDeclared(
    connection: Connection,
    capability: Capability,
    request: Request,
    { force }: GatedOptions,
  ): void {
    if (force) return
    assertDeclared(connection, capability, () => this.nameOf(request, connection))
  }
}
