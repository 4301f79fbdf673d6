/** The neutral entry: agents, checks, errors and types. It registers nothing and loads nothing heavy. */
import type { A2AAgent } from './agent/types.ts'
import type { SmokeOptions } from './checks/checkSmoke.ts'
import { A2AUsageError } from './errors.ts'
import type { Verdict } from './verdict.ts'

export { a2aAgent } from './agent/a2aAgent.ts'
export { serveAgent, type ServeOptions } from './agent/serve.ts'
export { startAgent, type StartedAgent, type StartOptions } from './agent/start.ts'
export { checkAgentCard } from './card/checkAgentCard.ts'
export {
  A2AConnectionError,
  A2AError,
  A2AModelError,
  A2APolicyError,
  A2AReplyError,
  A2AUsageError,
  A2AVerdictError,
  isA2AError,
  isReplyError,
  type A2AErrorCode,
} from './errors.ts'
export { formatVerdict } from './report/format.ts'
export { snapshotSerializer } from './report/serializer.ts'

/**
 * Sends one message and looks for a sign of life, as `toPassSmokeCheck` does, but gives the verdict as data.
 * `subject` is whatever `expect()` takes, a bare card excepted. Throws A2AUsageError `BAD_SUBJECT`, `BAD_OPTIONS`.
 */
export async function checkSmoke(
  subject: unknown,
  options: SmokeOptions & { signal?: AbortSignal } = {},
): Promise<Verdict> {
  const [{ resolveSubject }, checks] = await Promise.all([
    import('./agent/subject.ts'),
    import('./checks/checkSmoke.ts'),
  ])
  const resolved = await resolveSubject(subject)
  if (resolved.kind === 'card') {
    throw new A2AUsageError(
      'BAD_SUBJECT',
      'checkSmoke needs an agent that answers, but was given an agent card only.',
    )
  }
  const { signal = new AbortController().signal, ...rest } = options
  try {
    return await checks.checkSmoke(resolved.agent, [rest], { signal })
  } finally {
    await resolved.dispose?.()
  }
}

export type { A2AAgent, SmokeOptions, Verdict }
export type {
  AgentCardResult,
  AgentOptions,
  Credential,
  ExtendedCardResult,
  HeaderSource,
  MessageInput,
  PushConfigs,
} from './agent/types.ts'
export type { KeyInput, SignatureOptions } from './card/signatures/types.ts'
export type { CardAttempt, CardOptions, CardReport, CardVersion, Discovery } from './card/types.ts'
export type {
  A2AStream,
  GatedOptions,
  OperationOptions,
  Reply,
  SendOptions,
  StreamEnd,
  StreamOptions,
  StreamTimings,
  SubscribeOptions,
  TaskPage,
} from './client/types.ts'
export type { Probe, ProbeAnswer, ProbeCaller, ProbeOperation } from './client/probe.ts'
export type { Finding, Level } from './finding.ts'
export type {
  AgentInterface,
  Artifact,
  Message,
  Part,
  PushConfig,
  StreamEvent,
  Task,
  TaskQuery,
  TaskState,
} from './protocol/model.ts'
export type { Exchange, Limits } from './transport/types.ts'
export type { Outcome } from './verdict.ts'
