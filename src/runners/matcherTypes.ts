import type { MessageInput, Reply } from '../client/types.ts'
import type { CardOptions } from '../card/types.ts'
import type { SignatureOptions } from '../checks/card/checkSignedCard.ts'
import type { PartialSkill } from '../checks/card/checkSkill.ts'
import type { AuthenticationOptions } from '../checks/access/checkAuthentication.ts'
import type { ExtendedCardOptions } from '../checks/access/checkExtendedCard.ts'
import type { CorsOptions } from '../checks/web/checkCors.ts'
import type { CancelOptions } from '../checks/tasks/checkCancel.ts'
import type { CapabilityName } from '../checks/card/checkCapability.ts'
import type { ListOptions } from '../checks/list/checkList.ts'
import type { PushOptions } from '../checks/push/checkPush.ts'
import type { ReplyOptions } from '../checks/reply/checkReply.ts'
import type { SmokeOptions } from '../checks/reply/checkSmoke.ts'
import type { ResumeOptions } from '../checks/stream/checkResume.ts'
import type { StreamCheckOptions } from '../checks/stream/checkStream.ts'
import type { settledStates } from '../checks/reply/checkTaskState.ts'
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

/** The option that every awaited matcher takes. */
export interface DeadlineOption {
  /** Longest time for the whole matcher in ms. Default: what the runner leaves of the test's own limit. */
  deadlineMs?: number
}

