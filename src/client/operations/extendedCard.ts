import type { ExtendedCardResult, GatedOptions } from '../types.ts'
import { checkAgentCard } from '../../card/checkAgentCard.ts'
import type { CardObject, CardVersion } from '../../card/types.ts'
import { isReplyError } from '../../core/errors.ts'
import type { AgentInterface } from '../../protocol/model.ts'
import type { Exchange } from '../../http/types.ts'
import type { Operation, Way } from './call.ts'
import { assertDeclared } from '../route/capabilities.ts'
import type { Connected } from '../route/connection.ts'
import { extendedCardOperation } from './requests.ts'
import { recording, type Recording } from './recording.ts'
import type { Session } from '../session.ts'

/**
 * Fetches the card for authenticated clients as the agent's version has it: by GET in 0.2, by an operation since 0.3, and by the
 * GET where a 0.3 agent knows no such operation. Throws A2AError.
 */
export async function fetchExtendedCard(
  session: Session,
  options: GatedOptions = {},
): Promise<ExtendedCardResult> {
  const { about } = session
  const connection = await session.connect(options.signal)
  const record = recording(about.transport)
  const version = versionOf(connection)
  const card = await fetchCard(session, connection, record, options)
  const cardUrl = connection.result?.discovery.found?.url
  const report = checkAgentCard(card, {
    typedUrl: about.typedUrl,
    served: about.servedOrigin !== undefined,
    ...(cardUrl !== undefined && { cardUrl }),
    ...(version !== undefined && { version }),
  })
  return { card, report, exchange: record.exchanges.at(-1) as Exchange }
}

async function fetchCard(
  session: Session,
  connection: Connected,
  record: Recording,
  options: GatedOptions,
): Promise<CardObject> {
  const places = connection.route.candidates.slice(0, 1).flatMap(getPlaces)
  const byGet = (way: Way): Promise<{ value: CardObject }> =>
    session.callerOf(record.transport).call(plainGet, way, session.limitsOf(options))
  const isEarly = versionOf(connection) === '0.2'
  const operation = extendedCardOperation()
  const method = isEarly ? `GET ${getPath}` : session.nameOf(operation, connection)
  assertDeclared(connection, 'extendedAgentCard', { method, force: options.force })

  let first: unknown
  if (!isEarly) {
    try {
      const limits = session.limitsOf(options)
      return (await session.ask(operation, connection, record.transport, limits)).value
    } catch (error) {
      const hadGet = connection.route.candidates[0]?.dialect === '0.3'
      const isUnknown = isReplyError(error) && (error.rpcCode === -32601 || error.rpcCode === -32600)
      if (!hadGet || !isUnknown) throw error
      first = error
    }
  }
  for (const way of places) {
    try {
      return (await byGet(way)).value
    } catch (error) {
      first ??= error
      if (!isReplyError(error) || error.rpcCode !== undefined) throw first
      if (error.status !== 404 && error.status !== 405) throw error
    }
  }
  throw first
}

const getPath = '/agent/authenticatedExtendedCard'

const plainGet: Operation<CardObject> = {
  encode: () => ({ binding: 'HTTP+JSON', verb: 'GET', path: getPath, method: 'GetExtendedAgentCard' }),
  decode: (codec, result) => codec.readCard(result),
}

/** `{url}/../agent/authenticatedExtendedCard`, as 0.2 has it; some servers have it at the root. */
export function getPlaces(target: AgentInterface): Way[] {
  if (!URL.canParse(target.url)) return []
  const parent = new URL('..', target.url.endsWith('/') ? target.url : `${target.url}/`).href
  const root = new URL('/', target.url).href
  return [...new Set([parent, root])].map((url) => ({
    interface: { ...target, url, binding: 'HTTP+JSON', dialect: '0.3' },
  }))
}

/** The version of the card, where one can be told. */
function versionOf({ result }: Connected): CardVersion | undefined {
  const shape = result?.report.shape
  return shape?.kind === 'card' ? shape.version : undefined
}
