export const conversationFindings = {
  'criterion/not-met': {
    level: 'error',
    summary:
      'The conversation does not meet a success criterion; the message has the words, or that there are none.',
    fix: 'Read the turns that are quoted; fix the agent, or word the criterion more plainly.',
  },
  'criterion/broken': {
    level: 'error',
    summary: 'The agent did what a `mustNot` forbids.',
    fix: 'Read the turn that is quoted.',
  },
  'criterion/undecided': {
    level: 'warning',
    summary: 'The judge could not tell, its quotes are not in the transcript, or its votes differ.',
    fix: "Word it as something that the agent's words can show, or decide it by code.",
  },
  'conversation/not-said': {
    level: 'error',
    summary: 'Nobody said in the conversation what `toHaveSaid` looks for.',
    fix: 'Read the transcript in the message.',
  },
  'conversation/end-reason': {
    level: 'error',
    summary: 'The conversation ended for another reason than `toHaveEndedBy` says.',
    fix: 'Read how the conversation ended; [toHaveEndedBy](matchers/toHaveEndedBy.md) lists the reasons.',
  },
  'conversation/note': {
    level: 'warning',
    summary:
      'Something to know beside the result: an option without effect, a retry beside trials, a budget that cannot be kept.',
    fix: 'The message says how.',
  },
  'conversation/no-context': {
    level: 'warning',
    summary: 'A reply names no context, so the conversation cannot go on in it.',
    fix: 'Set the contextId of the conversation in every answer; create one if the message has none.',
    source: 'A2A 1.0 §3.4.1',
  },
  'conversation/forgot': {
    level: 'error',
    summary: 'The last reply of a conversation does not show what was said before in its context.',
    fix: 'Keep the history by `contextId`, the answers of the agent included.',
  },
  'conversation/old-task': {
    level: 'error',
    summary: 'A message that starts something new was answered with a task that had been finished before.',
    fix: 'Start a new task for a message that names a context only.',
  },
  'conversation/leak': {
    level: 'error',
    summary: 'A secret that was told in one context came out in another.',
    fix: 'Keep what was said by `contextId`, and nothing besides.',
  },
  'conversation/shared-context': {
    level: 'error',
    summary: 'Two messages that name no context were put into the same one.',
    fix: 'Open a new context for every message that names none.',
  },
  'conversation/not-remembered': {
    level: 'warning',
    summary:
      'The agent does not know the secret in the first context either; that others do not get it proves nothing.',
    fix: 'Make the agent remember a context, or choose `tell` and `ask` so that it repeats the secret there.',
  },
  'conversation/not-asked': {
    level: 'error',
    summary: 'The agent does not ask back where the test asks for a question.',
    fix: 'Answer with a task in state input-required.',
  },
  'conversation/no-question': {
    level: 'error',
    summary: 'A task waits for input, but says nothing of what it needs.',
    fix: 'Put the question into the status message.',
  },
  'conversation/answer-refused': {
    level: 'error',
    summary: 'The answer to a question was refused with an error.',
    fix: 'Take a message that names a waiting task as the answer to it.',
  },
  'conversation/new-task': {
    level: 'error',
    summary: 'The answer to a question was taken for a new task.',
    fix: 'Continue the task that the message names, under the same id.',
  },
  'conversation/still-waiting': {
    level: 'error',
    summary: 'A task still waits for input after its answer, or for authorization after it was given.',
    fix: 'Let the task go on once it has what it waits for.',
  },
  'conversation/not-held': {
    level: 'error',
    summary: 'The agent does not wait for an authorization where the test asks for one.',
    fix: 'Put the task into state auth-required.',
  },
  'conversation/no-explanation': {
    level: ['warning', 'error'],
    summary: 'A task waits for authorization and does not say which; an error in 1.0, which demands it.',
    fix: 'Explain in the status message what must be authorized, by whom and where.',
    source: 'A2A 0.3 §4.5',
  },
  'conversation/did-not-wait': {
    level: 'error',
    summary: 'A task that waits for authorization went on before anybody had given it.',
    fix: 'Leave it in state auth-required until the authorization is there.',
  },
  'conversation/not-subscribable': {
    level: 'warning',
    summary: 'The card declares streaming, but a task that waits for authorization cannot be subscribed to.',
    fix: 'Let clients subscribe to a task that waits for authorization, because the card declares streaming.',
    source: 'A2A 1.0 §7.6.1',
  },
} as const
