export const taskFindings = {
  'cancel/not-canceled': {
    level: 'error',
    summary:
      'The cancel request was accepted, but the task continued, or ended in a state other than canceled.',
    fix: 'Stop the work, set the state to canceled, and answer with the task in that state.',
  },
  'cancel/late': {
    level: 'warning',
    summary: 'The cancel request was answered before the task was canceled.',
    fix: 'Answer cancel with the task as it is after canceling.',
    source: 'A2A 0.3 §7.4, A2A 1.0 §3.1.5',
  },
  'cancel/undone': {
    level: 'error',
    summary: 'The task was canceled, but was in another state a moment later.',
    fix: 'Stop the work, and let no later update change a terminal state.',
  },
  'cancel/gone': {
    level: 'warning',
    summary: 'A task is no longer found after it was canceled.',
    fix: 'Keep canceled tasks for a while, so that clients can see their final state.',
    source: 'A2A 1.0 §3.3.1',
  },
  'cancel/refused': {
    level: 'error',
    summary: 'The agent refused to cancel a running task; its reason is in the message.',
    fix: 'Let running tasks be canceled, or pass `allowRefusal: true`.',
  },
  'list/order': {
    level: 'error',
    summary: 'A task comes after one whose status is older.',
    fix: 'Sort by the timestamp of the status, newest first.',
  },
  'list/duplicate': {
    level: 'error',
    summary: 'A task is on more than one page.',
    fix: 'Page by a cursor, not by a number of tasks to skip.',
  },
  'list/lost': {
    level: 'error',
    summary: 'Small pages do not add up to the same tasks as large ones.',
    fix: 'Start each page right after the last task of the previous page.',
  },
  'list/missing-task': {
    level: 'error',
    summary: 'A task that the agent has just created is not listed.',
    fix: 'List every task that the client may see, including those that have ended.',
  },
  'list/endless': {
    level: 'error',
    summary: 'A page token was repeated, so paging never ends.',
    fix: 'Use a unique token for each page, and an empty one on the last page.',
  },
  'list/page-size': {
    level: 'error',
    summary: 'A page has more tasks than requested, or more than 50 if no size was requested.',
    fix: 'Put at most `pageSize` tasks on a page.',
  },
  'list/page-size-bounds': {
    level: 'warning',
    summary: 'The agent accepts a `pageSize` below 1 or above 100.',
    fix: 'Reject such a size with InvalidParams (-32602).',
    source: 'A2A 1.0 §3.1.4',
  },
  'list/filter': {
    level: 'error',
    summary: 'A task is listed although the filter excludes it.',
    fix: 'Apply all filters that the request names, combined.',
  },
  'list/artifacts': {
    level: 'error',
    summary: 'Artifacts are listed although not requested, or missing although requested.',
    fix: 'Include artifacts only when `includeArtifacts` is true.',
  },
  'list/history': {
    level: 'error',
    summary: 'A listed task has more history than requested.',
    fix: 'Truncate the history to the last `historyLength` messages.',
  },
  'list/total-size': {
    level: 'error',
    summary: '`totalSize` is not the number of tasks on all pages.',
    fix: 'Count all tasks that match the filters, on every page.',
  },
  'list/few-tasks': {
    level: 'note',
    summary: 'The list is too short to show order or paging.',
    fix: 'Pass `message`, which is sent first to create tasks.',
  },
} as const
