import { discoverCard, discoveryError } from '../card/discover.ts'
import { checkAgentCard } from '../card/checkAgentCard.ts'
import type { CardContext, CardObject, CardReport, Discovery } from '../card/types.ts'
import { createClient } from '../client/client.ts'
import { planCredentials, type Authorize } from '../client/credentials.ts'
import type { Deps } from '../deps.ts'
import { A2AUsageError } from '../errors.ts'
import { redact } from '../redact.ts'
import { exchangeLog } from '../transport/log.ts'
import { createTransport } from '../transport/transport.ts'
import { checkAgentOptions, readTarget } from './options.ts'
import type { A2AAgent, AgentCardResult, AgentOptions } from './types.ts'

/** What a handle may know besides its options, for subjects that we serve or start ourselves. */
export interface AgentExtra {
  /** Runs when the handle is closed. */
  onClose?: () => Promise<void>
  /** The origin that we opened: every interface of the card is moved onto it. */
  served?: string
  /** The card itself; nothing is fetched then. */
  cardObject?: CardObject
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

  const secrets: string[] = []
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

  let cardName: string | undefined
  let known: Promise<AgentCardResult> | undefined
  let closing: Promise<void> | undefined

  const assertOpen = (): void => {
    if (closing) {
      throw new A2AUsageError('BAD_USE', `the handle of ${label()} was closed`, {
        mend: 'Make a new one with a2aAgent(), or close it later.',
      })
    }
  }
  const label = (): string => {
    const name = checked.name ?? cardName
    return name === undefined ? shownUrl : `${name} (${shownUrl})`
  }

  const load = async (): Promise<AgentCardResult> => {
    if (given !== undefined) return judge(given, givenDiscovery(given, url), { typedUrl: url })
    const discovery = await discoverCard({
      target: url,
      ...(checked.cardUrl !== undefined && { cardUrl: checked.cardUrl }),
      ...(checked.version && { version: checked.version }),
      transport,
      deps,
    })
    const { found } = discovery
    if (found === undefined) {
      const error = discoveryError(discovery)
      // Nothing can be said of an agent when none of its card locations gave any response at all.
      if (error !== undefined && error.code !== 'NO_CARD') throw error
      return { discovery, report: reportWithoutCard(discovery) }
    }
    const { mediaType, headers } = found
    return judge(found.json, discovery, {
      typedUrl: url,
      cardUrl: found.url,
      response: { mediaType, headers },
    })
  }

  const judge = (json: CardObject, discovery: Discovery, context: CardContext): AgentCardResult => {
    const report = checkAgentCard(json, {
      ...(checked.version && { version: checked.version }),
      ...(checked.bindings && { bindings: checked.bindings }),
      ...(checked.trustedOrigins && { trustedOrigins: checked.trustedOrigins }),
      ...context,
      served: extra.served !== undefined,
    })
    return { discovery, report }
  }

  const card = (): Promise<AgentCardResult> => {
    if (known === undefined) {
      const loading = load()
      known = loading
      loading.then(
        ({ report }) => {
          if (known === loading) cardName = nameOf(report.card)
        },
        () => {
          // An agent that was down may be up at the next try.
          if (known === loading) known = undefined
        },
      )
    }
    return known
  }

  const client = createClient({
    transport,
    options: checked,
    deps,
    typedUrl: url,
    card,
    label,
    secrets,
    ...(extra.served !== undefined && { servedOrigin: extra.served }),
    onCard: ({ report }) => {
      if (checked.credentials) authorize = planCredentials(report.card ?? {}, checked.credentials, addSecret)
    },
  })

  const close = (): Promise<void> =>
    (closing ??= (async () => {
      await transport.close()
      await extra.onClose?.()
    })())

  return {
    isA2AAgent: true,
    url: shownUrl,
    options: checked,
    label,
    get exchanges() {
      return transport.exchanges
    },
    secrets,
    async card() {
      assertOpen()
      return card()
    },
    async send(message, sendOptions) {
      assertOpen()
      return client.send(message, sendOptions)
    },
    async getTask(id, taskOptions) {
      assertOpen()
      return client.getTask(id, taskOptions)
    },
    refresh() {
      known = undefined
      cardName = undefined
      authorize = undefined
      client.forget()
    },
    close,
    [Symbol.asyncDispose]: close,
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

function nameOf(card: CardObject | undefined): string | undefined {
  const name = card?.['name']
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined
}

function givenDiscovery(json: CardObject, url: string): Discovery {
  return { attempts: [], found: { url, json, mediaType: '', headers: {} }, findings: [] }
}

function reportWithoutCard(discovery: Discovery): CardReport {
  const missing = {
    id: 'card/found',
    level: 'error' as const,
    message: 'no agent card was found',
    mend: 'Serve it at /.well-known/agent-card.json, or pass cardUrl when it is served elsewhere.',
    source: 'A2A 1.0 §8.2',
  }
  const warnings = discovery.findings.filter(({ level }) => level === 'warning')
  return {
    shape: { kind: 'not-a2a', looksLike: 'nothing: no location has a JSON object' },
    findings: [missing, ...discovery.findings],
    errors: [missing, ...discovery.findings.filter(({ level }) => level === 'error')],
    warnings,
    scores: { card: 0 },
    rulesApplied: 0,
    interfaces: [],
  }
}