/** The matchers that ask an agent and must be awaited. Their promise rejects with the report of what broke. */
export interface A2AMatchers {
  /**
   * Passes when the agent has a card that breaks no rule of its version.
   * Warnings fail only with `failOn: 'warning'`; `rules` silences or promotes rules by id. Sends GETs for the card, unless a card was given.
   */
  toHaveValidAgentCard(options?: CardOptions & DeadlineOption): Promise<void>
  /**
   * Passes when at least one signature of the card (`minimum`: so many) is valid: made over this card with a key that is trusted.
   * Sends GETs for the card, unless a card was given, and one for a key set where `allowJku` allows it.
   */
  toHaveSignedAgentCard(options?: SignatureOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the card lists the skill: by its id, or by a RegExp on id or name, with at least what `partial` says.
   * Sends GETs for the card, unless a card was given.
   */
  toAdvertiseSkill(
    idOrPattern: string | RegExp,
    partial?: PartialSkill,
    options?: DeadlineOption,
  ): Promise<void>
  /**
   * Passes when the card claims the capability, or the extension with that URI.
   * Sends GETs for the card, unless a card was given.
   */
  toAdvertiseCapability(name: CapabilityName | `${string}:${string}`, options?: DeadlineOption): Promise<void>
  /**
   * Passes when one message gets a Message or a Task that neither fails nor stalls, with some text.
   * Sends one message, and polls until its task settles.
   */
  toPassSmokeCheck(options?: SmokeOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the reply to a message is as expected: a string is contained in its text, a RegExp matches it; an asymmetric matcher, a Standard
   * Schema, a function or data also do. Sends one message, and polls until its task settles.
   */
  toReply(
    message: MessageInput,
    expected?: Expected<Reply>,
    options?: ReplyOptions & DeadlineOption,
  ): Promise<void>
  /**
   * Passes when the task that a message starts settles in this state.
   * Sends one message, and polls until its task settles.
   */
  toReachTaskState(
    message: MessageInput,
    state: (typeof settledStates)[number],
    options?: AskOptions & DeadlineOption,
  ): Promise<void>
  /**
   * Passes when a message is answered by an event stream that follows the rules of its protocol version: order, ids, end, and some content.
   * Sends one message by the streaming method; with `sameAsSend` the same once more by the plain one.
   */
  toStream(message: MessageInput, options?: StreamCheckOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the stream of a message can be cut and taken up again, and nothing is lost.
   * Sends one message, subscribes to its task, and looks that up.
   */
  toResumeStream(message: MessageInput, options?: ResumeOptions & DeadlineOption): Promise<void>
  /**
   * Passes when strangers are refused as the card says, at every interface, and good credentials are served.
   * Sends task look-ups with a random id and short messages: without credentials, with malformed and random ones, and with good ones,
   * for which the agent answers one message an interface.
   */
  toRequireAuthentication(options?: AuthenticationOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the extended card is refused to strangers, and is a valid card for who has credentials.
   * Sends requests for that card; no message.
   */
  toServeExtendedCard(options?: ExtendedCardOptions & DeadlineOption): Promise<void>
  /**
   * Passes when browsers let pages of another origin call every endpoint of the card.
   * Sends preflights, a task look-up with a random id, and a GET for the card; no message.
   */
  toAllowCors(options?: CorsOptions & DeadlineOption): Promise<void>
  /** Passes when GET at the endpoint gives the published card. Sends that GET; no message. */
  toAnswerCardAtEndpoint(options?: DeadlineOption): Promise<void>
  /**
   * Passes when messages that are sent in turn stay in the context that the agent opens, and the last reply is as expected (the forms of `toReply`).
   * Sends all of them, and sees each task settle.
   */
  toKeepContext(
    messages: readonly MessageInput[],
    expected?: Expected<Reply>,
    options?: KeepContextOptions & DeadlineOption,
  ): Promise<void>
  /**
   * Passes when a secret that is told in one context does not come out in another; an agent that remembers nothing passes with a warning.
   * Sends three messages, and sees each task settle.
   */
  toIsolateContexts(options?: IsolateContextsOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the agent asks back (`input-required`, with a question), and `answer` completes the same task, with a reply as `thenReply` says.
   * Sends the message and the answers, and sees the task settle.
   */
  toAskForInput(message: MessageInput, options: AskForInputOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the task waits in `auth-required`, says why, and settles once `approve` has authorized it outside A2A.
   * Sends one message, then subscribes to the task or polls it.
   */
  toWaitForAuthorization(
    message: MessageInput,
    options: WaitForAuthorizationOptions & DeadlineOption,
  ): Promise<void>
  /**
   * Passes when the task that a message starts can be canceled while it goes on, and stays canceled.
   * Sends one message and one cancel, and polls the task.
   */
  toCancelTask(message: MessageInput, options?: CancelOptions & DeadlineOption): Promise<void>
  /**
   * Passes when the agent lists its tasks as A2A 1.0 says: newest first, page by page without loss, filtered as asked.
   * Sends lists, and with `message` some messages before.
   */
  toListTasks(options?: ListOptions & DeadlineOption): Promise<void>
  /**
   * Passes when what the agent posts of the task that a message starts is complete, in order and authenticated.
   * Sends one message and polls its task, while a receiver listens on 127.0.0.1.
   */
  toDeliverPushNotifications(message: MessageInput, options?: PushOptions & DeadlineOption): Promise<void>
  /**
   * Passes when a conversation of a scripted or simulated user with the agent meets its success criteria, in as many trials as are asked for.
   * Sends up to `maxTurns` messages a trial; asks models for simulated turns and judged criteria only.
   */
  toPassConversation(options: PassConversationOptions): Promise<void>
  /**
   * Passes when a conversation that `converse()` held meets these criteria. Sends nothing to the agent; asks the judge for what code does not decide.
   */
  toMeetCriteria(
    criteria: string | readonly Criterion[],
    options?: MeetCriteriaOptions & DeadlineOption,
  ): Promise<void>
}

/** The matchers on what `agent.send()` or `converse()` gave; nothing is sent. `R` is what the runner makes them return. */
export interface A2AReplyMatchers<R = void> {
  /** Passes when the reply is a task in this state. */
  toBeInTaskState(state: TaskState): R
  /** Passes when the text contains the string, matches the RegExp or is otherwise as expected; without an argument, when there is any. */
  toHaveReplyText(expected?: Expected<Reply>, options?: { exact?: boolean }): R
  /** Passes when a data part, or the list of all, is as expected; without an argument, when there is any. */
  toHaveReplyData(expected?: Expected<Reply>): R
  /** Passes when there is an artifact of this name or id, with this text or data if given. */
  toHaveArtifact(name: string | RegExp, expected?: Expected<Artifact>): R
  /** Passes when there is a file with these traits; without an argument, when there is any. */
  toHaveReplyFile(expected?: ExpectedFile): R
  /** Passes when the agent (or, with `by: 'user'`, the user) said something in a conversation that is as expected; a string is contained in it. */
  toHaveSaid(expected: Expected<TranscriptEntry>, options?: HaveSaidOptions): R
  /** Passes when a conversation ended for this reason, or for one of these. */
  toHaveEndedBy(reason: EndReason | readonly EndReason[]): R
}
