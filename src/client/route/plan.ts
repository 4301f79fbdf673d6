import type { AgentOptions, FoundCard } from '../types.ts'
import { discoveryError } from '../../card/discover.ts'
import { readInterfaces } from '../../card/interfaces.ts'
import type { CardShape } from '../../card/types.ts'
import { A2AReplyError } from '../../core/errors.ts'
import { finding } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import type { AgentInterface, Binding, Dialect } from '../../protocol/model.ts'
import { findBinding } from '../../protocol/bindingNames.ts'
import { dialectOf, hasBinding, profileOf } from '../../protocol/versions/profiles.ts'
import { dialectOrder } from './fallback.ts'

/** How an agent can be called. */
export interface RoutePlan {
  /** In the order in which they are tried; each one only if the agent has proved not to speak the one before. */
  interfaces: AgentInterface[]
  /** The dialect that the card declares for the first interface; undefined if no card says anything. */
  declared: Dialect | undefined
  findings: Finding[]
  /** Set if no interface of the card can be called and the agent's own address is tried: what the card offers. */
  lastResort?: string
}

/** What the plan rests on. */
export interface RouteQuestion {
  /** The card; undefined if none was found. */
  found?: FoundCard | undefined
  options: Pick<AgentOptions, 'endpoint' | 'version' | 'binding' | 'bindings' | 'tenant'>
  /** The agent's address as typed. */
  typedUrl: string
}

/**
 * Plans how to call an agent: by the order of a 1.0 card, by the expect-a2a endpoint rule for a 0.x card (JSON-RPC, else its
 * own address), overridden by the options `endpoint`, `version` and `binding`. Pure.
 * Throws A2AReplyError `NO_CARD`, or `NO_INTERFACE` naming what the card offers.
 */
export function planRoutes(question: RouteQuestion): RoutePlan {
  const { found, options } = question
  const offered = found === undefined ? [] : offersOf(found, options.version !== undefined)
  if (options.endpoint !== undefined) return planEndpoint(question, options.endpoint, offered)

  const shape = shapeOf(found)
  const pinned = pinnedDialect(options)
  const callable = offered.filter(
    (one) => isCallable(one) && (pinned === undefined || hasBinding(pinned, bindingOf(one))),
  )
  const rightDialect = pinned === undefined ? callable : callable.filter((one) => one.dialect === pinned)
  // A version that the card does not offer is spoken anyway: the user knows better.
  const pool = rightDialect.length > 0 ? rightDialect : callable
  const chosen = chooseInterface(pool, options)
  if (chosen !== undefined) return finish(question, chosen, offered, chosen.dialect)
  if (options.binding !== undefined) throw noInterface(offered, `a ${options.binding} interface`)

  if (shape.kind === 'card' && profileOf(shape.version).card.listsInterfaces) {
    throw noInterface(offered, callableNames)
  }
  if (offered.some((one) => one.url.trim() === '')) {
    throw noInterface(offered, 'an address: its url is ""')
  }
  return planLastResort(question, shape, offered, callable)
}

/** The address that the user named, spoken like the interface of the card that fits best. */
function planEndpoint(
  question: RouteQuestion,
  endpoint: string,
  offered: readonly AgentInterface[],
): RoutePlan {
  const { options } = question
  const pinned = pinnedDialect(options)
  const callable = offered.filter(isCallable)
  const like =
    callable.find(
      (one) =>
        (pinned === undefined || one.dialect === pinned) &&
        (options.binding === undefined || bindingOf(one) === options.binding),
    ) ?? callable[0]
  const chosen: AgentInterface = {
    url: endpoint,
    binding: options.binding ?? like?.binding ?? 'JSONRPC',
    dialect: pinned ?? like?.dialect ?? '1.0',
  }
  if (like?.version !== undefined && like.dialect === chosen.dialect) chosen.version = like.version
  if (like?.tenant !== undefined) chosen.tenant = like.tenant
  return finish(question, chosen, [], like?.dialect)
}

