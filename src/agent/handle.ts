import type { CardObject } from '../card/types.ts'
import { createClient, type ForgetfulClient } from '../client/client.ts'
import { checkCall, type CheckedCall } from '../client/checkCall.ts'
import { planCredentials, type Authorize } from '../client/credentials.ts'
import { Prober } from '../client/probe/probe.ts'
import type { Probe, ProbeAnswer } from '../client/probe/types.ts'
import type { ClientOptions } from '../client/route/connection.ts'
import type {
  A2AStream,
  AgentCardResult,
  AgentOptions,
  CardJudgement,
  Client,
  FoundCard,
  MessageInput,
  PushConfigs,
  Reply,
  SendOptions,
  StreamOptions,
  SubscribeOptions,
} from '../client/types.ts'
import type { Deps } from '../core/deps.ts'
import { A2AUsageError } from '../core/errors.ts'
import { redact, redactError } from '../core/redact.ts'
import { fetchJson, type DocumentQuestion } from '../http/json.ts'
import { exchangeLog } from '../http/log.ts'
import { createTransport } from '../http/transport.ts'
import type { Exchange, Transport } from '../http/types.ts'
import type { AgentInterface, PushConfig } from '../protocol/model.ts'
import { CardKeeper } from './cardKeeper.ts'
import { excerptsOf, markServed } from './lifetime.ts'
import { checkAgentOptions, readTarget } from './options.ts'
import type { A2AAgent } from './types.ts'

/** What a handle may know besides its options, for subjects that we serve or start ourselves. */
export interface AgentExtra {
  /** Runs when the handle is closed. */
  onClose?: () => Promise<void>
  /** The origin that we opened: every interface of the card is moved onto it. */
  served?: string
  /** The card itself; nothing is fetched then. */
  cardObject?: CardObject
  /** Values that must never be printed, known from elsewhere. */
  secrets?: readonly string[]
  /** The function that received the options, for messages. Default `a2aAgent`. */
  owner?: string
}

/**
 * Makes the handle of an agent: lazy, and shared by concurrent callers. Nothing is sent before the first use.
 * Throws A2AUsageError `BAD_SUBJECT` for a wrong address, `BAD_OPTIONS` for wrong options.
 */
export function createAgent(
  target: string | URL,
  options: AgentOptions,
  deps: Deps,
  extra: AgentExtra = {},
): A2AAgent {
  return new AgentHandle(readTarget(target), checkAgentOptions(options, extra.owner), deps, extra)
}

/** Its methods are fields, so that a test may take them off the handle. */
class AgentHandle implements A2AAgent {
  readonly isA2AAgent = true
  readonly url: string
  readonly options: AgentOptions
  readonly exchanges: readonly Exchange[]
  readonly secrets: string[]
  readonly #typedUrl: string
  readonly #deps: Deps
  readonly #extra: AgentExtra
  readonly #transport: Transport
  readonly #keeper: CardKeeper
  readonly #client: ForgetfulClient
  readonly #prober: Prober
  readonly #derived: A2AAgent[] = []
  #authorize: Authorize | undefined
  #closing: Promise<void> | undefined

