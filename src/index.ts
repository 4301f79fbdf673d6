/** The neutral entry: agents, checks, errors and types. It registers nothing and loads nothing heavy. */
import type { A2AAgent } from './agent/types.ts'
import type { SmokeOptions } from './checks/reply/checkSmoke.ts'
import type { JudgeTranscriptOptions, TranscriptSource } from './judge/judgeTranscript.ts'
import type { ConversationOptions } from './conversation/types.ts'
import type { ConversationRun } from './transcript/types.ts'
import { A2AUsageError } from './core/errors.ts'
import { abortSignal, checkOptions } from './core/validate.ts'
import type { Criterion, Judgement } from './judge/types.ts'
import type { Verdict } from './checks/verdict.ts'

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
} from './core/errors.ts'
export { configureA2A } from './model/configuration.ts'
export { openaiModel, type OpenaiModelOptions } from './model/openai.ts'
export {
  scriptedModel,
  type ScriptedFunction,
  type ScriptedModel,
  type ScriptedOptions,
  type ScriptedReplies,
  type ScriptedReply,
} from './model/scripted.ts'
export {
  calibrateJudge,
  type Calibration,
  type CalibrationFigures,
  type CalibrationOptions,
  type Disagreement,
} from './judge/calibrate.ts'
export type { LabelledConversation } from './judge/labels.ts'
export { formatVerdict } from './report/format.ts'
export { snapshotSerializer } from './report/serializer.ts'

/**
 * Sends one message, as `toPassSmokeCheck` does, and returns the verdict as data. `subject` is anything `expect()` accepts except a card.
 * Throws A2AUsageError `BAD_SUBJECT`, `BAD_OPTIONS`.
 */
export async function checkSmoke(
  subject: unknown,
  options: SmokeOptions & { signal?: AbortSignal } = {},
): Promise<Verdict> {
  const [{ resolveSubject }, checks, { smokeOptions }] = await Promise.all([
    import('./agent/subject.ts'),
    import('./checks/reply/checkSmoke.ts'),
    import('./checks/options.ts'),
  ])
  checkOptions('checkSmoke', options, { ...smokeOptions, signal: abortSignal })
  const resolved = await resolveSubject(subject)
  if (resolved.kind === 'card') {
    throw new A2AUsageError(
      'BAD_SUBJECT',
      'checkSmoke() needs an agent to call, but received only an agent card.',
    )
  }
  const { signal = new AbortController().signal, ...rest } = options
  try {
    return await checks.checkSmoke(resolved.agent, [rest], { signal })
  } finally {
    await resolved.dispose?.()
  }
}

/**
 * Runs a conversation between a scripted or simulated user and an agent. Returns its record, not yet judged, for the matchers on a run and for
 * `judgeTranscript()`. `subject` is anything `expect()` accepts except a card. The conversation stops before the running test times out, if
 * the runner's set-up entry is loaded, and after `deadlineMs`. If something goes wrong midway, it is in the run's `fault`.
 * If nothing was exchanged, throws A2AConnectionError, A2APolicyError or A2AModelError (`NO_MODEL` before the agent is called). For wrong use, throws
 * A2AUsageError `BAD_SUBJECT`, `BAD_OPTIONS`, `BAD_USE`.
 */
export async function converse(subject: unknown, options: ConversationOptions): Promise<ConversationRun> {
  const conversation = await import('./conversation/converse.ts')
  return conversation.converse(subject, options)
}

/**
 * Judges a finished conversation: a run, the path of a transcript file that a test wrote, or `{ entries }`. The agent is not called.
 * Throws A2AUsageError `BAD_SUBJECT`, `BAD_OPTIONS`, `BAD_USE`; A2AModelError if the judge returns no verdict; A2AConnectionError
 * `DEADLINE` if the deadline passes first.
 */
export async function judgeTranscript(
  source: TranscriptSource,
  criteria: string | readonly Criterion[],
  options: JudgeTranscriptOptions = {},
): Promise<Judgement> {
  const conversation = await import('./judge/judgeTranscript.ts')
  return conversation.judgeTranscript(source, criteria, options)
}

