import type { AgentCardResult, AgentOptions, MessageInput } from '../agent/types.ts'
import type { Deps } from '../deps.ts'
import { A2AReplyError, A2AUsageError, isA2AError, isReplyError } from '../errors.ts'
import type { Finding } from '../finding.ts'
import type { SendConfiguration, SendContext } from '../protocol/codec.ts'
import { isActive, type AgentInterface, type Task } from '../protocol/model.ts'
import type { Transport } from '../transport/types.ts'
import { createCaller, type Answer, type CallLimits, type Operation, type Way } from './call.ts'
import { chooseRoute, type Route } from './choose.ts'
import { locate } from './locate.ts'
import { explainUnknownMethods, withAddress, withSize } from './explain.ts'
import { fallbackFinding, provesMethodUnknown, type FailedTry } from './fallback.ts'
import { largeFiles, toMessage } from './message.ts'
import { recording } from './recording.ts'
import { toReply } from './reply.ts'
import type { Reply, SendOptions } from './types.ts'
import { addFindings, waitForTask } from './wait.ts'

/** What a client needs of its handle. */
export interface ClientOptions {
  transport: Transport
  options: AgentOptions
  deps: Deps
  /** The agent's address as typed. */
  typedUrl: string
  card(): Promise<AgentCardResult>
  /** Who is called, for messages. */
  label(): string
  secrets: readonly string[]
  /** Origin that we opened ourselves for a served or spawned subject. */
  servedOrigin?: string
  /** Told the card before the first call, so that credentials can be applied as it says. */
  onCard?(result: AgentCardResult): void
}

/** The operations of A2A, the same for every version and binding. */
export interface Client {
  /** Sends one message and waits until its task settles. Throws A2AError. */
  send(input: MessageInput, options?: SendOptions): Promise<Reply>
  getTask(id: string, options?: { signal?: AbortSignal; deadline?: number }): Promise<Task>
  /** Forgets what was learnt about the agent, for one that was restarted. */
  forget(): void
}

/** What the handle remembers: the way that works, and why it is another than the card says. */
interface Connected {
  route: Route
  result?: AgentCardResult
  /** Findings about the address, by interface. */
  placed: Map<AgentInterface, Finding[]>
  settled?: { way: Way; findings: Finding[] }
}

