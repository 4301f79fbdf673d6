import { finding } from '../findings/finding.ts'
import { checkAgentCard } from '../card/checkAgentCard.ts'
import { discoverCard, discoveryError } from '../card/discover.ts'
import type { CardContext, CardObject, CardReport, CardVersion, Discovery } from '../card/types.ts'
import type { Deps } from '../core/deps.ts'
import type { Transport } from '../http/types.ts'
import type { AgentCardResult, AgentOptions, CardJudgement } from '../client/types.ts'

/** What finding and judging a card needs of its handle. */
export interface CardKeeperOptions {
  /** As typed. */
  url: string
  options: Readonly<AgentOptions>
  transport: Transport
  deps: Deps
  /** True for an agent that we serve or run ourselves. */
  served: boolean
  /** The card itself; nothing is fetched then. */
  given?: CardObject
}

/** The card of one handle: fetched once, shared by concurrent callers, judged as often as somebody asks otherwise. */
export interface CardKeeper {
  card(judgedBy?: CardJudgement): Promise<AgentCardResult>
  /** What the card calls the agent, once it is known. */
  name(): string | undefined
  forget(): void
}

export function createCardKeeper(about: CardKeeperOptions): CardKeeper {
  const { url, options, transport, deps, served, given } = about
  // By version, because an agent may publish a card for each and pick by the header.
  const known = new Map<CardVersion | undefined, Promise<AgentCardResult>>()
  let name: string | undefined

  const judge = (discovery: Discovery, { rules, version, bindings }: CardJudgement): AgentCardResult => {
    const { found } = discovery
    if (found === undefined) return { discovery, report: reportWithoutCard(discovery) }
    const context: CardContext = { typedUrl: url, served }
    if (options.trustedOrigins) context.trustedOrigins = options.trustedOrigins
    if (given === undefined) {
      context.cardUrl = found.url
      context.response = { mediaType: found.mediaType, headers: found.headers }
    }
    const theVersion = version ?? options.version
    const theBindings = bindings ?? options.bindings
    const report = checkAgentCard(found.json, {
      ...context,
      ...(rules && { rules }),
      ...(theVersion && { version: theVersion }),
      ...(theBindings && { bindings: theBindings }),
    })
    return { discovery, report }
  }

  const load = async (version: CardVersion | undefined): Promise<AgentCardResult> => {
    const discovery =
      given === undefined
        ? await discoverCard({
            target: url,
            ...(options.cardUrl !== undefined && { cardUrl: options.cardUrl }),
            ...(version && { version }),
            transport,
            deps,
          })
        : { attempts: [], found: { url, json: given, mediaType: '', headers: {} }, findings: [] }
    const error = discovery.found === undefined ? discoveryError(discovery) : undefined
    // Nothing can be said of an agent when none of its card locations gave any response at all.
    if (error !== undefined && error.code !== 'NO_CARD') throw error
    return judge(discovery, version === undefined ? {} : { version })
  }

  const loaded = (version: CardVersion | undefined): Promise<AgentCardResult> => {
    const before = known.get(version)
    if (before !== undefined) return before
    const loading = load(version)
    known.set(version, loading)
    loading.then(
      ({ report }) => {
        if (known.get(version) === loading) name = nameOf(report.card) ?? name
      },
      () => {
        // An agent that was down may be up at the next try.
        if (known.get(version) === loading) known.delete(version)
      },
    )
    return loading
  }

  return {
    async card(judgedBy = {}) {
      const result = await loaded(judgedBy.version ?? options.version)
      const otherwise = judgedBy.rules !== undefined || judgedBy.bindings !== undefined
      return otherwise ? judge(result.discovery, judgedBy) : result
    },
    name: () => name,
    forget() {
      known.clear()
      name = undefined
    },
  }
}

function nameOf(card: CardObject | undefined): string | undefined {
  const name = card?.['name']
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined
}

function reportWithoutCard(discovery: Discovery): CardReport {
  const missing = finding('card/found', 'no agent card was found')
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
