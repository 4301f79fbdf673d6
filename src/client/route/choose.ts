import { finding } from '../../findings/finding.ts'
import type { AgentCardResult, AgentOptions } from '../types.ts'
import { discoveryError } from '../../card/discover.ts'
import { readInterfaces } from '../../card/interfaces.ts'
import { A2AReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { AgentInterface, Binding, Dialect } from '../../protocol/model.ts'
import { findBinding } from '../../protocol/bindingNames.ts'
import { dialectOf, hasBinding, profileOf } from '../../protocol/versions/profiles.ts'
import { dialectOrder } from './fallback.ts'

/** How an agent can be called. */
export interface Route {
  /** The ways in the order in which they are tried; each further one only on proof that the agent does not speak the one before. */
  candidates: AgentInterface[]
  /** The dialect that the card declares for the first way; absent when no card says anything. */
  declared?: Dialect
  findings: Finding[]
  /** Set when no interface of the card can be called and the agent's own address is tried: what the card offers. */
  lastResort?: string
}

/** What the choice rests on. */
export interface RouteQuestion {
  /** The card and its verdict; absent when none could be had. */
  result?: AgentCardResult
  options: Pick<AgentOptions, 'endpoint' | 'version' | 'binding' | 'bindings' | 'tenant'>
  /** The agent's address as typed. */
  typedUrl: string
}

/**
 * Chooses how to call an agent: by the order of a 1.0 card, by the expect-a2a endpoint rule for a 0.x card (JSON-RPC, else its
 * own address), overridden by the options `endpoint`, `version` and `binding`. Pure.
 * Throws A2AReplyError `NO_CARD`, or `NO_INTERFACE` naming what the card offers.
 */
export function chooseRoute(question: RouteQuestion): Route {
  const { result, options, typedUrl } = question
  const offered = result === undefined ? [] : offersOf(result, options.version !== undefined)
  const pinned = options.version === undefined ? undefined : dialectOf(options.version)

  if (options.endpoint !== undefined) {
    const like = pick(offered.filter(isCallable), pinned, options.binding) ?? offered.find(isCallable)
    const chosen: AgentInterface = {
      url: options.endpoint,
      binding: options.binding ?? like?.binding ?? 'JSONRPC',
      dialect: pinned ?? like?.dialect ?? '1.0',
    }
    if (like?.version !== undefined && like.dialect === chosen.dialect) chosen.version = like.version
    if (like?.tenant !== undefined) chosen.tenant = like.tenant
    return finish(question, chosen, [], like?.dialect)
  }

  const { found } = result?.discovery ?? {}
  if (result === undefined || found === undefined) {
    throw (
      (result && discoveryError(result.discovery)) ?? new A2AReplyError('NO_CARD', 'no agent card was found')
    )
  }
  const { shape } = result.report
  if (shape.kind === 'not-a2a') {
    throw new A2AReplyError(
      'NO_CARD',
      `the document at ${found.url} is not an A2A agent card: it looks like ${shape.looksLike}`,
      {
        finding: 'card/not-a2a',
        fix: 'Pass cardUrl when the card is served elsewhere, or endpoint to call the agent without a card.',
      },
    )
  }

  const callable = offered.filter(
    (one) => isCallable(one) && (pinned === undefined || hasBinding(pinned, bindingOf(one))),
  )
  const rightDialect = pinned === undefined ? callable : callable.filter((one) => one.dialect === pinned)
  // A version that the card does not offer is spoken all the same: the user knows better.
  const pool = rightDialect.length > 0 ? rightDialect : callable
  const bindings = wantedBindings(options)
  const chosen = pool.find((one) => isByOrder(one) || bindings.includes(bindingOf(one)))
  const wanted = options.binding
  if (wanted !== undefined) {
    const ofBinding = pool.find((one) => bindingOf(one) === wanted)
    if (ofBinding === undefined) throw noInterface(offered, `a ${wanted} interface`)
    return finish(question, ofBinding, offered, ofBinding.dialect)
  }
  if (chosen !== undefined) return finish(question, chosen, offered, chosen.dialect)

  if (shape.kind === 'card' && profileOf(shape.version).card.listsInterfaces)
    throw noInterface(offered, callableNames)
  if (offered.some((one) => one.url.trim() === '')) {
    throw noInterface(offered, 'an address: its url is ""')
  }
  // A 0.x card without JSON-RPC: the agent's own address, and what REST it has after that.
  const dialect = pinned ?? (shape.kind === 'card' ? dialectOf(shape.version) : '0.3')
  const self: AgentInterface = { url: agentAddress(typedUrl), binding: 'JSONRPC', dialect }
  const route = finish(question, self, offered, dialect)
  const offers = describeOffer(offered)
  return {
    ...route,
    candidates: [
      ...route.candidates,
      ...callable.filter((one) => bindingOf(one) !== 'JSONRPC').map((one) => ({ ...one })),
    ],
    lastResort: offers,
    findings: [
      ...route.findings,
      finding(
        'wire/last-resort',
        `the card offers ${offers}, so JSON-RPC is tried at the agent's own address ${self.url}`,
      ),
    ],
  }
}

/** What the card offers; by a version that the card is not written in, it would seem to offer nothing. */
function offersOf({ report, discovery }: AgentCardResult, pinned: boolean): AgentInterface[] {
  if (!pinned || report.interfaces.length > 0 || report.card === undefined) return report.interfaces
  const cardUrl = discovery.found?.url
  return readInterfaces(
    report.card,
    { kind: 'ambiguous', signs: [], why: '' },
    { ...(cardUrl !== undefined && { cardUrl }) },
  )
}

/** Adds the other dialects to the chosen way, each at the card's own address for it where the card has one. */
function finish(
  { options }: RouteQuestion,
  chosen: AgentInterface,
  offered: readonly AgentInterface[],
  declared: Dialect | undefined,
): Route {
  const pinned = options.version === undefined ? undefined : dialectOf(options.version)
  const first: AgentInterface = { ...chosen, dialect: pinned ?? chosen.dialect }
  if (first.dialect !== chosen.dialect) delete first.version
  if (options.tenant !== undefined) first.tenant = options.tenant
  const [, ...further] = dialectOrder(first, pinned !== undefined)
  const route: Route = {
    candidates: [
      first,
      ...further.map((dialect) => {
        const own = offered.find(
          (one) => one.dialect === dialect && one.binding === first.binding && isCallable(one),
        )
        const { version: _, ...same } = first
        return own ? { ...own } : { ...same, dialect }
      }),
    ],
    findings: [],
  }
  if (declared !== undefined) route.declared = declared
  return route
}

/** The binding of an interface that this client can call; an unknown one is taken for JSON-RPC. */
export function bindingOf(one: AgentInterface): Binding {
  return findBinding(one.binding) ?? 'JSONRPC'
}

const callableNames = 'an interface with the binding JSONRPC or HTTP+JSON'

/** True where the client speaks the binding, and the dialect has it. */
export function isCallable({ url, binding, dialect }: AgentInterface): boolean {
  const known = findBinding(binding)
  return url.trim() !== '' && known !== undefined && hasBinding(dialect, known)
}

/** True where the card of such an interface lists what it offers by preference. */
function isByOrder({ dialect }: AgentInterface): boolean {
  return profileOf(dialect).card.listsInterfaces
}

function wantedBindings(options: RouteQuestion['options']): (Binding | undefined)[] {
  return (options.bindings ?? ['JSONRPC']).map(findBinding)
}

function pick(
  pool: readonly AgentInterface[],
  dialect: Dialect | undefined,
  binding: Binding | undefined,
): AgentInterface | undefined {
  return pool.find(
    (one) =>
      (dialect === undefined || one.dialect === dialect) &&
      (binding === undefined || bindingOf(one) === binding),
  )
}

/** The agent's address behind what was typed: without the card's path, when that was typed. */
export function agentAddress(typedUrl: string): string {
  return typedUrl.replace(/\/?\.well-known\/agent(-card)?\.json$/, '') || typedUrl
}

function describeOffer(offered: readonly AgentInterface[]): string {
  if (offered.length === 0) return 'no interface at all'
  return offered
    .map((one) => `${one.binding.trim() === '' ? 'no binding' : one.binding} at "${one.url}"`)
    .join(', ')
}

function noInterface(offered: readonly AgentInterface[], missing: string): A2AReplyError {
  return new A2AReplyError(
    'NO_INTERFACE',
    `the agent card lacks ${missing}; it offers ${describeOffer(offered)}, and this client speaks JSON-RPC and HTTP+JSON`,
    {
      fix: 'List a JSONRPC or HTTP+JSON interface in the card, or set the options endpoint, binding and version.',
    },
  )
}
