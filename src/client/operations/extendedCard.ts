import type { CardObject } from '../../card/types.ts'
import { isReplyError } from '../../core/errors.ts'
import type { Exchange } from '../../http/types.ts'
import type { AgentInterface } from '../../protocol/model.ts'
import { profileOf } from '../../protocol/versions/profiles.ts'
import { assertDeclared } from '../route/capabilities.ts'
import type { Connection, Route } from '../route/types.ts'
import type { Session } from '../session.ts'
import type { ExtendedCardResult, GatedOptions } from '../types.ts'
import type { Operation } from './call.ts'
import { Recording } from './recording.ts'
import { extendedCardOperation } from './requests.ts'

/**
 * Fetches the card for authenticated clients as the agent's version has it: by GET in 0.2, by an operation since 0.3, and by the
 * GET if a 0.3 agent does not know that operation. Throws A2AError.
 */
export async function fetchExtendedCard(
  session: Session,
  options: GatedOptions = {},
): Promise<ExtendedCardResult> {
  const { typedUrl, servedOrigin, transport } = session.about
  const connection = await session.connect(options.signal)
  const record = new Recording(transport)
  const card = await fetchCard(session, connection, record, options)
  const shape = connection.found?.shape
  const cardUrl = connection.found?.discovery.found?.url
  // The rules are loaded only where a card is judged.
  const { checkAgentCard } = await import('../../card/checkAgentCard.ts')
  const report = checkAgentCard(card, {
    typedUrl,
    served: servedOrigin !== undefined,
    ...(cardUrl !== undefined && { cardUrl }),
    ...(shape?.kind === 'card' && { version: shape.version }),
  })
  return { card, report, exchange: record.exchanges.at(-1) as Exchange }
}

async function fetchCard(
  session: Session,
  connection: Connection,
  record: Recording,
  options: GatedOptions,
): Promise<CardObject> {
  const operation = extendedCardOperation()
  const isEarly = hasEarlyCard(connection)
  if (!options.force) {
    assertDeclared(connection, 'extendedAgentCard', () =>
      isEarly ? `GET ${earlyCardPath}` : session.nameOf(operation, connection),
    )
  }
  if (isEarly) return fetchEarlyCard(session, connection, record, options)
  try {
    return (await session.ask(operation, connection, record, session.limitsOf(options))).value
  } catch (error) {
    const dialect = connection.routes[0]?.interface.dialect
    const hadGet = dialect !== undefined && profileOf(dialect).card.extendedCardBy === 'operation-or-get'
    const isUnknown = isReplyError(error) && (error.rpcCode === -32601 || error.rpcCode === -32600)
    if (!hadGet || !isUnknown) throw error
    return fetchEarlyCard(session, connection, record, options, error)
  }
}

/** Fetches the card by GET. `first` is thrown if that path does not exist either. */
async function fetchEarlyCard(
  session: Session,
  connection: Connection,
  record: Recording,
  options: GatedOptions,
  first?: unknown,
): Promise<CardObject> {
  const [route] = connection.routes
  let failure = first
  for (const early of route === undefined ? [] : earlyRoutes(route.interface)) {
    try {
      return (await session.caller.call(record, plainGet, early, session.limitsOf(options))).value
    } catch (error) {
      failure ??= error
      if (!isReplyError(error) || error.rpcCode !== undefined) throw failure
      if (error.status !== 404 && error.status !== 405) throw error
    }
  }
  throw failure
}

/** The path of the card in 0.2, next to the interface. */
export const earlyCardPath = '/agent/authenticatedExtendedCard'

/** True for an agent whose card is fetched by a plain GET. */
export function hasEarlyCard({ found }: Connection): boolean {
  return found?.shape.kind === 'card' && profileOf(found.shape.version).card.extendedCardBy === 'get'
}

const plainGet: Operation<CardObject> = {
  encode: () => ({ binding: 'HTTP+JSON', verb: 'GET', path: earlyCardPath, method: 'GetExtendedAgentCard' }),
  decode: (codec, result) => codec.readCard(result),
}

/** `{url}/../agent/authenticatedExtendedCard`, as 0.2 has it; some servers have it at the root. */
export function earlyRoutes(target: AgentInterface): Route[] {
  if (!URL.canParse(target.url)) return []
  const parent = new URL('..', target.url.endsWith('/') ? target.url : `${target.url}/`).href
  const root = new URL('/', target.url).href
  return [...new Set([parent, root])].map((url) => ({
    interface: { ...target, url, binding: 'HTTP+JSON', dialect: '0.3' },
    findings: [],
  }))
}
