export const pushFindings = {
  'push/none': {
    level: 'error',
    summary: 'No notification came, though the task has settled.',
    fix: 'Post the news of a task to the `url` of its config; pass `publicUrl` where the agent cannot reach 127.0.0.1.',
  },
  'push/incomplete': {
    level: 'error',
    summary: 'No notification tells the state in which the task settled.',
    fix: 'Post every status change, above all the last one.',
  },
  'push/order': {
    level: 'error',
    summary: 'A notification tells what was so before the one that came earlier.',
    fix: 'Wait for the answer to one notification before posting the next one of that task.',
  },
  'push/token': {
    level: ['warning', 'error'],
    summary: 'The token of the config is not shown, or another; a warning where 1.0 does not demand it.',
    fix: 'Send the token of the config in the header X-A2A-Notification-Token with each notification.',
    source: 'A2A 0.3 §9.5',
  },
  'push/authorization': {
    level: ['warning', 'error'],
    summary:
      'The credentials of the config are not shown, or others; a warning where a 0.x agent shows the token.',
    fix: 'Send `Authorization: {scheme} {credentials}` from the authentication of the config with each notification.',
    source: 'A2A 0.3 §9.5, A2A 1.0 §4.3.3',
  },
  'push/payload': {
    level: 'error',
    summary: 'A notification is no JSON object, or tells neither a task nor an update.',
    fix: 'Post JSON: a stream event in 1.0, the task in 0.3.',
    source: 'A2A 0.3 §9.5, A2A 1.0 §4.3.3',
  },
  'push/form': {
    level: 'warning',
    summary: 'A notification is written as another version does.',
    fix: 'Post `{"statusUpdate": …}` and its like in 1.0, the bare task in 0.x.',
  },
  'push/content-type': {
    level: 'warning',
    summary: 'A notification does not say that it is JSON.',
    fix: 'Declare the notification as JSON; strict receivers reject everything else.',
  },
  'push/task-id': {
    level: 'error',
    summary: 'A notification names another task than the one of its config, or none.',
    fix: 'Send each receiver updates of its own task only, with the id of that task.',
  },
  'push/artifacts': {
    level: 'warning',
    summary: 'The task has an artifact that no notification told of.',
    fix: 'Post artifact updates as well, or the whole task at its end.',
  },
  'push/config': {
    level: 'error',
    summary: 'The agent keeps another push notification config than it was given, or does not list it.',
    fix: 'Keep it as the client gives it, by its task.',
  },
  'push/after-delete': {
    level: 'error',
    summary: 'A notification came after its config was deleted.',
    fix: 'Read the config again right before each notification, and post nothing if it is gone.',
    source: 'A2A 1.0 §3.1.10',
  },
} as const
