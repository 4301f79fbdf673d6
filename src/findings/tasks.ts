export const taskFindings = {
  'cancel/not-canceled': {
    level: 'error',
    summary: 'Cancel was acknowledged, but the task went on, or ended in another state than canceled.',
    fix: 'Stop the work, write the state canceled, and answer with the task in that state.',
  },
  'cancel/late': {
    level: 'warning',
    summary: 'Cancel was answered before the task was canceled.',
    fix: 'Answer cancel with the task as it is after canceling.',
    source: 'A2A 0.3 §7.4, A2A 1.0 §3.1.5',
  },
  'cancel/undone': {
    level: 'error',
    summary: 'The task was canceled, and is in another state a moment later.',
    fix: 'Stop the work, and let no later update change a terminal state.',
  },
  'cancel/gone': {
    level: 'warning',
    summary: 'A task is no longer found once it is canceled.',
    fix: 'Keep canceled tasks for a while, so that clients can see their final state.',
    source: 'A2A 1.0 §3.3.1',
  },
  'cancel/refused': {
    level: 'error',
    summary: 'The agent refused to cancel a task that was going on; its words are in the message.',
    fix: 'Let tasks be canceled while they go on, or pass `allowRefusal: true`.',
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
    summary: 'Small pages add up to other tasks than large ones.',
    fix: 'Start each page right after the last task of the previous page.',
  },
  'list/missing-task': {
    level: 'error',
    summary: 'A task that the agent has just made is not listed.',
    fix: 'List every task that the client may see, including those that have ended.',
  },
  'list/endless': {
    level: 'error',
    summary: 'A page token came twice, so that paging never ends.',
    fix: 'Give each page a token of its own, and an empty one on the last.',
  },
  'list/page-size': {
    level: 'error',
    summary: 'A page has more tasks than were asked for, or more than 50 where nothing was said.',
    fix: 'Put at most `pageSize` tasks on a page.',
  },
  'list/page-size-bounds': {
    level: 'warning',
    summary: 'A `pageSize` below 1 or above 100 is taken.',
    fix: 'Reject such a size with InvalidParams (-32602).',
    source: 'A2A 1.0 §3.1.4',
  },
  'list/filter': {
    level: 'error',
    summary: 'A task is listed that a filter should have kept out.',
    fix: 'Apply every filter that the request names, and all together.',
  },
  'list/artifacts': {
    level: 'error',
    summary: 'Artifacts are listed though nobody asked, or left out though somebody did.',
    fix: 'List them when `includeArtifacts` is true, and only then.',
  },
  'list/history': {
    level: 'error',
    summary: 'A listed task has more history than was asked for.',
    fix: 'Cut the history to the last `historyLength` messages.',
  },
  'list/total-size': {
    level: 'error',
    summary: '`totalSize` is not the number of tasks that all pages hold together.',
    fix: 'Count all tasks that match the filters, on every page.',
  },
  'list/few-tasks': {
    level: 'note',
    summary: 'The list is too short to show order or paging.',
    fix: 'Pass `message`, which is sent first to create tasks.',
  },
} as const
