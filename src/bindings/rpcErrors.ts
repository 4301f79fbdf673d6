/** JSON-RPC 2.0 and A2A error codes by name (A2A 1.0 §5.4; 0.2 and 0.3 share the first seven). */
const names: Record<number, string> = {
  [-32700]: 'ParseError',
  [-32600]: 'InvalidRequest',
  [-32601]: 'MethodNotFound',
  [-32602]: 'InvalidParams',
  [-32603]: 'InternalError',
  [-32001]: 'TaskNotFound',
  [-32002]: 'TaskNotCancelable',
  [-32003]: 'PushNotificationNotSupported',
  [-32004]: 'UnsupportedOperation',
  [-32005]: 'ContentTypeNotSupported',
  [-32006]: 'InvalidAgentResponse',
  [-32007]: 'ExtendedAgentCardNotConfigured',
  [-32008]: 'ExtensionSupportRequired',
  [-32009]: 'VersionNotSupported',
}

/**
 * The name of an error code for the dialect that the method belongs to. The text of A2A 0.1 and its schema disagree from
 * -32005 on, so those have no name there.
 */
export function rpcErrorName(code: number, method: string): string | undefined {
  const isOldest = method.startsWith('tasks/send') || method.startsWith('tasks/pushNotification/')
  if (isOldest && code <= -32005 && code > -32100) return undefined
  if (code === -32007 && !/^[A-Z]/.test(method)) return 'AuthenticatedExtendedCardNotConfigured'
  return names[code]
}

const reasons: Record<string, number> = {
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  INVALID_AGENT_RESPONSE: -32006,
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: -32007,
  EXTENSION_SUPPORT_REQUIRED: -32008,
  VERSION_NOT_SUPPORTED: -32009,
  // These four are the SDKs' own.
  INVALID_PARAMS: -32602,
  INVALID_REQUEST: -32600,
  METHOD_NOT_FOUND: -32601,
  INTERNAL_ERROR: -32603,
}

/** The error code behind a `reason` of google.rpc.ErrorInfo (A2A 1.0 §5.4); also takes the kebab case of problem types. */
export function codeOfReason(reason: string): number | undefined {
  return reasons[reason.toUpperCase().replaceAll('-', '_')]
}
