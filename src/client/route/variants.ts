import { finding } from '../../findings/finding.ts'
import { isReplyError, type A2AReplyError } from '../../core/errors.ts'
import type { Finding } from '../../findings/types.ts'
import type { Call, RestCall } from '../../protocol/codec.ts'
import { wireVersion } from '../../protocol/headers.ts'
import type { Way } from '../operations/call.ts'
import { provesParseRejection, rejectsVersion } from './fallback.ts'

/** The same interface once more, a little differently, when the error proves that this is what is amiss. */
export function variantOf(way: Way, error: unknown, call: Call): { way: Way; finding: Finding } | undefined {
  const { interface: target } = way
  const path = target.path === undefined ? {} : { path: target.path }
  const { version } = target
  if (
    rejectsVersion(error, target.dialect) &&
    way.exactVersion === undefined &&
    version !== undefined &&
    version !== wireVersion(version)
  ) {
    return {
      way: { ...way, exactVersion: version },
      finding: finding(
        'wire/version-header',
        `A2A-Version "${wireVersion(version)}" was rejected (-32009), so "${version}" was sent as the card writes it`,
        {
          ...path,
          fix: `Declare protocolVersion "${wireVersion(version)}": a patch number is never part of the negotiation.`,
        },
      ),
    }
  }
  const hasMessage = call.binding === 'HTTP+JSON' && call.body?.['message'] !== undefined
  if (hasMessage && target.dialect === '0.3' && !way.kindBody && provesParseRejection(error)) {
    return {
      way: { ...way, kindBody: true },
      finding: finding(
        'wire/rest-body',
        'the agent could not read a message with "content" (the ProtoJSON form), so it was sent with "kind" and "parts"',
        { ...path },
      ),
    }
  }
  if (isSubscribePost(call) && !way.subscribeByGet && isNoRoute(error)) {
    return {
      way: { ...way, subscribeByGet: true },
      finding: finding(
        'wire/subscribe-verb',
        `${call.verb} ${call.path} was answered with HTTP ${error.status}, so GET was tried`,
        { ...path },
      ),
    }
  }
  return undefined
}

function isSubscribePost(call: Call): call is RestCall {
  return call.binding === 'HTTP+JSON' && call.verb === 'POST' && call.path.endsWith(':subscribe')
}

/** True when there is nothing at that path and verb; an A2A error says that somebody was there. */
function isNoRoute(error: unknown): error is A2AReplyError {
  return isReplyError(error) && error.rpcCode === undefined && (error.status === 404 || error.status === 405)
}
