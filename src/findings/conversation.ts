export const conversationFindings = {
  'criterion/not-met': {
    level: 'error',
    summary:
      'The conversation does not meet a success criterion; the message quotes the turns that show it, if any.',
    fix: 'Read the quoted turns; fix the agent, or word the criterion more plainly.',
  },
  'criterion/broken': {
    level: 'error',
    summary: 'The agent did something that a `mustNot` forbids.',
    fix: 'Read the quoted turn.',
  },
  'criterion/undecided': {
    level: 'warning',
    summary: 'The judge could not decide, its quotes are not in the transcript, or its votes differ.',
    fix: "Word it so that the agent's messages can show it, or decide it by code.",
  },
  'conversation/not-said': {
    level: 'error',
    summary: 'No message of the conversation matches what `toHaveSaid` looks for.',
    fix: 'Read the transcript in the message.',
  },
  'conversation/end-reason': {
    level: 'error',
    summary: 'The conversation did not end for the reason that `toHaveEndedBy` expects.',
    fix: 'Read how the conversation ended; [toHaveEndedBy](matchers/toHaveEndedBy.md) lists the reasons.',
  },
  'conversation/note': {
    level: 'warning',
    summary:
      'Additional information: an option without effect, retries combined with trials, a budget that cannot be kept.',
    fix: 'See the message.',
  },
  'conversation/no-context': {
    level: 'warning',
    summary: 'A reply names no context, so the conversation cannot continue in it.',
    fix: 'Set the contextId of the conversation in every answer; create one if the message has none.',
    source: 'A2A 1.0 §3.4.1',
  },
  'conversation/forgot': {
    level: 'error',
    summary: 'The last reply does not reflect what was said earlier in its context.',
    fix: "Keep the history by `contextId`, including the agent's own answers.",
  },
  'conversation/old-task': {
    level: 'error',
    summary: 'A message that starts something new was answered with a task that had already finished.',
    fix: 'Start a new task for a message that names a context but no task.',
  },
  'conversation/leak': {
    level: 'error',
    summary: 'A secret from one context came out in another.',
    fix: 'Keep what was said separate for each `contextId`.',
  },
  'conversation/shared-context': {
    level: 'error',
    summary: 'Two messages that name no context were put into the same one.',
    fix: 'Open a new context for every message that names none.',
  },
  'conversation/not-remembered': {
    level: 'warning',
    summary:
      'The agent does not repeat the secret even in its own context, so not leaking it elsewhere proves nothing.',
    fix: 'Make the agent remember a context, or choose `tell` and `ask` so that it repeats the secret there.',
  },
  'conversation/not-asked': {
    level: 'error',
    summary: 'The agent does not ask for input where the test expects a question.',
    fix: 'Return a task in state input-required.',
  },
  'conversation/no-question': {
    level: 'error',
    summary: 'A task waits for input, but does not say what it needs.',
    fix: 'Put the question into the status message.',
  },
  'conversation/answer-refused': {
    level: 'error',
    summary: 'The answer to a question was rejected with an error.',
    fix: 'Accept a message that names a waiting task as the answer to its question.',
  },
  'conversation/new-task': {
    level: 'error',
    summary: 'The answer to a question started a new task.',
    fix: 'Continue the task that the message names, under the same id.',
  },
  'conversation/still-waiting': {
    level: 'error',
    summary: 'A task still waits for input after the answer, or for authorization after approval.',
    fix: 'Continue the task once it has what it waits for.',
  },
  'conversation/not-held': {
    level: 'error',
    summary: 'The agent does not wait for authorization where the test expects it.',
    fix: 'Put the task into state auth-required.',
  },
  'conversation/no-explanation': {
    level: ['warning', 'error'],
    summary:
      'A task waits for authorization but does not say what to authorize; an error in 1.0, which requires it.',
    fix: 'Explain in the status message what must be authorized, by whom and where.',
    source: 'A2A 0.3 §4.5',
  },
  'conversation/did-not-wait': {
    level: 'error',
    summary: 'A task that waits for authorization continued before it was authorized.',
    fix: 'Leave the task in state auth-required until it is authorized.',
  },
  'conversation/not-subscribable': {
    level: 'warning',
    summary: 'The card declares streaming, but a task that waits for authorization cannot be subscribed to.',
    fix: 'Let clients subscribe to a task that waits for authorization, because the card declares streaming.',
    source: 'A2A 1.0 §7.6.1',
  },
} as const
