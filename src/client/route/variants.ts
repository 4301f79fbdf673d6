import { isReplyError, type A2AReplyError } from '../../core/errors.ts'
import { finding } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import type { Call, RestCall } from '../../protocol/codec.ts'
import { wireVersion } from '../../protocol/headers.ts'
import { provesParseRejection, rejectsVersion } from './fallback.ts'
import { codecFor } from '../../protocol/codecs.ts'
import type { Route } from './types.ts'

/** The same interface again, called a little differently, if the error proves that this is what is wrong. */
export function variantOf(route: Route, error: unknown, call: Call): Route | undefined {
  const { version, dialect } = route.interface
  if (
    rejectsVersion(error, dialect) &&
    route.exactVersion === undefined &&
    version !== undefined &&
    version !== wireVersion(version)
  ) {
    return variant(route, { exactVersion: version }, versionFinding(version))
  }
  const hasMessage = call.binding === 'HTTP+JSON' && call.body?.['message'] !== undefined
  const { earlyProto = false } = codecFor(dialect, call.binding)
  if (hasMessage && earlyProto && !route.kindBody && provesParseRejection(error)) {
    return variant(route, { kindBody: true }, kindBodyFinding())
  }
  if (isSubscribePost(call) && !route.subscribeByGet && isNoRoute(error)) {
    return variant(route, { subscribeByGet: true }, verbFinding(call, error))
  }
  return undefined
}

function variant(route: Route, change: Partial<Route>, found: Finding): Route {
  const { path } = route.interface
  return {
    ...route,
    ...change,
    findings: [...route.findings, path === undefined ? found : { ...found, path }],
  }
}

function versionFinding(version: string): Finding {
  return finding(
    'wire/version-header',
    `A2A-Version "${wireVersion(version)}" was rejected (-32009), so "${version}" was sent as the card writes it`,
    {
      fix: `Declare protocolVersion "${wireVersion(version)}": a patch number is never part of the negotiation.`,
    },
  )
}

function kindBodyFinding(): Finding {
  return finding(
    'wire/rest-body',
    'the agent could not read a message with "content" (the ProtoJSON form), so it was sent with "kind" and "parts"',
  )
}

function verbFinding({ verb, path }: RestCall, { status }: A2AReplyError): Finding {
  return finding('wire/subscribe-verb', `${verb} ${path} was answered with HTTP ${status}, so GET was tried`)
}

function isSubscribePost(call: Call): call is RestCall {
  return call.binding === 'HTTP+JSON' && call.verb === 'POST' && call.path.endsWith(':subscribe')
}

/** True if there is nothing at that path and verb; an A2A error would show that the route exists. */
function isNoRoute(error: unknown): error is A2AReplyError {
  return isReplyError(error) && error.rpcCode === undefined && (error.status === 404 || error.status === 405)
}
