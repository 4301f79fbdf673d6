export const streamFindings = {
  'stream/first-event': {
    level: 'error',
    summary: 'A 1.0 stream starts with neither the Task nor a Message.',
    fix: 'Send the Task as the first event, before any update.',
    source: 'A2A 1.0 §3.1.2',
  },
  'stream/message-in-task': {
    level: 'error',
    summary: 'A Message arrived within the stream of a 1.0 task.',
    fix: 'Send messages about a task in its status updates.',
    source: 'A2A 1.0 §3.1.2',
  },
  'stream/ids': {
    level: 'error',
    summary: 'An event belongs to a different task or context from those before it.',
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
    summary: 'Events arrived after the one that ends the stream.',
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
    summary: 'The last status update of a 0.x task does not have `"final": true`.',
    fix: 'Set "final": true in the last status update; clients of 0.x wait for it.',
    source: 'A2A 0.3 §7.2.2',
  },
  'stream/content-type': {
    level: 'error',
    summary: 'A stream has another content type, so other clients do not read it.',
    fix: 'Answer streaming calls with content-type text/event-stream.',
  },
  'stream/ended-early': {
    level: 'error',
    summary: 'The stream was closed while its task was still running.',
    fix: 'Send the final state of the task before closing the stream; check the timeouts of proxies in front of the agent.',
    source: 'A2A 0.3 §7.2, A2A 1.0 §3.1.2',
  },
  'stream/after-last-chunk': {
    level: 'warning',
    summary: 'A chunk arrived for an artifact that already had its last one.',
    fix: 'Set "lastChunk": true only in the last chunk of an artifact.',
    source: 'A2A 0.3 §7.2.3, A2A 1.0 §4.2.2',
  },
  'stream/one-piece': {
    level: ['error', 'note'],
    summary: 'All events arrived at once after a silence; an error if the test expects steps.',
    fix: 'Flush after every event, and keep proxies from buffering: `X-Accel-Buffering: no`.',
  },
  'stream/first-event-late': {
    level: 'error',
    summary: 'The first event took longer than the test allows.',
    fix: 'Send the Task, or a status update, before the work starts.',
  },
  'stream/differs-from-send': {
    level: 'error',
    summary: 'The same message gets a different text without streaming.',
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
    summary: 'The agent refuses to stream, which is correct because its card does not declare streaming.',
    fix: 'Expect it with `.not.toStream(message, { force: true })`.',
  },
  'stream/resume-refused': {
    level: 'error',
    summary: 'A running task cannot be subscribed to.',
    fix: 'Let clients subscribe to every task that is still running.',
  },
  'stream/resume-first-event': {
    level: 'error',
    summary: 'A 1.0 subscription does not start with the Task.',
    fix: 'Send the current Task as the first event of every subscription.',
    source: 'A2A 1.0 §3.1.6',
  },
  'stream/cut-cancels': {
    level: 'error',
    summary: 'The task was canceled when the connection was interrupted.',
    fix: 'Keep working when a client disconnects.',
  },
  'stream/lost': {
    level: 'error',
    summary: 'The events before and after the interruption do not add up to the task.',
    fix: 'Start a subscription with the current task, and send every later event.',
  },
} as const