export function createClient(about: ClientOptions): Client {
  const { options, deps, typedUrl } = about
  const requestTimeoutMs = options.requestTimeoutMs ?? 60_000
  let connected: Promise<Connected> | undefined

  const connect = (signal?: AbortSignal): Promise<Connected> => {
    if (connected === undefined) {
      const started = open()
      connected = started
      // A failure is not remembered: the agent may be up at the next try.
      started.catch(() => {
        if (connected === started) connected = undefined
      })
    }
    return orAborted(connected, signal)
  }

  const open = async (): Promise<Connected> => {
    const result = await cardOf(about)
    const route = chooseRoute({ ...(result && { result }), options, typedUrl })
    if (result !== undefined) about.onCard?.(result)
    else if (options.credentials !== undefined) {
      throw new A2AUsageError(
        'BAD_OPTIONS',
        'option credentials needs the agent card, which says where they go; none was found',
        {
          mend: 'use the option headers, or pass the card with card or cardUrl',
        },
      )
    }
    const placed = new Map<AgentInterface, Finding[]>()
    const candidates = route.candidates.map((candidate) => {
      const { interface: located, findings } = locate(candidate, { ...about, ...(result && { result }) })
      placed.set(located, findings)
      return located
    })
    return { route: { ...route, candidates }, placed, ...(result && { result }) }
  }

  /** Tries the ways in turn; each further one only on proof that the agent does not know the method. */
  const ask = async (
    operation: Operation,
    connection: Connected,
    transport: Transport,
    limits: CallLimits,
  ): Promise<Answer> => {
    const caller = createCaller({
      transport,
      deps,
      ...(options.extensions && { extensions: options.extensions }),
    })
    const known = connection.settled
    const fresh = connection.route.candidates.map((candidate): Way => ({ interface: candidate }))
    const ways = known ? [known.way, ...fresh] : fresh
    const failed: FailedTry[] = []
    for (const way of ways) {
      const method = caller.methodOf(operation, way)
      try {
        const answer = await caller.call(operation, way, limits)
        if (way === known?.way) return { ...answer, findings: [...known.findings, ...answer.findings] }
        const findings = [...(connection.placed.get(way.interface) ?? []), ...connection.route.findings]
        const fallback =
          connection.route.declared && fallbackFinding(failed, { interface: way.interface, method })
        if (fallback) findings.unshift(fallback)
        const about = answer.findings.filter((finding) => variantIds.has(finding.id))
        connection.settled = { way: answer.way, findings: [...findings, ...about] }
        return { ...answer, findings: [...findings, ...answer.findings] }
      } catch (error) {
        const body = transport.exchanges.at(-1)?.responseBody
        if (!provesMethodUnknown(error, { method, dialect: way.interface.dialect, body })) {
          throw withAddress(error, way.interface, typedUrl)
        }
        failed.push({ interface: way.interface, method, error })
      }
    }
    throw explainUnknownMethods(failed, connection.route.lastResort, typedUrl)
  }

  const send = async (input: MessageInput, sendOptions: SendOptions = {}): Promise<Reply> => {
    const message = toMessage(input, sendOptions, deps.id())
    const limits: CallLimits = {
      requestTimeoutMs,
      ...(sendOptions.signal && { signal: sendOptions.signal }),
      ...(sendOptions.deadline !== undefined && { deadline: sendOptions.deadline }),
    }
    const connection = await connect(sendOptions.signal)
    const { transport, exchanges, firstBytes } = recording(about.transport)
    const large = largeFiles(message)
    const ids = createIds(deps)
    let sessionId: string | undefined
    const operation: Operation = {
      encode: (codec, { interface: target }) => {
        const old = target.dialect === '0.1'
        if (old) sessionId = message.contextId ?? ids.session()
        // 0 means "all" in the ProtoJSON of 0.3.
        const short = large.length > 0 && !(target.dialect === '0.3' && codec.binding === 'HTTP+JSON')
        return codec.send(message, {
          ...sendContext(target, sendOptions, short),
          newTaskId: old ? ids.task() : '',
          newSessionId: sessionId ?? '',
        })
      },
      decode: (codec, result) => codec.readReply(result),
    }
    try {
      const answer = await ask(operation, connection, transport, limits)
      const { way } = answer
      const findings = [...answer.findings]
      let wait = { polls: 0, ms: 0 }
      let unsettled = false
      let { value } = answer
      const progress = [...answer.progress]
      if (value.kind === 'task' && isActive(value.status.state)) {
        unsettled = true
        if (!sendOptions.noWait) {
          const waited = await settle(value, way, transport, limits, {
            waitMs: sendOptions.waitMs ?? options.waitMs ?? 60_000,
            short: large.length > 0,
          })
          value = waited.task
          unsettled = waited.unsettled
          wait = { polls: waited.polls, ms: waited.ms }
          for (const text of waited.progress) if (!progress.includes(text)) progress.push(text)
          addFindings(findings, waited.findings)
        }
      }
      // The client makes the session in 0.1, and not every agent repeats it.
      if (way.interface.dialect === '0.1' && value.contextId === undefined && sessionId !== undefined) {
        value = { ...value, contextId: sessionId }
      }
      if (
        message.contextId !== undefined &&
        value.contextId !== undefined &&
        value.contextId !== message.contextId
      ) {
        findings.push(contextChanged(message.contextId, value.contextId))
      }
      return toReply(value, {
        dialect: way.interface.dialect,
        ...(connection.route.declared && { declared: connection.route.declared }),
        progress,
        unsettled,
        wait,
        findings,
        exchanges,
        agent: about.label(),
        secrets: about.secrets,
      })
    } catch (error) {
      throw withSize(error, large, firstBytes())
    }
  }

  const settle = (
    task: Task,
    way: Way,
    transport: Transport,
    limits: CallLimits,
    { waitMs, short }: { waitMs: number; short: boolean },
  ): ReturnType<typeof waitForTask> => {
    const caller = createCaller({
      transport,
      deps,
      ...(options.extensions && { extensions: options.extensions }),
    })
    const operation = getTaskOperation(task.id, short)
    return waitForTask(task, {
      clock: deps.clock,
      waitMs,
      ...(limits.deadline !== undefined && { deadline: limits.deadline }),
      ...(limits.signal && { signal: limits.signal }),
      method: caller.methodOf(operation, way),
      get: async (leftMs) => {
        const answer = await caller.call(operation, way, {
          ...limits,
          requestTimeoutMs: Math.min(requestTimeoutMs, leftMs),
        })
        return { value: asTask(answer), findings: answer.findings }
      },
    })
  }

  return {
    send,
    async getTask(id, { signal, deadline } = {}) {
      const connection = await connect(signal)
      const { transport } = recording(about.transport)
      const limits: CallLimits = {
        requestTimeoutMs,
        ...(signal && { signal }),
        ...(deadline !== undefined && { deadline }),
      }
      return asTask(await ask(getTaskOperation(id, false), connection, transport, limits))
    },
    forget() {
      connected = undefined
    },
  }
}

