import type { MessageInput, Reply } from '../client/types.ts'
import type { CardOptions } from '../card/types.ts'
import type { SignatureOptions } from '../checks/card/checkSignedCard.ts'
import type { PartialSkill } from '../checks/card/checkSkill.ts'
import type { AuthenticationOptions } from '../checks/access/checkAuthentication.ts'
import type { ExtendedCardOptions } from '../checks/access/checkExtendedCard.ts'
import type { CorsOptions } from '../checks/web/checkCors.ts'
import type { CancelOptions } from '../checks/tasks/checkCancel.ts'
import type { CapabilityName } from '../checks/options.ts'
import type { ListOptions } from '../checks/list/checkList.ts'
import type { PushOptions } from '../checks/push/checkPush.ts'
import type { ReplyOptions } from '../checks/reply/checkReply.ts'
import type { SmokeOptions } from '../checks/reply/checkSmoke.ts'
import type { ResumeOptions } from '../checks/stream/checkResume.ts'
import type { StreamCheckOptions } from '../checks/stream/checkStream.ts'
import type { settledStates } from '../checks/options.ts'
import type { AskOptions } from '../checks/reply/sendAndCheck.ts'
import type { Expected } from '../checks/reply/expectedValue.ts'
import type { ExpectedFile } from '../checks/reply/checkReceivedReply.ts'
import type { MeetCriteriaOptions } from '../checks/conversation/checkCriteria.ts'
import type { HaveSaidOptions } from '../checks/conversation/checkRun.ts'
import type { AskForInputOptions } from '../checks/multiTurn/checkAskForInput.ts'
import type { IsolateContextsOptions } from '../checks/multiTurn/checkIsolateContexts.ts'
import type { KeepContextOptions } from '../checks/multiTurn/checkKeepContext.ts'
import type { WaitForAuthorizationOptions } from '../checks/multiTurn/checkWaitForAuthorization.ts'
import type { PassConversationOptions } from '../conversation/types.ts'
import type { EndReason, TranscriptEntry } from '../transcript/types.ts'
import type { Criterion } from '../judge/types.ts'
import type { Artifact, TaskState } from '../protocol/model.ts'
import type { DeadlineOption } from '../checks/checkResult.ts'
import type { AsyncMatcher, ReplyMatcher } from './defineMatcher.ts'

export type { DeadlineOption } from '../checks/checkResult.ts'

