export { toAdvertiseCapability } from './toAdvertiseCapability.ts'
export { toAdvertiseSkill } from './toAdvertiseSkill.ts'
export { toAllowCors } from './toAllowCors.ts'
export { toAnswerCardAtEndpoint } from './toAnswerCardAtEndpoint.ts'
export { toAskForInput } from './toAskForInput.ts'
export { toBeInTaskState } from './toBeInTaskState.ts'
export { toCancelTask } from './toCancelTask.ts'
export { toDeliverPushNotifications } from './toDeliverPushNotifications.ts'
export { toHaveArtifact } from './toHaveArtifact.ts'
export { toHaveEndedBy } from './toHaveEndedBy.ts'
export { toHaveReplyData } from './toHaveReplyData.ts'
export { toHaveReplyFile } from './toHaveReplyFile.ts'
export { toHaveReplyText } from './toHaveReplyText.ts'
export { toHaveSaid } from './toHaveSaid.ts'
export { toHaveSignedAgentCard } from './toHaveSignedAgentCard.ts'
export { toHaveValidAgentCard } from './toHaveValidAgentCard.ts'
export { toIsolateContexts } from './toIsolateContexts.ts'
export { toKeepContext } from './toKeepContext.ts'
export { toListTasks } from './toListTasks.ts'
export { toMeetCriteria } from './toMeetCriteria.ts'
export { toPassConversation } from './toPassConversation.ts'
export { toPassSmokeCheck } from './toPassSmokeCheck.ts'
export { toReachTaskState } from './toReachTaskState.ts'
export { toReply } from './toReply.ts'
export { toRequireAuthentication } from './toRequireAuthentication.ts'
export { toResumeStream } from './toResumeStream.ts'
export { toServeExtendedCard } from './toServeExtendedCard.ts'
export { toStream } from './toStream.ts'
export { toWaitForAuthorization } from './toWaitForAuthorization.ts'

/** Names of the matchers that must be awaited, for `vitest/valid-expect` and similar rules (`asyncMatchers`). */
export const asyncMatcherNames: readonly string[] = [
  'toAdvertiseCapability',
  'toAdvertiseSkill',
  'toAllowCors',
  'toAnswerCardAtEndpoint',
  'toAskForInput',
  'toCancelTask',
  'toDeliverPushNotifications',
  'toHaveSignedAgentCard',
  'toHaveValidAgentCard',
  'toIsolateContexts',
  'toKeepContext',
  'toListTasks',
  'toMeetCriteria',
  'toPassConversation',
  'toPassSmokeCheck',
  'toReachTaskState',
  'toReply',
  'toRequireAuthentication',
  'toResumeStream',
  'toServeExtendedCard',
  'toStream',
  'toWaitForAuthorization',
]
