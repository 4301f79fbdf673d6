import type { A2AAgent, AgentCardResult, AgentOptions } from '../agent/types.ts'
import type { Deps } from '../deps.ts'
import { A2AUsageError, isA2AError, isReplyError } from '../errors.ts'
import type { Finding } from '../finding.ts'
import { isActive, type AgentInterface, type Task } from '../protocol/model.ts'
import type { Transport } from '../transport/types.ts'
import { createCaller, type Answer, type Caller, type CallLimits, type Operation, type Way } from './call.ts'
import { chooseRoute, type Route } from './choose.ts'
import { explainUnknownMethods, withAddress, withEarlier, withSize } from './explain.ts'
import { fallbackFinding, provesMethodUnknown, type FailedTry } from './fallback.ts'
import { locate } from './locate.ts'
import { largeFiles, toMessage } from './message.ts'
import { asTask, getTaskOperation, sendOperation } from './operations.ts'
import { recording } from './recording.ts'
import { toReply } from './reply.ts'
import type { SendOptions } from './types.ts'
import { addFindings, waitForTask, type Waited } from './wait.ts'

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
  /** Takes secrets out of an error, for what is thrown while a stream is read. */
  hide(error: unknown): unknown
  /** Told the card before the first call, so that credentials can be applied as it says. */
  onCard?(result: AgentCardResult): void
}

/** The operations of A2A, the same for every version and binding. All throw A2AError; see `A2AAgent`. */
export interface Client extends Pick<
  A2AAgent,
  'send' | 'stream' | 'subscribe' | 'getTask' | 'cancelTask' | 'listTasks' | 'pushConfigs' | 'extendedCard'
> {
  /** Forgets what was learnt about the agent, for one that was restarted. */
  forget(): void
}

