import { discoverCard, discoveryError } from '../card/discover.ts'
import { readCard } from '../card/readCard.ts'
import type { CardObject, CardReport, CardShape, CardVersion, Discovery } from '../card/types.ts'
import type { AgentCardResult, AgentOptions, CardJudgement, FoundCard } from '../client/types.ts'
import type { Deps } from '../core/deps.ts'
import { finding } from '../findings/finding.ts'
import type { Transport } from '../http/types.ts'

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
  given: CardObject | undefined
}

/** The card of one handle: fetched once, shared by concurrent callers, and judged only on request. */
export class CardKeeper {
  readonly #about: CardKeeperOptions
  // By version, because an agent may publish a card for each and choose by the header.
  readonly #found = new Map<CardVersion | undefined, Promise<FoundCard>>()
  readonly #judged = new WeakMap<FoundCard, Promise<AgentCardResult>>()
  #name: string | undefined

  constructor(about: CardKeeperOptions) {
    this.#about = about
  }

  /** What the card calls the agent, once it is known. */
  get name(): string | undefined {
    return this.#name
  }

  forget(): void {
    this.#found.clear()
    this.#name = undefined
  }

  /** Finds and reads the card. Throws only if no location gave any response. */
  find(version: CardVersion | undefined = this.#about.options.version): Promise<FoundCard> {
    const before = this.#found.get(version)
    if (before !== undefined) return before
    const finding = this.#find(version)
    this.#found.set(version, finding)
    finding.then(
      ({ card }) => {
        if (this.#found.get(version) === finding) this.#name = nameOf(card) ?? this.#name
      },
      () => {
        // An agent that was down may be up at the next try.
        if (this.#found.get(version) === finding) this.#found.delete(version)
      },
    )
    return finding
  }

  /** Finds the card and judges it by the rules. */
  async card(by: CardJudgement = {}): Promise<AgentCardResult> {
    const found = await this.find(by.version)
    if (by.rules !== undefined || by.bindings !== undefined) return this.#judge(found, by)
    let judged = this.#judged.get(found)
    if (judged === undefined) this.#judged.set(found, (judged = this.#judge(found, by)))
    return judged
  }

  async #find(version: CardVersion | undefined): Promise<FoundCard> {
    const { given, url, options, transport, deps } = this.#about
    const discovery: Discovery =
      given === undefined
        ? await discoverCard({
            target: url,
            ...(options.cardUrl !== undefined && { cardUrl: options.cardUrl }),
            ...(version && { version }),
            transport,
            deps,
          })
        : { attempts: [], found: { url, json: given, mediaType: '', headers: {} }, findings: [] }
    const { found } = discovery
    const error = found === undefined ? discoveryError(discovery) : undefined
    // Without any response from the card locations, nothing can be said about the agent.
    if (error !== undefined && error.code !== 'NO_CARD') throw error
    if (found === undefined) return { discovery, shape: nothing, interfaces: [] }
    const cardUrl = given === undefined ? { cardUrl: found.url } : {}
    return { discovery, ...readCard(found.json, { ...(version && { version }), ...cardUrl }) }
  }

  async #judge({ discovery }: FoundCard, by: CardJudgement): Promise<AgentCardResult> {
    const { found } = discovery
    if (found === undefined) return { discovery, report: reportWithoutCard(discovery) }
    const { url, served, options, given } = this.#about
    const { rules, version = options.version, bindings = options.bindings } = by
    // Most tests never judge a card, and do without the rules.
    const { checkAgentCard } = await import('../card/checkAgentCard.ts')
    const report = checkAgentCard(found.json, {
      typedUrl: url,
      served,
      ...(options.trustedOrigins && { trustedOrigins: options.trustedOrigins }),
      ...(given === undefined && {
        cardUrl: found.url,
        response: { mediaType: found.mediaType, headers: found.headers },
      }),
      ...(rules && { rules }),
      ...(version && { version }),
      ...(bindings && { bindings }),
    })
    return { discovery, report }
  }
}

function nameOf(card: CardObject | undefined): string | undefined {
  const name = card?.['name']
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined
}

const nothing: CardShape = { kind: 'not-a2a', looksLike: 'nothing: no location has a JSON object' }

function reportWithoutCard(discovery: Discovery): CardReport {
  const missing = finding('card/found', 'no agent card was found')
  const warnings = discovery.findings.filter(({ level }) => level === 'warning')
  return {
    shape: nothing,
    findings: [missing, ...discovery.findings],
    errors: [missing, ...discovery.findings.filter(({ level }) => level === 'error')],
    warnings,
    scores: { card: 0 },
    rulesApplied: 0,
    interfaces: [],
  }
}
