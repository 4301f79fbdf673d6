import type { Dialect } from './model.ts'

interface ErrorCode {
  code: number
  /** What each version calls it; undefined where its number says nothing. */
  names: Readonly<Record<Dialect, string | undefined>>
  /** `reason` of google.rpc.ErrorInfo over HTTP+JSON (A2A 1.0 §5.4); those of JSON-RPC's own errors come from the SDKs. */
  reason?: string
}

const always = (name: string): ErrorCode['names'] => ({ '0.1': name, '0.3': name, '1.0': name })

/**
 * From -32005 on, the text and the schema of 0.1 disagree. What only 1.0 defines keeps its name in 0.3, where a server of 1.0 may
 * answer with it.
 */
const since03 = (name: string, in03: string = name): ErrorCode['names'] => ({
  '0.1': undefined,
  '0.3': in03,
  '1.0': name,
})

/** The error codes of JSON-RPC 2.0 and A2A (A2A 0.3 §8, A2A 1.0 §5.4). */
const errorCodes: readonly ErrorCode[] = [
  { code: -32700, names: always('ParseError') },
  { code: -32600, names: always('InvalidRequest'), reason: 'INVALID_REQUEST' },
  { code: -32601, names: always('MethodNotFound'), reason: 'METHOD_NOT_FOUND' },
  { code: -32602, names: always('InvalidParams'), reason: 'INVALID_PARAMS' },
  { code: -32603, names: always('InternalError'), reason: 'INTERNAL_ERROR' },
  { code: -32001, names: always('TaskNotFound'), reason: 'TASK_NOT_FOUND' },
  { code: -32002, names: always('TaskNotCancelable'), reason: 'TASK_NOT_CANCELABLE' },
  {
    code: -32003,
    names: always('PushNotificationNotSupported'),
    reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
  },
  { code: -32004, names: always('UnsupportedOperation'), reason: 'UNSUPPORTED_OPERATION' },
  { code: -32005, names: since03('ContentTypeNotSupported'), reason: 'CONTENT_TYPE_NOT_SUPPORTED' },
  { code: -32006, names: since03('InvalidAgentResponse'), reason: 'INVALID_AGENT_RESPONSE' },
  {
    code: -32007,
    names: since03('ExtendedAgentCardNotConfigured', 'AuthenticatedExtendedCardNotConfigured'),
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  },
  { code: -32008, names: since03('ExtensionSupportRequired'), reason: 'EXTENSION_SUPPORT_REQUIRED' },
  { code: -32009, names: since03('VersionNotSupported'), reason: 'VERSION_NOT_SUPPORTED' },
]

const byCode = new Map(errorCodes.map((one) => [one.code, one]))
const byReason = new Map(errorCodes.map((one) => [one.reason, one.code]))

/** Name of a JSON-RPC or A2A error code in that version; undefined where its number says nothing. */
export function errorName(code: number, dialect: Dialect): string | undefined {
  return byCode.get(code)?.names[dialect]
}

/** The error code behind a `reason` of google.rpc.ErrorInfo; also takes the kebab case of problem types. */
export function codeOfReason(reason: string): number | undefined {
  return byReason.get(reason.toUpperCase().replaceAll('-', '_'))
}
