export const replyFindings = {
  'reply/task-failed': {
    level: 'error',
    summary: 'The task ended in state failed; the reason is in the message.',
    fix: 'Fix the agent, or expect the state with `toReachTaskState`.',
  },
  'reply/task-rejected': {
    level: 'error',
    summary: 'The agent rejected the task.',
    fix: 'Let it take such a message, or expect the state with `toReachTaskState`.',
  },
  'reply/task-canceled': {
    level: 'error',
    summary: 'The task was canceled, though nobody asked for that.',
    fix: 'Let the agent end its tasks in completed or failed.',
  },
  'reply/task-unknown': {
    level: 'error',
    summary: 'The task is in state unknown, from which nothing more can be expected.',
    fix: 'Report a state that says how the task goes.',
  },
  'reply/auth-required': {
    level: 'warning',
    summary: 'The agent answers a greeting with a demand for authentication.',
    fix: 'Pass `credentials` or `headers` to a2aAgent(), or expect this state with toReachTaskState().',
  },
  'reply/no-task': {
    level: 'error',
    summary: 'A Message came where the test asks for a task.',
    fix: 'Answer with a task, or ask for the reply with `toReply`.',
  },
  'reply/task-state': {
    level: 'error',
    summary: 'The task is in another state than the test asks for.',
    fix: 'Fix the agent, or the state in the test.',
  },
  'reply/no-text': {
    level: 'error',
    summary: 'There is no text in the reply, nor any but blanks.',
    fix: 'Put the answer into a text part of the message, of an artifact or of the status message.',
  },
  'reply/empty': {
    level: 'error',
    summary: 'There is neither text nor data nor a file in the reply.',
    fix: 'Put the answer into the parts of the message or of an artifact.',
  },
  'reply/differs': {
    level: 'error',
    summary: 'The text or the data is not what the test expects; the message names the first difference.',
    fix: 'Fix the agent, or what the test expects.',
  },
  'reply/no-data': {
    level: 'error',
    summary: 'There is no data part in the reply.',
    fix: 'Answer with a data part.',
  },
  'reply/no-artifact': {
    level: 'error',
    summary: 'The reply has no artifact of that name or id.',
    fix: 'Name the artifact as the test does; the message lists those that there are.',
  },
  'reply/artifact-differs': {
    level: 'error',
    summary: 'The artifact is there, but its text or data is not what the test expects.',
    fix: 'Fix the agent, or what the test expects.',
  },
  'reply/no-file': {
    level: 'error',
    summary: 'No file of the reply is as the test describes it.',
    fix: 'Send the file, or correct what the test says of it.',
  },
} as const
