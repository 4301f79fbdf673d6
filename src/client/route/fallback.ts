import { plainText } from '../../core/guards.ts'
import { finding } from '../../findings/finding.ts'
import { isReplyError, type A2AReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import { findBinding } from '../../protocol/bindingNames.ts'
import { errorName } from '../../protocol/errorCodes.ts'
import type { AgentInterface, Dialect } from '../../protocol/model.ts'
import { hasBinding, profileOf } from '../../protocol/versions/profiles.ts'
import type { FailedTry } from './types.ts'

/**
 * True if an error proves that the agent did nothing because it does not know the method, so that another try in another
 * dialect can neither repeat work nor hide a fault: -32601, -32009, a -32600 whose text names the method, or HTTP 404, 405
 * or 501 without a JSON-RPC body. Never a timeout, -32602, -32603 or another 5xx.
 */
export function provesMethodUnknown(
  error: unknown,
  about: {
    method: string
    dialect: Dialect
    body?: string | undefined
    /** How the dialect of the card was refused, where another one is being tried already. */
    first?: A2AReplyError | undefined
  },
): error is A2AReplyError {
  if (!isReplyError(error)) return false
  if (error.rpcCode === undefined) {
    return error.status === 404 || error.status === 405 || error.status === 501
  }
  if (error.rpcCode === -32601) return true
  // In 0.1 this number means that the task is in the wrong state, unless the agent answers every version with it.
  if (error.rpcCode === -32009)
    return errorName(-32009, about.dialect) !== undefined || about.first?.rpcCode === -32009
  return error.rpcCode === -32600 && namesMethod(error, about.method, about.body)
}

/** True if the agent rejects the version that was announced, not the method. */
export function rejectsVersion(error: unknown, dialect: Dialect): boolean {
  return isReplyError(error) && error.rpcCode === -32009 && announcesVersion(dialect)
}

/**
 * True if a 0.3 REST agent says that it could not parse the body, which is written in one of two forms: 400 with an
 * "invalid" code, or with a text that names the member in question. Never after a 5xx.
 */
export function provesParseRejection(error: unknown): boolean {
  if (!isReplyError(error)) return false
  if (error.status !== undefined && error.status !== 400 && error.status !== 422) return false
  if (error.rpcCode === -32600 || error.rpcCode === -32602 || error.rpcCode === -32700) return true
  return error.status === 400 && /\b(content|parts)\b/.test(`${error.message} ${textOf(error.data)}`)
}

/** A pydantic union names the method in each member that it tried, whether the method or something else was wrong. */
function namesMethod(error: A2AReplyError, method: string, body: string | undefined): boolean {
  const data = textOf(error.data)
  if (data.includes('union_tag_invalid')) return true
  const members = pydanticMembers(error.data)
  if (members !== undefined) return [...members.values()].every((methodIsWrong) => methodIsWrong)
  // Our own message names the method too, so the answer itself is searched.
  return (body ?? `${error.message} ${data}`).includes(method)
}

/** For each union member, whether its error is about the method; undefined if the data is not a pydantic error list. */
function pydanticMembers(data: unknown): Map<string, boolean> | undefined {
  if (!Array.isArray(data)) return undefined
  const members = new Map<string, boolean>()
  for (const entry of data as unknown[]) {
    if (typeof entry !== 'object' || entry === null) return undefined
    const { type, loc } = entry as { type?: unknown; loc?: unknown }
    if (typeof type !== 'string' || !Array.isArray(loc)) return undefined
    const member = plainText(loc[0])
    const aboutMethod = type === 'literal_error' && loc.includes('method')
    members.set(member, (members.get(member) ?? false) || aboutMethod)
  }
  return members.size > 0 ? members : undefined
}

/**
 * The dialects to try at one interface, the declared one first. A card that lists `supportedInterfaces` was written by
 * software that knows 1.0, so that comes before 0.1.
 */
export function dialectOrder({ dialect, binding, path }: AgentInterface, pinned: boolean): Dialect[] {
  if (pinned) return [dialect]
  const isListed = path?.startsWith('supportedInterfaces') === true
  const others = isListed ? (otherDialectsListed[dialect] ?? otherDialects[dialect]) : otherDialects[dialect]
  const known = findBinding(binding)
  return [dialect, ...others].filter((one) => known === undefined || hasBinding(one, known))
}

const otherDialects: Readonly<Record<Dialect, readonly Dialect[]>> = {
  '0.1': ['0.3', '1.0'],
  '0.3': ['0.1', '1.0'],
  '1.0': ['0.3', '0.1'],
}
const otherDialectsListed: Partial<Record<Dialect, readonly Dialect[]>> = { '0.3': ['1.0', '0.1'] }

function announcesVersion(dialect: Dialect): boolean {
  return profileOf(dialect).headers.version !== undefined
}

/** The finding for an agent that speaks another dialect than its card declares. */
export function fallbackFinding(
  failed: readonly FailedTry[],
  spoken: { interface: AgentInterface; method: string },
): Finding | undefined {
  const first = failed[0]
  if (first === undefined) return undefined
  const declared = first.interface
  const { dialect } = spoken.interface
  const { hasProtocolVersion } = profileOf(dialect).card
  const says =
    declared.version === undefined
      ? `the card is read as ${declared.dialect}`
      : `card says ${declared.version}`
  const works = `${says}, but ${first.method} → ${answerOf(first.error)} and ${spoken.method} works`
  const message = hasProtocolVersion
    ? `${works}: declare protocolVersion ${dialect}`
    : `${works}: the agent speaks ${dialect}`
  const fix = hasProtocolVersion
    ? `Set protocolVersion to "${dialect}" in the agent card, or serve ${first.method}.`
    : `Move the agent to message/send (A2A 0.2 and later), or let its card say that it speaks ${dialect}.`
  return finding('wire/fallback', message, { path: declared.path, fix })
}

/** An error answer in one word: `-32601`, `HTTP 404`. */
export function answerOf(error: A2AReplyError): string {
  if (error.rpcCode !== undefined) return String(error.rpcCode)
  return error.status === undefined ? error.code : `HTTP ${error.status}`
}

function textOf(data: unknown): string {
  if (data === undefined) return ''
  return typeof data === 'string' ? data : (JSON.stringify(data) ?? '')
}
