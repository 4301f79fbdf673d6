import { A2AUsageError } from '../../core/errors.ts'
import { addFindings, type Finding } from '../../core/finding.ts'
import type { Transport } from '../../http/types.ts'
import { codecOf, type Caller, type Found, type Request, type Way } from '../operations/call.ts'
import type { Connected } from './connection.ts'
import { explainUnknownMethods, withAddress, withEarlier } from './explain.ts'
import { fallbackFinding, provesMethodUnknown, type FailedTry } from './fallback.ts'

/** What trying the ways in turn needs to know. */
export interface WaysQuestion {
  connection: Connected
  caller: Caller
  /** Whose last exchange tells what an agent answered. */
  transport: Transport
  typedUrl: string
  /**
   * True for the operations that every agent has: an agent that no longer knows the method has changed its version. Of the others it
   * may simply lack one, so that the way that worked once is the only one.
   */
  core?: boolean
}

/**
 * Performs a request along the ways of a connection, each further one only on proof that the agent does not know the method. What
 * worked is remembered. Throws A2AUsageError `NOT_DECLARED` when the version that is spoken lacks the operation.
 */
export async function tryWays<R extends Found>(
  request: Request,
  { connection, caller, transport, typedUrl, core = false }: WaysQuestion,
  perform: (way: Way) => Promise<R>,
): Promise<{ answer: R; findings: Finding[] }> {
  const { route, placed, settled } = connection
  const fresh = route.candidates
    .filter((candidate) => candidate !== settled?.candidate)
    .map((candidate) => ({ way: { interface: candidate }, candidate }))
  const all = settled === undefined ? fresh : core ? [settled, ...fresh] : [settled]
  const exists = (way: Way): boolean => request.exists?.(codecOf(way)) ?? true
  const [first] = all
  if (first !== undefined && !exists(first.way)) throw lacking(request, first.way)

  const failed: FailedTry[] = []
  for (const { way, candidate } of all.filter((one) => exists(one.way))) {
    try {
      const answer = await perform(way)
      if (candidate !== settled?.candidate) {
        const fallback =
          route.declared &&
          fallbackFinding(failed, { interface: candidate, method: caller.methodOf(request, way) })
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
      } else if (connection.settled?.candidate === candidate && answer.variants.length > 0) {
        connection.settled.way = answer.way
        addFindings(connection.settled.findings, answer.variants)
      }
      return { answer, findings: [...(connection.settled?.findings ?? [])] }
    } catch (error) {
      const method = caller.methodOf(request, way)
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

function lacking(
  { since = 'A later version' }: Request,
  { interface: { dialect, binding } }: Way,
): A2AUsageError {
  return new A2AUsageError(
    'NOT_DECLARED',
    `the agent speaks A2A ${dialect} over ${binding}, which has no such operation: ${since}`,
    { fix: 'Test this with an agent of that version; option version says which one to speak.' },
  )
}