  constructor(typedUrl: string, options: AgentOptions, deps: Deps, extra: AgentExtra) {
    this.url = withoutPassword(typedUrl)
    this.options = options
    this.secrets = [...(extra.secrets ?? [])]
    this.#typedUrl = typedUrl
    this.#deps = deps
    this.#extra = extra
    for (const value of Object.values(options.credentials ?? {}))
      if (typeof value === 'string') this.#addSecret(value)
    this.#transport = this.#openTransport()
    this.exchanges = this.#transport.exchanges
    const served = extra.served !== undefined
    const given = extra.cardObject ?? options.card
    this.#keeper = new CardKeeper({
      url: typedUrl,
      options,
      transport: this.#transport,
      deps,
      served,
      given,
    })
    const clientOptions = this.#clientOptions()
    this.#client = createClient(clientOptions)
    this.#prober = new Prober(clientOptions, this.#addSecret)
    this.pushConfigs = this.#pushConfigs()
  }

  readonly label = (): string => {
    const name = this.options.name ?? this.#keeper.name
    return name === undefined ? this.url : `${name} (${this.url})`
  }

  readonly card = (judgedBy?: CardJudgement): Promise<AgentCardResult> =>
    this.#run(() => this.#keeper.card(judgedBy))

  readonly send = (message: MessageInput, options?: SendOptions): Promise<Reply> => {
    return this.#checked('send', [message, options], () => {
      this.#hidePush(options?.configuration?.pushConfig)
      return this.#client.send(message, options)
    })
  }

  readonly stream = (message: MessageInput, options?: StreamOptions): A2AStream => {
    this.#assertOpen()
    checkCall('stream', message, options)
    this.#hidePush(options?.configuration?.pushConfig)
    return this.#client.stream(message, options)
  }

  readonly subscribe = (taskId: string, options?: SubscribeOptions): A2AStream => {
    this.#assertOpen()
    checkCall('subscribe', taskId, options)
    return this.#client.subscribe(taskId, options)
  }

  readonly getTask: Client['getTask'] = (...args) =>
    this.#checked('getTask', args, () => this.#client.getTask(...args))

  readonly cancelTask: Client['cancelTask'] = (...args) =>
    this.#checked('cancelTask', args, () => this.#client.cancelTask(...args))

  readonly listTasks: Client['listTasks'] = (...args) =>
    this.#checked('listTasks', args, () => this.#client.listTasks(...args))

  readonly pushConfigs: PushConfigs

  readonly extendedCard: Client['extendedCard'] = (...args) =>
    this.#checked('extendedCard', args, () => this.#client.extendedCard(...args))

  readonly fetchJson = (url: string, about: DocumentQuestion): Promise<unknown> =>
    this.#run(() => fetchJson(this.#transport, url, about))

  readonly interfaces = (signal?: AbortSignal): Promise<AgentInterface[]> =>
    this.#run(() => this.#prober.interfaces(signal))

  readonly probe = (probe: Probe): Promise<ProbeAnswer | undefined> =>
    this.#run(() => this.#prober.probe(probe))

  readonly withOptions: A2AAgent['withOptions'] = (overrides) => {
    this.#assertOpen()
    const { onClose: _, cardObject, ...inherited } = this.#extra
    const options = { ...this.options, ...overrides } as AgentOptions
    const derived = createAgent(this.#typedUrl, options, this.#deps, {
      ...inherited,
      ...(cardObject !== undefined && !('card' in overrides) && { cardObject }),
      secrets: this.secrets,
      owner: 'withOptions',
    })
    this.#derived.push(derived)
    markServed(derived, () => excerptsOf(this))
    return derived
  }

  readonly refresh = (): void => {
    this.#keeper.forget()
    this.#authorize = undefined
    this.#client.forget()
    this.#prober.forget()
  }

  readonly close = (): Promise<void> => (this.#closing ??= this.#close())

  readonly [Symbol.asyncDispose] = (): Promise<void> => this.close()

  async #close(): Promise<void> {
    await Promise.all([this.#transport.close(), ...this.#derived.map((derived) => derived.close())])
    await this.#extra.onClose?.()
  }

  #openTransport(): Transport {
    const { headers, credentials, limits, dispatcher, tls } = this.options
    const onExchange = exchangeLog(this.#deps.env, (text) => redact(text, this.secrets))
    return createTransport({
      typedUrl: this.#typedUrl,
      deps: this.#deps,
      secretsSink: this.#addSecret,
      ...(onExchange && { onExchange }),
      trustedOrigins: trusted(this.options),
      servedOrigin: this.#extra.served !== undefined,
      ...(headers && { headers }),
      // Which header a credential becomes is known only once the card is there.
      ...(credentials && {
        authorize: async (about: { refresh: boolean }) =>
          (await this.#authorize?.(about)) ?? { headers: {}, query: {} },
      }),
      ...(limits && { limits }),
      ...(dispatcher !== undefined && { dispatcher }),
      ...(tls && { tls }),
    })
  }

  #clientOptions(): ClientOptions {
    const { served } = this.#extra
    return {
      transport: this.#transport,
      options: this.options,
      deps: this.#deps,
      typedUrl: this.#typedUrl,
      card: () => this.#keeper.find(),
      label: this.label,
      secrets: this.secrets,
      ...(served !== undefined && { servedOrigin: served }),
      hide: (error) => redactError(error, this.secrets),
      onCard: ({ card }: FoundCard) => {
        const { credentials } = this.options
        if (credentials) this.#authorize = planCredentials(card ?? {}, credentials, this.#addSecret)
      },
    }
  }

  #pushConfigs(): PushConfigs {
    const { pushConfigs } = this.#client
    return {
      create: (...args) =>
        this.#checked('pushConfigs.create', args, () => {
          this.#hidePush(args[1])
          return pushConfigs.create(...args)
        }),
      get: (...args) => this.#checked('pushConfigs.get', args, () => pushConfigs.get(...args)),
      list: (...args) => this.#checked('pushConfigs.list', args, () => pushConfigs.list(...args)),
      delete: (...args) => this.#checked('pushConfigs.delete', args, () => pushConfigs.delete(...args)),
    }
  }

  readonly #addSecret = (value: string): void => {
    if (value !== '' && !this.secrets.includes(value)) this.secrets.push(value)
  }

  /** What the agent must show to a receiver of ours is as secret as what we show to the agent. */
  #hidePush({ token, authentication }: Partial<PushConfig> = {}): void {
    for (const value of [token, authentication?.credentials]) if (value !== undefined) this.#addSecret(value)
  }

  #assertOpen(): void {
    if (this.#closing === undefined) return
    throw new A2AUsageError('BAD_USE', `the handle of ${this.label()} was closed`, {
      fix: 'Make a new one with a2aAgent(), or close it later.',
    })
  }

  /** Runs an operation whose arguments are checked before anything is sent. */
  #checked<T>(operation: CheckedCall, args: readonly unknown[], call: () => Promise<T>): Promise<T> {
    return this.#run(() => {
      checkCall(operation, ...args)
      return call()
    })
  }

  async #run<T>(call: () => Promise<T>): Promise<T> {
    this.#assertOpen()
    try {
      return await call()
    } catch (error) {
      // An agent may repeat what it was sent, and a test that calls the handle itself prints the error as it is.
      throw redactError(error, this.secrets)
    }
  }
}

/** The origins that the user typed besides the agent's own count as typed, too. */
function trusted({ trustedOrigins = [], endpoint, cardUrl }: AgentOptions): string[] {
  const typed = [endpoint, cardUrl].flatMap((url) => (url === undefined ? [] : [new URL(url).origin]))
  return [...new Set([...trustedOrigins.map((one) => new URL(one).origin), ...typed])]
}

function withoutPassword(url: string): string {
  const parsed = new URL(url)
  if (parsed.username === '' && parsed.password === '') return url
  parsed.username = ''
  parsed.password = ''
  return parsed.href
}