/** The asynchronous matchers; `await` each of them. Their promise rejects with a message that says what is wrong. */
export interface A2AMatchers {
  /**
   * Passes when the agent has a card that breaks no rule of its version.
   * Warnings fail only with `failOn: 'warning'`; `rules` sets the level of a rule by id.
   * Sends GETs for the card, unless you pass a card.
   * @example
   * ```ts
   * await expect(agent).toHaveValidAgentCard({ failOn: 'warning' })
   * ```
   */
  toHaveValidAgentCard(options?: CardOptions & DeadlineOption): Promise<void>
  /**
   * Passes when at least one signature of the card (or `minimum`) is valid: it matches this card and was made with a key that you trust.
   * Sends GETs for the card, unless you pass a card, and one for each key set that `allowJku` allows.
   * @example
   * ```ts
   * await expect(agent).toHaveSignedAgentCard({ allowJku: ['https://keys.example.com'] })
   * ```
   */
  toHaveSignedAgentCard(options?: SignatureOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the card lists the skill, found by its id or by a RegExp for its id or name, and the skill matches `partial`.
   * Sends GETs for the card, unless you pass a card.
   * @example
   * ```ts
   * await expect(agent).toAdvertiseSkill('refund')
   * await expect(agent).toAdvertiseSkill(/order/i, { tags: ['billing'] })
   * ```
   */
  toAdvertiseSkill(
    idOrPattern: string | RegExp,
    partial?: PartialSkill,
    options?: DeadlineOption,
  ): Promise<void>
  /**
   * Passes when the card declares the capability, or the extension with that URI.
   * Sends GETs for the card, unless you pass a card.
   * @example
   * ```ts
   * await expect(agent).toAdvertiseCapability('streaming')
   * ```
   */
  toAdvertiseCapability(name: CapabilityName | `${string}:${string}`, options?: DeadlineOption): Promise<void>
  /**
   * Passes when one message is answered with some text: by a Message, or by a Task that settles without failing.
   * Sends one message and waits until its task settles.
   * @example
   * ```ts
   * await expect(agent).toPassSmokeCheck({ waitMs: 10_000 })
   * ```
   */
  toPassSmokeCheck(options?: SmokeOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the reply to a message matches `expected`: a string that its text contains, a RegExp, an asymmetric matcher, a Standard
   * Schema, a function or data. Sends one message and waits until its task settles.
   * @example
   * ```ts
   * await expect(agent).toReply('Where is order #4411?', /on its way/i)
   * await expect(agent).toReply('Order #4411 as data', { id: 4411 })
   * ```
   */
  toReply(
    message: MessageInput,
    expected?: Expected<Reply>,
    options?: ReplyOptions & DeadlineOption,
  ): Promise<void>
  /**
   * Passes when the task that a message starts settles in this state.
   * Sends one message and waits until its task settles.
   * @example
   * ```ts
   * await expect(agent).toReachTaskState('Transfer all funds', 'rejected')
   * ```
   */
  toReachTaskState(
    message: MessageInput,
    state: (typeof settledStates)[number],
    options?: AskOptions & DeadlineOption,
  ): Promise<void>
  /**
   * Passes when a message is answered with an event stream that follows the rules of its A2A version for order, ids and end, and has some content.
   * Sends one message with the streaming method; with `sameAsSend`, sends it again with the plain method.
   * @example
   * ```ts
   * await expect(agent).toStream('Tell me a story', { incremental: true, firstEventMs: 2000 })
   * ```
   */
  toStream(message: MessageInput, options?: StreamCheckOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the stream of a message can be interrupted and resumed without losing events.
   * Sends one message, then subscribes to its task and polls it.
   * @example
   * ```ts
   * await expect(agent).toResumeStream('Run the test suite', { after: 3 })
   * ```
   */
  toResumeStream(message: MessageInput, options?: ResumeOptions & DeadlineOption): Promise<void>
  /**
   * Passes when every interface rejects unauthenticated requests as the card declares, and accepts valid credentials.
   * Sends lookups of a task that does not exist, and short messages: without credentials, with malformed and random ones, and with valid
   * ones. If the agent rejects the rest, one message per interface reaches it.
   * @example
   * ```ts
   * await expect(agent).toRequireAuthentication({ operations: ['getTask'] })
   * ```
   */
  toRequireAuthentication(options?: AuthenticationOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the extended card is denied to anonymous callers, and is a valid card for authenticated ones.
   * Sends requests for that card; no message.
   * @example
   * ```ts
   * await expect(agent).toServeExtendedCard({ credentials: { bearer: 'partner-token' } })
   * ```
   */
  toServeExtendedCard(options?: ExtendedCardOptions & DeadlineOption): Promise<void>
  /**
   * Passes when browsers let pages of another origin call every endpoint of the card.
   * Sends preflights, lookups of a task that does not exist, and a GET for the card; no message.
   * @example
   * ```ts
   * await expect(agent).toAllowCors({ origin: 'https://app.example.com' })
   * ```
   */
  toAllowCors(options?: CorsOptions & DeadlineOption): Promise<void>
  /**
   * Passes when GET at the endpoint returns the published card. Sends that GET; no message.
   * @example
   * ```ts
   * await expect(agent).toAnswerCardAtEndpoint()
   * ```
   */
  toAnswerCardAtEndpoint(options?: DeadlineOption): Promise<void>
  /**
   * Passes when messages sent one after the other stay in one context, and the last reply matches `expected` (same forms as in `toReply`).
   * Sends all of them, and waits for each task to settle.
   * @example
   * ```ts
   * await expect(agent).toKeepContext(['My order is #4411', 'Which order is mine?'], '4411')
   * ```
   */
  toKeepContext(
    messages: readonly MessageInput[],
    expected?: Expected<Reply>,
    options?: KeepContextOptions & DeadlineOption,
  ): Promise<void>
  /**
   * Passes when a secret from one context does not leak into another; an agent that remembers nothing passes with a warning.
   * Sends three messages, and waits for each task to settle.
   * @example
   * ```ts
   * await expect(agent).toIsolateContexts()
   * ```
   */
  toIsolateContexts(options?: IsolateContextsOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the agent asks for input (`input-required`, with a question), `answer` completes the same task, and its reply matches `expected`.
   * Sends the message and the answers, and waits for the task to settle.
   * @example
   * ```ts
   * await expect(agent).toAskForInput('I was charged twice.', {
   *   expectedQuestion: /order number/,
   *   answer: 'It is #4411.',
   *   expected: /refunded/,
   * })
   * ```
   */
  toAskForInput(message: MessageInput, options: AskForInputOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the task waits in `auth-required`, says what to authorize, and settles once `approve` has granted it outside A2A.
   * Sends one message, then subscribes to the task or polls it.
   * @example
   * ```ts
   * await expect(agent).toWaitForAuthorization('Deploy build 7', {
   *   approve: (task) => fetch(`http://127.0.0.1:4100/approve/${task.id}`, { method: 'POST' }),
   * })
   * ```
   */
  toWaitForAuthorization(
    message: MessageInput,
    options: WaitForAuthorizationOptions & DeadlineOption,
  ): Promise<void>
  /**
   * Passes when the task that a message starts can be canceled while it is running, and stays canceled.
   * Sends one message and one cancel, and polls the task.
   * @example
   * ```ts
   * await expect(agent).toCancelTask('Run the whole test suite')
   * ```
   */
  toCancelTask(message: MessageInput, options?: CancelOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the agent lists its tasks as A2A 1.0 requires: newest first, complete across pages, filtered as requested.
   * Sends list requests; with `message`, sends that message a few times first.
   * @example
   * ```ts
   * await expect(agent).toListTasks({ message: 'Where is order 17?' })
   * ```
   */
  toListTasks(options?: ListOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the push notifications for the task that a message starts are complete, in order and authenticated.
   * Sends one message and polls its task, while a receiver listens on 127.0.0.1.
   * @example
   * ```ts
   * await expect(agent).toDeliverPushNotifications('Run the tests', { token: 's3cr3t-token' })
   * ```
   */
  toDeliverPushNotifications(message: MessageInput, options?: PushOptions & DeadlineOption): Promise<void>
  /**
   * Passes when a conversation between a scripted or simulated user and the agent meets its success criteria, in the required share of trials.
   * Sends up to `maxTurns` messages per trial; calls models only for simulated turns and for criteria in words.
   * @example
   * ```ts
   * await expect(agent).toPassConversation({
   *   script: ['I was charged twice', 'It is order #4411'],
   *   successCriteria: ['The agent confirms the refund'],
   * })
   * ```
   */
  toPassConversation(options: PassConversationOptions): Promise<void>
  /**
   * Passes when a run, from `converse()`, meets these criteria. Sends nothing to the agent; calls the judge only for criteria in words.
   * @example
   * ```ts
   * await expect(run).toMeetCriteria(['The agent confirms the refund'])
   * ```
   */
  toMeetCriteria(
    criteria: string | readonly Criterion[],
    options?: MeetCriteriaOptions & DeadlineOption,
  ): Promise<void>
}

/** The matchers on a reply from `agent.send()` or a run from `converse()`. They send nothing. `R` is their return type in the runner. */
export interface A2AReplyMatchers<R = void> {
  /**
   * Passes when the reply is a task in this state.
   * @example
   * ```ts
   * expect(reply).toBeInTaskState('input-required')
   * ```
   */
  toBeInTaskState(state: TaskState): R
  /**
   * Passes when the text contains the string, or matches the RegExp or another form of `expected`; without an argument, when there is any text.
   * @example
   * ```ts
   * expect(reply).toHaveReplyText('on its way')
   * ```
   */
  toHaveReplyText(expected?: Expected<Reply>, options?: { exact?: boolean }): R
  /**
   * Passes when a data part, or the array of all of them, matches `expected`; without an argument, when there is any data.
   * @example
   * ```ts
   * expect(reply).toHaveReplyData({ id: 4411, total: expect.any(Number) })
   * ```
   */
  toHaveReplyData(expected?: Expected<Reply>): R
  /**
   * Passes when there is an artifact with this name or id, and its text or data matches `expected`, if set.
   * @example
   * ```ts
   * expect(reply).toHaveArtifact('report.md', '# Summary')
   * ```
   */
  toHaveArtifact(name: string | RegExp, expected?: Expected<Artifact>): R
  /**
   * Passes when a file has these properties; without an argument, when there is any file.
   * @example
   * ```ts
   * expect(reply).toHaveReplyFile({ name: 'orders.csv', mediaType: 'text/csv' })
   * ```
   */
  toHaveReplyFile(expected?: ExpectedFile): R
  /**
   * Passes when a message of the agent (with `by: 'user'`, of the user) matches `expected`; a string may be part of the message.
   * @example
   * ```ts
   * expect(run).toHaveSaid('What is your order number?', { turn: 1 })
   * ```
   */
  toHaveSaid(expected: Expected<TranscriptEntry>, options?: HaveSaidOptions): R
  /**
   * Passes when the conversation ended for this reason, or for one of these reasons.
   * @example
   * ```ts
   * expect(run).toHaveEndedBy('goal')
   * ```
   */
  toHaveEndedBy(reason: EndReason | readonly EndReason[]): R
}

/**
 * An awaited matcher by its name, as `expect.extend` takes it. The interface above has its only signature: a bundled declaration file
 * would lose docstrings and examples if the interface were derived from the matchers.
 */
export type NamedMatcher<Name extends keyof A2AMatchers> = AsyncMatcher<Parameters<A2AMatchers[Name]>>

/** A reply matcher by its name, as `expect.extend` takes it. */
export type NamedReplyMatcher<Name extends keyof A2AReplyMatchers> = ReplyMatcher<
  Parameters<A2AReplyMatchers[Name]>
>
