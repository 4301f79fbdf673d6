export const streamFindings = {
  'stream/first-event': {
    level: 'error',
    summary: 'A stream of 1.0 begins neither with the Task nor with a Message.',
    fix: 'Send the Task as the first event, before any update of it.',
    source: 'A2A 1.0 §3.1.2',
  },
  'stream/message-in-task': {
    level: 'error',
    summary: 'A Message came within the stream of a task of 1.0.',
    fix: 'Send messages about a task in its status updates.',
    source: 'A2A 1.0 §3.1.2',
  },
  'stream/ids': {
    level: 'error',
    summary: 'An event is of another task or context than those before it.',
    fix: 'Send only events of its own task in each stream, all with the same taskId and contextId.',
    source: 'A2A 0.3 §7.2, A2A 1.0 §3.1.2',
  },
  'stream/state-regress': {
    level: 'error',
    summary: 'A task went back to submitted.',
    fix: 'Report "submitted" once, before the work starts.',
    source: 'A2A 0.3 §6.3, A2A 1.0 §3.5.2',
  },
  'stream/after-end': {
    level: 'error',
    summary: 'Something came after the event that ends the stream.',
    fix: 'Send everything before the event that ends the stream, and nothing after it.',
    source: 'A2A 0.3 §7.2.2, A2A 1.0 §3.1.2',
  },
  'stream/not-closed': {
    level: ['warning', 'error'],
    summary: 'The connection stayed open after the event that ends the stream; an error in 1.0.',
    fix: 'Close the connection after the event that ends the stream.',
    source: 'A2A 0.3 §7.2, A2A 1.0 §3.1.2',
  },
  'stream/no-final': {
    level: 'warning',
    summary: 'The last status update of a 0.x task does not say `"final": true`.',
    fix: 'Set "final": true in the last status update; clients of 0.x wait for it.',
    source: 'A2A 0.3 §7.2.2',
  },
  'stream/content-type': {
    level: 'error',
    summary: 'A stream came under another content type, which other clients do not read.',
    fix: 'Answer streaming calls with content-type text/event-stream.',
  },
  'stream/ended-early': {
    level: 'error',
    summary: 'The stream was closed while its task goes on.',
    fix: 'Send the final state of the task before closing the stream; check the timeouts of proxies in front of the agent.',
    source: 'A2A 0.3 §7.2, A2A 1.0 §3.1.2',
  },
  'stream/after-last-chunk': {
    level: 'warning',
    summary: 'A chunk came for an artifact that had its last one.',
    fix: 'Set "lastChunk": true only in the last chunk of an artifact.',
    source: 'A2A 0.3 §7.2.3, A2A 1.0 §4.2.2',
  },
  'stream/one-piece': {
    level: ['error', 'note'],
    summary: 'All events arrived at once after a silence; an error where the test asks for steps.',
    fix: 'Flush after every event, and keep proxies from buffering: `X-Accel-Buffering: no`.',
  },
  'stream/first-event-late': {
    level: 'error',
    summary: 'The first event took longer than the test allows.',
    fix: 'Send the Task, or a status update, before the work starts.',
  },
  'stream/differs-from-send': {
    level: 'error',
    summary: 'The same message gives another text without streaming.',
    fix: 'Let the stream send the whole answer, or leave out `sameAsSend`.',
  },
  'stream/undeclared': {
    level: 'warning',
    summary: 'The agent streams, but its card does not declare it.',
    fix: 'Set capabilities.streaming to true in the card, or reject the call.',
    source: 'A2A 1.0 §3.3.4',
  },
  'stream/refused': {
    level: 'error',
    summary: 'The agent refuses to stream, which is right as its card does not declare it.',
    fix: 'Expect it with `.not.toStream(message, { force: true })`.',
  },
  'stream/resume-refused': {
    level: 'error',
    summary: 'A task that goes on cannot be subscribed to.',
    fix: 'Let clients subscribe to every task that is not over.',
  },
  'stream/resume-first-event': {
    level: 'error',
    summary: 'A subscription of 1.0 does not begin with the Task.',
    fix: 'Send the Task as it is now as the first event of every subscription.',
    source: 'A2A 1.0 §3.1.6',
  },
  'stream/cut-cancels': {
    level: 'error',
    summary: 'The task was canceled when the connection was cut.',
    fix: 'Let the work go on when a client goes.',
  },
  'stream/lost': {
    level: 'error',
    summary: 'What was streamed before and after a cut is not what the task has.',
    fix: 'Begin a subscription with the task as it is now, and send every later event.',
  },
} as const
