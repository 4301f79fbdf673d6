import type { CardObject } from '../card/types.ts'
import { createClient } from '../client/client.ts'
import { checkSendOptions } from '../client/sendOptions.ts'
import type { ClientOptions } from '../client/route/connection.ts'
import { planCredentials, type Authorize } from '../client/credentials.ts'
import { createProber } from '../client/probe/probe.ts'
import type { Deps } from '../core/deps.ts'
import { A2AUsageError } from '../core/errors.ts'
import type { PushConfig } from '../protocol/model.ts'
import { redact, redactError } from '../core/redact.ts'
import { fetchJson } from '../http/json.ts'
import { exchangeLog } from '../http/log.ts'
import { createTransport } from '../http/transport.ts'
import { createCardKeeper } from './cardKeeper.ts'
import { excerptsOf, markServed } from './lifetime.ts'
import { checkAgentOptions, readTarget } from './options.ts'
import type { A2AAgent } from './types.ts'
import type { AgentOptions } from '../client/types.ts'

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
}

/**
 * Makes the handle of an agent: lazy, and shared by concurrent callers. Nothing is sent before the first use.
 * Throws A2AUsageError `BAD_SUBJECT` for an address that is none, `BAD_OPTIONS` for wrong options.
 */
export function createAgent(
  target: string | URL,
  options: AgentOptions,
  deps: Deps,
  extra: AgentExtra = {},
): A2AAgent {
  const url = readTarget(target)
  const checked = checkAgentOptions(options)
  const given = extra.cardObject ?? checked.card
  const shownUrl = withoutPassword(url)

  const secrets: string[] = [...(extra.secrets ?? [])]
  const addSecret = (value: string): void => {
    if (value !== '' && !secrets.includes(value)) secrets.push(value)
  }
  for (const value of Object.values(checked.credentials ?? {}))
    if (typeof value === 'string') addSecret(value)

  let authorize: Authorize | undefined
  const onExchange = exchangeLog(deps.env, (text) => redact(text, secrets))
  const transport = createTransport({
    typedUrl: url,
    deps,
    secretsSink: addSecret,
    ...(onExchange && { onExchange }),
    trustedOrigins: trusted(checked),
    servedOrigin: extra.served !== undefined,
    ...(checked.headers && { headers: checked.headers }),
    // Which header a credential becomes is known only once the card is there.
    ...(checked.credentials && {
      authorize: async (about: { refresh: boolean }) =>
        (await authorize?.(about)) ?? { headers: {}, query: {} },
    }),
    ...(checked.limits && { limits: checked.limits }),
    ...(checked.dispatcher !== undefined && { dispatcher: checked.dispatcher }),
    ...(checked.tls && { tls: checked.tls }),
  })

  let closing: Promise<void> | undefined

  const assertOpen = (): void => {
    if (closing) {
      throw new A2AUsageError('BAD_USE', `the handle of ${label()} was closed`, {
        fix: 'Make a new one with a2aAgent(), or close it later.',
      })
    }
  }
  const label = (): string => {
    const name = checked.name ?? keeper.name()
    return name === undefined ? shownUrl : `${name} (${shownUrl})`
  }

  const keeper = createCardKeeper({
    url,
    options: checked,
    transport,
    deps,
    served: extra.served !== undefined,
    ...(given !== undefined && { given }),
  })

  const clientOptions: ClientOptions = {
    transport,
    options: checked,
    deps,
    typedUrl: url,
    card: keeper.card,
    label,
    secrets,
    ...(extra.served !== undefined && { servedOrigin: extra.served }),
    hide: (error) => redactError(error, secrets),
    onCard: ({ report }) => {
      if (checked.credentials) authorize = planCredentials(report.card ?? {}, checked.credentials, addSecret)
    },
  }
  const client = createClient(clientOptions)
  const prober = createProber({ ...clientOptions, onSecret: addSecret })

  // An agent may repeat what it was sent, and a test that calls the handle by itself prints the error as it is.
  const rethrow = (error: unknown): never => {
    throw redactError(error, secrets)
  }

  /** What the agent is to show a receiver of ours is as secret as what we show the agent. */
  const hidePush = ({ token, authentication }: Partial<PushConfig> = {}): void => {
    for (const value of [token, authentication?.credentials]) if (value !== undefined) addSecret(value)
  }

  const run = async <T>(call: () => Promise<T>): Promise<T> => {
    assertOpen()
    return call().catch(rethrow)
  }

  const derivedAgents: A2AAgent[] = []
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      await Promise.all([transport.close(), ...derivedAgents.map((derived) => derived.close())])
      await extra.onClose?.()
    })())

  const agent: A2AAgent = {
    isA2AAgent: true,
    url: shownUrl,
    options: checked,
    label,
    get exchanges() {
      return transport.exchanges
    },
    secrets,
    card: (judgedBy) => run(() => keeper.card(judgedBy)),
    send(message, sendOptions) {
      hidePush(sendOptions?.configuration?.pushConfig)
      return run(() => {
        checkSendOptions('send', sendOptions)
        return client.send(message, sendOptions)
      })
    },
    stream(message, streamOptions) {
      assertOpen()
      checkSendOptions('stream', streamOptions)
      hidePush(streamOptions?.configuration?.pushConfig)
      return client.stream(message, streamOptions)
    },
    subscribe(taskId, subscribeOptions) {
      assertOpen()
      checkSendOptions('subscribe', subscribeOptions)
      return client.subscribe(taskId, subscribeOptions)
    },
    getTask: (...args) => run(() => client.getTask(...args)),
    cancelTask: (...args) => run(() => client.cancelTask(...args)),
    listTasks: (...args) => run(() => client.listTasks(...args)),
    pushConfigs: {
      create(taskId, config, createOptions) {
        hidePush(config)
        return run(() => client.pushConfigs.create(taskId, config, createOptions))
      },
      get: (...args) => run(() => client.pushConfigs.get(...args)),
      list: (...args) => run(() => client.pushConfigs.list(...args)),
      delete: (...args) => run(() => client.pushConfigs.delete(...args)),
    },
    extendedCard: (...args) => run(() => client.extendedCard(...args)),
    fetchJson: (...args) => run(() => fetchJson(transport, ...args)),
    interfaces: (...args) => run(() => prober.interfaces(...args)),
    probe: (...args) => run(() => prober.probe(...args)),
    withOptions(overrides) {
      assertOpen()
      const { onClose: _, cardObject, ...inherited } = extra
      const derived = createAgent(target, { ...checked, ...overrides } as AgentOptions, deps, {
        ...inherited,
        ...(cardObject !== undefined && !('card' in overrides) && { cardObject }),
        secrets,
      })
      derivedAgents.push(derived)
      markServed(derived, () => excerptsOf(agent))
      return derived
    },
    refresh() {
      keeper.forget()
      authorize = undefined
      client.forget()
      prober.forget()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  return agent
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