export type { A2AAgent, SmokeOptions, Verdict }
export type {
  ConversationOptions,
  ConversationRun,
  Criterion,
  JudgeTranscriptOptions,
  Judgement,
  TranscriptSource,
}
export type {
  ConversationResult,
  PassConversationOptions,
  ScriptedTurn,
  TrialResult,
  TrialStatistics,
} from './conversation/types.ts'
export type {
  EndReason,
  GuardHit,
  ConversationFault,
  Transcript,
  TranscriptArtifact,
  TranscriptEntry,
  TranscriptFile,
} from './transcript/types.ts'
export type {
  CheckCriterion,
  CriterionResult,
  CriterionVerdict,
  Evidence,
  MustCriterion,
  MustNotCriterion,
  UnknownAs,
} from './judge/types.ts'
export type {
  A2AStream,
  AgentCardResult,
  AgentOptions,
  Credential,
  ExtendedCardResult,
  GatedOptions,
  HeaderSource,
  MessageInput,
  OperationOptions,
  PushConfigs,
  Reply,
  SendOptions,
  StreamEnd,
  StreamOptions,
  StreamTimings,
  SubscribeOptions,
  TaskPage,
} from './client/types.ts'
export type { KeyInput, SignatureOptions } from './card/signatures/types.ts'
export type { CardAttempt, CardOptions, CardReport, CardShape, CardVersion, Discovery } from './card/types.ts'
export type { Probe, ProbeAnswer, ProbeCaller, ProbeOperation } from './client/probe/types.ts'
export type { Finding, Level } from './findings/types.ts'
export type {
  A2AConfiguration,
  AiSdkModel,
  BudgetOptions,
  CassetteMode,
  CassetteOptions,
  JudgeOptions,
  Model,
  ModelAnswer,
  ModelChoice,
  ModelFunction,
  ModelMessage,
  ModelRequest,
  ModelRole,
  PriceFunction,
  ReplayCount,
  SimulatorOptions,
  Usage,
  UsageByRole,
} from './model/types.ts'
export type {
  AgentInterface,
  Artifact,
  Dialect,
  FilePart,
  Message,
  Part,
  PushConfig,
  StreamEvent,
  Task,
  TaskQuery,
  TaskState,
  TaskStatus,
} from './protocol/model.ts'
export type { SendConfiguration } from './protocol/codec.ts'
export type { Expected } from './checks/reply/expectedValue.ts'
export type { ExpectedFile } from './checks/reply/checkReceivedReply.ts'
export type { DeadlineOption } from './checks/checkResult.ts'
export type { AuthenticationOptions } from './checks/access/checkAuthentication.ts'
export type { ExtendedCardOptions } from './checks/access/checkExtendedCard.ts'
export type { HaveSaidOptions } from './checks/conversation/checkRun.ts'
export type { ListOptions } from './checks/list/checkList.ts'
export type { AskForInputOptions } from './checks/multiTurn/checkAskForInput.ts'
export type { IsolateContextsOptions } from './checks/multiTurn/checkIsolateContexts.ts'
export type { KeepContextOptions } from './checks/multiTurn/checkKeepContext.ts'
export type { WaitForAuthorizationOptions } from './checks/multiTurn/checkWaitForAuthorization.ts'
export type { PushOptions } from './checks/push/checkPush.ts'
export type { ReplyOptions } from './checks/reply/checkReply.ts'
export type { AskOptions } from './checks/reply/sendAndCheck.ts'
export type { ResumeOptions } from './checks/stream/checkResume.ts'
export type { StreamCheckOptions } from './checks/stream/checkStream.ts'
export type { CancelOptions } from './checks/tasks/checkCancel.ts'
export type { CorsOptions } from './checks/web/checkCors.ts'
export type { Exchange, Limits } from './http/types.ts'
export type { Outcome } from './checks/verdict.ts'
