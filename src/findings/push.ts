export const pushFindings = {
  'push/none': {
    level: 'error',
    summary: 'No notification arrived, although the task has settled.',
    fix: 'Post the updates of a task to the `url` of its config; pass `publicUrl` if the agent cannot reach 127.0.0.1.',
  },
  'push/incomplete': {
    level: 'error',
    summary: 'No notification reports the state in which the task settled.',
    fix: 'Post every status change, above all the last one.',
  },
  'push/order': {
    level: 'error',
    summary: 'A notification reports an earlier state than the one before it.',
    fix: 'Wait for the answer to one notification before posting the next one of that task.',
  },
  'push/token': {
    level: ['warning', 'error'],
    summary:
      'Notifications lack the token of the config, or have a different one; a warning if the token is not required (1.0).',
    fix: 'Send the token from the config in the X-A2A-Notification-Token header of each notification.',
    source: 'A2A 0.3 §9.5',
  },
  'push/authorization': {
    level: ['warning', 'error'],
    summary:
      'Notifications lack the credentials of the config, or have different ones; a warning if a 0.x agent sends the token.',
    fix: 'Send `Authorization: {scheme} {credentials}` from the config with each notification.',
    source: 'A2A 0.3 §9.5, A2A 1.0 §4.3.3',
  },
  'push/payload': {
    level: 'error',
    summary: 'A notification is not a JSON object, or contains neither a task nor an update.',
    fix: 'Post JSON: a stream event in 1.0, the task in 0.3.',
    source: 'A2A 0.3 §9.5, A2A 1.0 §4.3.3',
  },
  'push/form': {
    level: 'warning',
    summary: 'A notification has the form of another version.',
    fix: 'Post a stream event such as `{"statusUpdate": …}` in 1.0, the task itself in 0.x.',
  },
  'push/content-type': {
    level: 'warning',
    summary: 'A notification does not declare JSON as its content type.',
    fix: 'Declare the notification as JSON; strict receivers reject everything else.',
  },
  'push/task-id': {
    level: 'error',
    summary: 'A notification names no task, or a task other than that of its config.',
    fix: 'Send each receiver updates of its own task only, with the id of that task.',
  },
  'push/artifacts': {
    level: 'warning',
    summary: 'The task has an artifact that no notification reported.',
    fix: 'Post artifact updates as well, or the whole task at the end.',
  },
  'push/config': {
    level: 'error',
    summary:
      'The agent stores a push notification config that differs from the one it received, or does not list it.',
    fix: 'Store the config exactly as the client sends it, with its task.',
  },
  'push/after-delete': {
    level: 'error',
    summary: 'A notification came after its config was deleted.',
    fix: 'Read the config again right before each notification, and post nothing if it is gone.',
    source: 'A2A 1.0 §3.1.10',
  },
} as const