function shapeOf(found: FoundCard | undefined): CardShape {
  const place = found?.discovery.found
  if (found === undefined || place === undefined) {
    throw (
      (found && discoveryError(found.discovery)) ?? new A2AReplyError('NO_CARD', 'no agent card was found')
    )
  }
  const { shape } = found
  if (shape.kind !== 'not-a2a') return shape
  throw new A2AReplyError(
    'NO_CARD',
    `the document at ${place.url} is not an A2A agent card: it looks like ${shape.looksLike}`,
    {
      finding: 'card/not-a2a',
      fix: 'Pass cardUrl when the card is served elsewhere, or endpoint to call the agent without a card.',
    },
  )
}

function chooseInterface(
  pool: readonly AgentInterface[],
  { binding, bindings = ['JSONRPC'] }: RouteQuestion['options'],
): AgentInterface | undefined {
  if (binding !== undefined) return pool.find((one) => bindingOf(one) === binding)
  const accepted = bindings.map(findBinding)
  return pool.find((one) => isByOrder(one) || accepted.includes(bindingOf(one)))
}

/** A 0.x card without JSON-RPC: the agent's own address, and after that the other interfaces that it has. */
function planLastResort(
  question: RouteQuestion,
  shape: CardShape,
  offered: readonly AgentInterface[],
  callable: readonly AgentInterface[],
): RoutePlan {
  const { options, typedUrl } = question
  const dialect = pinnedDialect(options) ?? (shape.kind === 'card' ? dialectOf(shape.version) : '0.3')
  const self: AgentInterface = { url: agentAddress(typedUrl), binding: 'JSONRPC', dialect }
  const plan = finish(question, self, offered, dialect)
  const offers = describeOffer(offered)
  const others = callable.filter((one) => bindingOf(one) !== 'JSONRPC').map((one) => ({ ...one }))
  return {
    interfaces: [...plan.interfaces, ...others],
    declared: plan.declared,
    lastResort: offers,
    findings: [
      ...plan.findings,
      finding(
        'wire/last-resort',
        `the card offers ${offers}, so JSON-RPC is tried at the agent's own address ${self.url}`,
      ),
    ],
  }
}

/** What the card offers; read by a version that the card is not written in, it would seem to offer nothing. */
function offersOf({ card, interfaces, discovery }: FoundCard, pinned: boolean): AgentInterface[] {
  if (!pinned || interfaces.length > 0 || card === undefined) return interfaces
  const cardUrl = discovery.found?.url
  return readInterfaces(
    card,
    { kind: 'ambiguous', signs: [], why: '' },
    { ...(cardUrl !== undefined && { cardUrl }) },
  )
}

/** Adds the other dialects to the chosen interface, each at the card's own address for it if the card has one. */
function finish(
  { options }: RouteQuestion,
  chosen: AgentInterface,
  offered: readonly AgentInterface[],
  declared: Dialect | undefined,
): RoutePlan {
  const pinned = pinnedDialect(options)
  const first: AgentInterface = { ...chosen, dialect: pinned ?? chosen.dialect }
  if (first.dialect !== chosen.dialect) delete first.version
  if (options.tenant !== undefined) first.tenant = options.tenant
  const [, ...further] = dialectOrder(first, pinned !== undefined)
  const others = further.map((dialect) => {
    const own = offered.find(
      (one) => one.dialect === dialect && one.binding === first.binding && isCallable(one),
    )
    const { version: _, ...same } = first
    return own ? { ...own } : { ...same, dialect }
  })
  return { interfaces: [first, ...others], declared, findings: [] }
}

function pinnedDialect({ version }: RouteQuestion['options']): Dialect | undefined {
  return version === undefined ? undefined : dialectOf(version)
}

/** The binding of an interface that this client can call; an unknown one is taken for JSON-RPC. */
export function bindingOf(one: AgentInterface): Binding {
  return findBinding(one.binding) ?? 'JSONRPC'
}

const callableNames = 'an interface with the binding JSONRPC or HTTP+JSON'

/** True if the client speaks the binding, and the dialect has it. */
export function isCallable({ url, binding, dialect }: AgentInterface): boolean {
  const known = findBinding(binding)
  return url.trim() !== '' && known !== undefined && hasBinding(dialect, known)
}

/** True if the card of such an interface lists what it offers by preference. */
function isByOrder({ dialect }: AgentInterface): boolean {
  return profileOf(dialect).card.listsInterfaces
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
