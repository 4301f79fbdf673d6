export const replyFindings = {
  'reply/task-failed': {
    level: 'error',
    summary: 'The task ended in state failed; the reason is in the message.',
    fix: 'Fix the agent, or expect the state with `toReachTaskState`.',
  },
  'reply/task-rejected': {
    level: 'error',
    summary: 'The agent rejected the task.',
    fix: 'Let the agent accept the message, or expect the state with `toReachTaskState`.',
  },
  'reply/task-canceled': {
    level: 'error',
    summary: 'The task was canceled, although nobody asked for it.',
    fix: 'Let the agent finish its tasks in completed or failed.',
  },
  'reply/task-unknown': {
    level: 'error',
    summary: 'The task is in state unknown, so nothing more can be expected of it.',
    fix: 'Report a state that describes the task.',
  },
  'reply/auth-required': {
    level: 'warning',
    summary: 'The agent answers a greeting by asking for authentication.',
    fix: 'Pass `credentials` or `headers` to a2aAgent(), or expect this state with toReachTaskState().',
  },
  'reply/no-task': {
    level: 'error',
    summary: 'The agent answered with a Message where the test expects a task.',
    fix: 'Answer with a task, or ask for the reply with `toReply`.',
  },
  'reply/task-state': {
    level: 'error',
    summary: 'The task is in a different state from the one that the test expects.',
    fix: 'Fix the agent, or the state in the test.',
  },
  'reply/no-text': {
    level: 'error',
    summary: 'The reply has no text, or only white space.',
    fix: 'Put the answer into a text part of the message, of an artifact or of the status message.',
  },
  'reply/empty': {
    level: 'error',
    summary: 'The reply has no text, no data and no file.',
    fix: 'Put the answer into the parts of the message or of an artifact.',
  },
  'reply/differs': {
    level: 'error',
    summary: 'The text or the data is not what the test expects; the message names the first difference.',
    fix: 'Fix the agent, or what the test expects.',
  },
  'reply/no-data': {
    level: 'error',
    summary: 'The reply has no data part.',
    fix: 'Answer with a data part.',
  },
  'reply/no-artifact': {
    level: 'error',
    summary: 'The reply has no artifact of that name or id.',
    fix: 'Name the artifact as the test does; the message lists the existing ones.',
  },
  'reply/artifact-differs': {
    level: 'error',
    summary: 'The artifact exists, but its text or data is not what the test expects.',
    fix: 'Fix the agent, or what the test expects.',
  },
  'reply/no-file': {
    level: 'error',
    summary: 'No file of the reply matches what the test expects.',
    fix: 'Send the file, or correct the expectation.',
  },
} as const