const variantIds = new Set(['wire/version-header', 'wire/rest-body'])

/** The card where it can be had; with `endpoint` the agent can be called without one. */
async function cardOf({ card, options }: ClientOptions): Promise<AgentCardResult | undefined> {
  if (options.endpoint === undefined) return card()
  // With the version known, the card is only needed to tell where credentials go.
  if (options.version !== undefined && options.credentials === undefined && options.card === undefined)
    return undefined
  try {
    const result = await card()
    return result.discovery.found === undefined ? undefined : result
  } catch (error) {
    if (isA2AError(error) && (isReplyError(error) || error.name === 'A2AConnectionError')) return undefined
    throw error
  }
}

function getTaskOperation(id: string, short: boolean): Operation {
  return {
    encode: (codec, { interface: target }) =>
      codec.getTask(id, {
        ...(target.tenant !== undefined && { tenant: target.tenant }),
        ...(short && !(target.dialect === '0.3' && codec.binding === 'HTTP+JSON') && { historyLength: 0 }),
      }),
    decode: (codec, result) => codec.readTask(result),
  }
}

function sendContext(
  target: AgentInterface,
  options: SendOptions,
  short: boolean,
): Omit<SendContext, 'newTaskId' | 'newSessionId'> {
  const configuration: SendConfiguration = { ...options.configuration }
  if (short && configuration.historyLength === undefined) configuration.historyLength = 0
  if (options.noWait && configuration.wait === undefined) configuration.wait = false
  return {
    ...(target.tenant !== undefined && { tenant: target.tenant }),
    ...(Object.keys(configuration).length > 0 && { configuration }),
    ...(options.metadata && { metadata: options.metadata }),
  }
}

/** The ids that only 0.1 needs, made once a message however often it is encoded. */
function createIds(deps: Deps): { task(): string; session(): string } {
  let task: string | undefined
  let session: string | undefined
  return { task: () => (task ??= deps.id()), session: () => (session ??= deps.id()) }
}

function asTask({ value }: Answer): Task {
  if (value.kind === 'task') return value
  throw new A2AReplyError('BAD_REPLY', 'get-task was answered with a message, not with a task', {
    finding: 'wire/reply-shape',
    mend: 'answer tasks/get (GetTask) with the task itself',
  })
}

function contextChanged(sent: string, received: string): Finding {
  return {
    id: 'wire/context-changed',
    level: 'warning',
    path: 'contextId',
    message: `the message continued context "${sent}", but the answer is in context "${received}"`,
    mend: 'answer in the context that the message names, or reject the message',
    source: 'A2A 1.0 §3.4.1',
  }
}

/** Stops waiting for something that several callers share; it goes on for the others. */
async function orAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared
  signal.throwIfAborted()
  let onAbort: (() => void) | undefined
  try {
    return await Promise.race([
      shared,
      new Promise<never>((_, reject) => {
        onAbort = () => reject(signal.reason)
        signal.addEventListener('abort', onAbort, { once: true })
      }),
    ])
  } finally {
    if (onAbort) signal.removeEventListener('abort', onAbort)
  }
}
