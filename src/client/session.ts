import { addFindings } from '../core/finding.ts'
import { deadlineOf } from '../core/abort.ts'
import type { Task } from '../protocol/model.ts'
import type { Transport } from '../http/types.ts'
import {
  codecOf,
  createCaller,
  type Answer,
  type Caller,
  type CallLimits,
  type Operation,
  type Request,
} from './operations/call.ts'
import { assertDeclared, declares, type Capability } from './route/capabilities.ts'
import { createConnector, type ClientOptions, type Connected, type Connector } from './route/connection.ts'
import { contextChanged, inSession } from './operations/context.ts'
import { withPromise } from './route/explain.ts'
import { recording, type Recording } from './operations/recording.ts'
import { toReply } from './reply.ts'
import { createStream, type OpenStream } from './stream/stream.ts'
import type { A2AStream, GatedOptions, OperationOptions, StreamOptions } from './types.ts'
import { tryWays } from './route/tryRoutes.ts'

/** What the events of a request need besides its options. */
export interface EventsContext {
  record: Recording
  /** The task as it is known already. */
  start?: Task
  /** The session that a 0.1 message was given. */
  sessionId?: () => string | undefined
  /** The context that the message continues. */
  contextId?: string | undefined
}

/** What all operations of one client share: the way to the agent, and how an answer is had along it. */
export interface Session extends Connector {
  readonly about: ClientOptions
  readonly requestTimeoutMs: number
  readonly waitMs: number
  callerOf(transport: Transport): Caller
  limitsOf(options: OperationOptions): CallLimits
  /** What a request is called along the way that is tried first, for messages. */
  nameOf(request: Request, connection: Connected): string
  /** Asks once, in whatever dialect the agent speaks. `core`: see `WaysQuestion`. */
  ask<T>(
    operation: Operation<T>,
    connection: Connected,
    transport: Transport,
    limits: CallLimits,
    more?: { core?: boolean },
  ): Promise<Answer<T>>
  /** Asks once, with nothing kept but the answer; a capability must be declared, unless that is what the caller wants to see. */
  call<T>(operation: Operation<T>, options?: GatedOptions, needs?: Capability): Promise<Answer<T>>
  /** The events of a request; nothing is sent before they are pulled. */
  events(request: Request, options: StreamOptions, context: EventsContext): A2AStream
}

export function createSession(about: ClientOptions): Session {
  const { options, deps, typedUrl } = about
  const requestTimeoutMs = options.requestTimeoutMs ?? 60_000
  const waitMs = options.waitMs ?? 60_000
  const connector = createConnector(about)

  const callerOf = (transport: Transport): Caller =>
    createCaller({ transport, deps, ...(options.extensions && { extensions: options.extensions }) })

  const limitsOf = ({ signal }: OperationOptions): CallLimits => {
    const deadlineAt = deadlineOf(signal)
    return {
      requestTimeoutMs,
      ...(signal && { signal }),
      ...(deadlineAt !== undefined && { deadlineAt }),
    }
  }

  const nameOf: Session['nameOf'] = (request, connection) => {
    const [candidate] = connection.route.candidates
    const way = connection.settled?.way ?? (candidate && { interface: candidate })
    if (way === undefined || request.exists?.(codecOf(way)) === false) return 'the agent'
    return callerOf(about.transport).methodOf(request, way)
  }

  const ask: Session['ask'] = async (operation, connection, transport, limits, { core = false } = {}) => {
    const caller = callerOf(transport)
    const { answer, findings } = await tryWays(
      operation,
      { connection, caller, transport, typedUrl, core },
      (way) => caller.call(operation, way, limits),
    )
    addFindings(findings, answer.findings)
    return { ...answer, findings }
  }

  return {
    ...connector,
    about,
    requestTimeoutMs,
    waitMs,
    callerOf,
    limitsOf,
    nameOf,
    ask,
    async call(operation, callOptions = {}, needs) {
      const connection = await connector.connect(callOptions.signal)
      const { transport } = recording(about.transport)
      if (needs !== undefined) {
        const method = nameOf(operation, connection)
        assertDeclared(connection, needs, { method, force: callOptions.force })
      }
      return ask(operation, connection, transport, limitsOf(callOptions))
    },
    events(request, streamOptions, { record, start, sessionId, contextId }) {
      const { transport, exchanges } = record
      const caller = callerOf(transport)
      let declared: Connected['route']['declared']
      const open = async (signal: AbortSignal): Promise<OpenStream> => {
        const connection = await connector.connect(signal)
        declared = connection.route.declared
        const method = nameOf(request, connection)
        assertDeclared(connection, 'streaming', { method, force: streamOptions.force })
        const limits = limitsOf({ ...streamOptions, signal })
        try {
          const question = { connection, caller, transport, typedUrl }
          const { answer, findings } = await tryWays(request, question, (way) =>
            caller.open(request, way, limits),
          )
          return { ...answer, findings, method: caller.methodOf(request, answer.way) }
        } catch (error) {
          throw declares(connection, 'streaming') === true ? withPromise(error, 'streaming') : error
        }
      }
      return createStream({
        clock: deps.clock,
        open,
        signal: streamOptions.signal,
        waitMs: streamOptions.waitMs ?? waitMs,
        keep: streamOptions.keep ?? true,
        ...(streamOptions.closeMs !== undefined && { closeMs: streamOptions.closeMs }),
        ...(start && { start }),
        hide: about.hide,
        reply(value, { opened, findings, progress, unsettled, ms }) {
          const { dialect } = opened.way.interface
          return toReply(inSession(value, dialect === '0.1' ? sessionId?.() : undefined), {
            dialect,
            ...(declared && { declared }),
            progress,
            unsettled,
            wait: { polls: 0, ms },
            findings: [...findings, ...contextChanged(contextId, value.contextId)],
            exchanges,
            agent: about.label(),
            secrets: about.secrets,
          })
        },
      })
    },
  }
}