/** What the handle remembers: the way that works, and why it is another than the card says. */
interface Connected {
  route: Route
  /** Findings about the address, by interface. */
  placed: Map<AgentInterface, Finding[]>
  settled?: { way: Way; candidate: AgentInterface; findings: Finding[] }
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
          mend: 'Use the option headers, or pass the card with card or cardUrl.',
        },
      )
    }
    const placed = new Map<AgentInterface, Finding[]>()
    const candidates = route.candidates.map((candidate) => {
      const { interface: located, findings } = locate(candidate, { ...about, ...(result && { result }) })
      placed.set(located, findings)
      return located
    })
    return { route: { ...route, candidates }, placed }
  }

  const callerOf = (transport: Transport): Caller =>
    createCaller({ transport, deps, ...(options.extensions && { extensions: options.extensions }) })

  /** Tries the ways in turn; each further one only on proof that the agent does not know the method. */
  const ask = async (
    operation: Operation,
    connection: Connected,
    transport: Transport,
    limits: CallLimits,
  ): Promise<Answer> => {
    const caller = callerOf(transport)
    const { route, placed, settled } = connection
    const fresh = route.candidates.filter((candidate) => candidate !== settled?.candidate)
    const ways: { way: Way; candidate: AgentInterface }[] = fresh.map((candidate) => ({
      way: { interface: candidate },
      candidate,
    }))
    if (settled) ways.unshift(settled)
    const failed: FailedTry[] = []
    for (const { way, candidate } of ways) {
      try {
        const answer = await caller.call(operation, way, limits)
        if (candidate !== settled?.candidate) {
          const fallback =
            route.declared &&
            fallbackFinding(failed, { interface: candidate, method: caller.methodOf(operation, way) })
          connection.settled = {
            way: answer.way,
            candidate,
            findings: [
              ...(fallback ? [fallback] : []),
              ...(placed.get(candidate) ?? []),
              ...route.findings,
              ...answer.variants,
            ],
          }
        }
        const findings = [...(connection.settled?.findings ?? [])]
        addFindings(findings, answer.findings)
        return { ...answer, findings }
      } catch (error) {
        const method = caller.methodOf(operation, way)
        const body = transport.exchanges.at(-1)?.responseBody
        const about = { method, dialect: candidate.dialect, body, first: failed[0]?.error }
        if (!provesMethodUnknown(error, about)) {
          throw withEarlier(withAddress(error, candidate, typedUrl), failed)
        }
        failed.push({ interface: candidate, method, error })
      }
    }
    throw explainUnknownMethods(failed, route.lastResort, typedUrl)
  }

  const settle = (
    task: Task,
    way: Way,
    transport: Transport,
    limits: CallLimits & { waitMs: number; since: number; short: boolean },
  ): Promise<Waited> => {
    const caller = callerOf(transport)
    const operation = getTaskOperation(task.id, limits.short)
    return waitForTask(task, {
      clock: deps.clock,
      waitMs: limits.waitMs,
      since: limits.since,
      ...(limits.deadline !== undefined && { deadline: limits.deadline }),
      ...(limits.signal && { signal: limits.signal }),
      method: caller.methodOf(operation, way),
      get: async (leftMs) => {
        const timeoutMs = Math.min(requestTimeoutMs, leftMs)
        const answer = await caller.call(operation, way, {
          ...limits,
          requestTimeoutMs: timeoutMs,
          followMs: timeoutMs,
        })
        return { value: asTask(answer), findings: answer.findings }
      },
    })
  }

  const limitsOf = ({ signal, deadline }: Pick<SendOptions, 'signal' | 'deadline'>): CallLimits => ({
    requestTimeoutMs,
    ...(signal && { signal }),
    ...(deadline !== undefined && { deadline }),
  })

  return {
    async send(input, sendOptions = {}) {
      const message = toMessage(input, sendOptions, deps.id())
      const large = largeFiles(message)
      const short = large.length > 0
      const waitMs = sendOptions.waitMs ?? options.waitMs ?? 60_000
      const limits = { ...limitsOf(sendOptions), followMs: sendOptions.noWait ? 0 : waitMs }
      const connection = await connect(sendOptions.signal)
      const { transport, exchanges, firstBytes } = recording(about.transport)
      const operation = sendOperation(message, sendOptions, { short, deps })
      const answer = await ask(operation, connection, transport, limits).catch((error: unknown) => {
        throw withSize(error, large, firstBytes())
      })

      let { value } = answer
      const { findings, progress, way } = answer
      const isGoingOn = value.kind === 'task' && isActive(value.status.state)
      let waited: Waited | undefined
      if (value.kind === 'task' && isGoingOn && !sendOptions.noWait) {
        const since = deps.clock.now() - answer.followedMs
        waited = await settle(value, way, transport, { ...limits, waitMs, since, short })
        value = waited.task
        for (const text of waited.progress) if (!progress.includes(text)) progress.push(text)
        addFindings(findings, waited.findings)
      }
      // The client makes the session in 0.1, and not every agent repeats it.
      const sessionId = way.interface.dialect === '0.1' ? operation.sessionId() : undefined
      if (value.contextId === undefined && sessionId !== undefined) value = { ...value, contextId: sessionId }
      if (message.contextId !== undefined)
        findings.push(...contextChanged(message.contextId, value.contextId))
      return toReply(value, {
        dialect: way.interface.dialect,
        ...(connection.route.declared && { declared: connection.route.declared }),
        progress,
        unsettled: waited?.unsettled ?? isGoingOn,
        ...(waited && { wait: { polls: waited.polls, ms: waited.ms } }),
        findings,
        exchanges,
        agent: about.label(),
        secrets: about.secrets,
      })
    },
    async getTask(id, taskOptions = {}) {
      const connection = await connect(taskOptions.signal)
      const { transport } = recording(about.transport)
      return asTask(await ask(getTaskOperation(id), connection, transport, limitsOf(taskOptions)))
    },
    stream: soon,
    subscribe: soon,
    cancelTask: soon,
    listTasks: soon,
    pushConfigs: { create: soon, get: soon, list: soon, delete: soon },
    extendedCard: soon,
    forget() {
      connected = undefined
    },
  }
}

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

function contextChanged(sent: string, received: string | undefined): Finding[] {
  if (received === undefined || received === sent) return []
  return [
    {
      id: 'wire/context-changed',
      level: 'warning',
      path: 'contextId',
      message: `the message continued context "${sent}", but the answer is in context "${received}"`,
      mend: 'Answer in the context that the message names, or reject the message.',
      source: 'A2A 1.0 §3.4.1',
    },
  ]
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

function soon(): never {
  throw new A2AUsageError('INTERNAL', 'this operation is being written')
}
