export const wireFindings = {
  'wire/address-moved': {
    level: ['warning', 'note'],
    summary:
      'The card names a loopback or bind address, so requests went to the address that reached the agent; a note if the test itself serves the agent.',
    fix: 'Put the address at which clients reach the agent into the card, or pass `endpoint`.',
  },
  'wire/relative-address': {
    level: 'warning',
    summary: "The card names a relative address, which was resolved against the card's own.",
    fix: 'Write the absolute address into the card.',
    source: 'A2A 0.3 §5.5, A2A 1.0 §4.4.6',
  },
  'wire/credentials-withheld': {
    level: 'warning',
    summary: 'The card or a redirect leads to another origin, which did not receive the credentials.',
    fix: 'List it in `trustedOrigins` if it is yours.',
  },
  'wire/last-resort': {
    level: 'warning',
    summary: "The card lists no interface that this client can call, but the agent's own address answered.",
    fix: 'Declare a JSON-RPC interface in the card, or set the options endpoint and binding.',
  },
  'wire/fallback': {
    level: 'warning',
    summary: 'The agent speaks a version other than the one that its card declares.',
    fix: 'Correct `protocolVersion` in the card, or serve the declared version.',
    source: 'A2A 1.0 §3.6.2',
  },
  'wire/version-header': {
    level: 'warning',
    summary: 'The agent accepts its version only with the patch number.',
    fix: 'Compare major and minor version only.',
    source: 'A2A 1.0 §3.6',
  },
  'wire/rest-body': {
    level: 'warning',
    summary: 'The agent does not read a message in the ProtoJSON form of 0.3 over HTTP+JSON.',
    fix: 'Accept the ProtoJSON form of A2A 0.3 over HTTP+JSON.',
    source: 'A2A 0.3 §3.2.3',
  },
  'wire/http-status': {
    level: 'warning',
    summary: 'A JSON-RPC result arrived with an HTTP error status.',
    fix: 'Answer results with HTTP 200.',
    source: 'A2A 1.0 §9.1',
  },
  'wire/content-type': {
    level: 'warning',
    summary: 'JSON or an event stream arrived with another content type.',
    fix: 'Answer with `content-type: application/json`.',
  },
  'wire/rpc-version': {
    level: 'warning',
    summary: 'The envelope does not have `"jsonrpc": "2.0"`.',
    fix: 'Write "jsonrpc": "2.0" into every response.',
    source: 'JSON-RPC 2.0 §5',
  },
  'wire/rpc-id': {
    level: ['warning', 'error'],
    summary: 'The response has no id, or one of another type; an error if it is the id of another request.',
    fix: 'Copy the id of the request into the response, with its type.',
    source: 'JSON-RPC 2.0 §5',
  },
  'wire/rpc-envelope': {
    level: 'error',
    summary: 'The answer is JSON but not a JSON-RPC response.',
    fix: 'Wrap the answer in `{"jsonrpc": "2.0", "id": …, "result": …}`.',
  },
  'wire/reply-shape': {
    level: 'error',
    summary: 'The result is neither a Message nor a Task, or it is both.',
    fix: 'Answer with exactly one of them.',
  },
  'wire/reply-empty': {
    level: 'error',
    summary: 'The result is empty.',
    fix: 'Answer with a Message or a Task.',
  },
  'wire/reply-kind': {
    level: 'warning',
    summary: 'A 0.1 agent answered with a Message; 0.1 has tasks only.',
    fix: 'Answer `tasks/send` with a task.',
  },
  'wire/wrapping': {
    level: 'warning',
    summary: 'The answer is wrapped as in another version, or wrapped twice.',
    fix: 'Answer `{"task": …}` or `{"message": …}` in 1.0, and the value itself in 0.x over JSON-RPC.',
  },
  'wire/kind-missing': {
    level: 'warning',
    summary: 'A task, message or update has no `kind`, which 0.3 requires.',
    fix: 'Add `"kind"` to each of them.',
  },
  'wire/kind-extra': {
    level: 'warning',
    summary: 'A 1.0 value has `kind`, which belongs to 0.3.',
    fix: 'Omit `kind`.',
  },
  'wire/snake-case': {
    level: 'warning',
    summary: 'A member is written in snake_case.',
    fix: 'Use camelCase, as all of A2A does.',
  },
  'wire/missing-id': {
    level: 'warning',
    summary: 'A task, message or artifact has no id, or a task has no context.',
    fix: 'Give each its own id, created once.',
  },
  'wire/id-type': {
    level: 'warning',
    summary: 'An id or a name is a number.',
    fix: 'Send it as a string.',
  },
  'wire/list-type': {
    level: 'warning',
    summary: 'A list is not an array, or contains something that does not belong in it.',
    fix: 'Send an array of objects, even for a single one.',
  },
  'wire/session-id': {
    level: 'warning',
    summary: 'The context id is called `sessionId`, as in 0.1.',
    fix: 'Call it `contextId`.',
  },
  'wire/context-changed': {
    level: ['warning', 'error'],
    summary:
      'The message continued a context, but the answer is in another; an error if the test is about contexts.',
    fix: 'Answer in the context of the message, or reject the message.',
    source: 'A2A 1.0 §3.4.1',
  },
  'wire/timestamp': {
    level: 'warning',
    summary: 'A timestamp cannot be read, or in 1.0 has no time zone.',
    fix: 'Write `2026-01-31T12:00:00.000Z`.',
  },
  'wire/no-status': {
    level: 'error',
    summary: 'A task or an update has no status.',
    fix: 'Add `status`, with a `state`.',
  },
  'wire/no-state': {
    level: 'error',
    summary: 'A status has no state.',
    fix: 'Add `state` to every status.',
  },
  'wire/unknown-state': {
    level: 'error',
    summary: 'The state is not an A2A task state.',
    fix: 'Use one of the states that the message lists.',
  },
  'wire/state-spelling': {
    level: 'warning',
    summary: 'The state is spelled as in another version, or incorrectly.',
    fix: 'Write `completed` in 0.x, `TASK_STATE_COMPLETED` in 1.0.',
  },
  'wire/state-version': {
    level: 'warning',
    summary: 'The agent uses a state from a later version than the one it speaks.',
    fix: 'Use a state of that version, or move to a later one.',
  },
  'wire/status-message': {
    level: 'warning',
    summary: 'The message of a status is a plain string.',
    fix: 'Write a message with parts.',
  },
  'wire/role': {
    level: ['warning', 'error'],
    summary:
      "The role is missing or spelled as in another version; an error if it is the user's role or unknown.",
    fix: 'Write `agent` in 0.x, `ROLE_AGENT` in 1.0.',
  },
  'wire/message-content': {
    level: 'warning',
    summary: 'The parts of a message are called `content`, as in 0.3 over HTTP+JSON.',
    fix: 'Call them `parts`.',
  },
  'wire/no-parts': {
    level: 'warning',
    summary: 'A message or an artifact has no parts.',
    fix: 'Send at least one part.',
  },
  'wire/parts-type': {
    level: 'warning',
    summary: 'The parts are not an array.',
    fix: 'Send an array, even for a single part.',
  },
  'wire/part-dialect': {
    level: 'warning',
    summary: 'A part has the form of another version, or is not an object.',
    fix: 'Write `{"kind": "text", "text": …}` in 0.3, `{"text": …}` in 1.0.',
  },
  'wire/part-empty': {
    level: 'warning',
    summary: 'A part has no content that A2A defines.',
    fix: 'Add its text, file or data, or omit the part.',
  },
  'wire/part-ambiguous': {
    level: 'warning',
    summary: 'A 1.0 part has more than one kind of content.',
    fix: 'Split it into one part for each kind of content.',
  },
  'wire/file-data': {
    level: 'warning',
    summary: 'The bytes of a file are called `data`.',
    fix: 'Call them `bytes` in 0.x, `raw` in 1.0.',
  },
  'wire/data-type': {
    level: 'warning',
    summary: 'A 0.3 data part contains something other than an object.',
    fix: 'Wrap the value in an object.',
  },
  'wire/task-lookup': {
    level: ['warning', 'error'],
    summary: 'The agent did not find a task that it had just returned; an error if it never finds it.',
    fix: 'Share the task store between workers, and store a task before returning it.',
    source: 'A2A 0.3 §7.3, A2A 1.0 §3.1.3',
  },
  'wire/unsettled': {
    level: 'error',
    summary: 'The task was still running when the wait ended.',
    fix: 'Move the task to a terminal state, or raise `waitMs`.',
  },
  'wire/stream-as-json': {
    level: 'warning',
    summary: 'A streaming call was answered with one JSON document.',
    fix: 'Answer streaming calls with content-type text/event-stream.',
  },
  'wire/stream-empty': {
    level: 'error',
    summary: 'A stream ended without any event.',
    fix: 'Send a Task or a Message before the stream is closed.',
  },
  'wire/stream-cut': {
    level: ['warning', 'error'],
    summary: 'A stream was interrupted; an error if that happened in the middle of an event.',
    fix: 'Keep the connection open until the task is interrupted or done.',
  },
  'wire/stream-encoding': {
    level: 'error',
    summary: 'A stream is not UTF-8.',
    fix: 'Encode the stream as UTF-8, and never split a character.',
  },
  'wire/sse-unterminated': {
    level: 'warning',
    summary: 'The last event of a stream does not end with an empty line, so strict readers drop it.',
    fix: 'End every event with an empty line; strict readers drop the last one otherwise.',
    source: 'WHATWG HTML §9.2.6',
  },
  'wire/event-json': {
    level: 'error',
    summary: 'An event of a stream is not JSON.',
    fix: 'Send one JSON document per event.',
  },
  'wire/foreign-task': {
    level: 'warning',
    summary: 'An event of another task arrived in the stream of this one.',
    fix: 'Send each stream the events of its own task only.',
  },
  'wire/after-end': {
    level: 'warning',
    summary: 'Events arrived after the end of a stream, or a state after a terminal one.',
    fix: 'Send everything before the event that ends the stream, and close the connection after it.',
    source: 'A2A 0.3 §7.2, A2A 1.0 §3.1.2',
  },
  'wire/silent-subscription': {
    level: 'warning',
    summary:
      'The subscription did not report that the task is done, although it was still running when the subscription started.',
    fix: 'Send every change of a task to everyone who subscribed to it.',
    source: 'A2A 0.3 §7.9, A2A 1.0 §3.1.6',
  },
  'wire/subscribe-verb': {
    level: 'note',
    summary: 'Subscribing over HTTP+JSON works with GET only; POST was tried first.',
    fix: 'Accept both verbs: the text of A2A says POST, its proto file GET.',
    source: 'A2A 1.0 §11.3.2',
  },
  'wire/page-members': {
    level: 'warning',
    summary: 'A page of tasks lacks members that 1.0 requires.',
    fix: 'Send `tasks`, `nextPageToken`, `pageSize` and `totalSize` with every page.',
  },
  'wire/no-artifact': {
    level: 'error',
    summary: 'An artifact update has no artifact.',
    fix: 'Send the artifact, or no update at all.',
  },
  'wire/append-first': {
    level: 'warning',
    summary: 'The first chunk of an artifact has `append: true`.',
    fix: 'Start an artifact with `append: false`.',
  },
  'wire/changing-artifact-ids': {
    level: 'warning',
    summary: 'Many small artifacts arrived that look like the chunks of one.',
    fix: 'Keep the `artifactId`, and append to it.',
  },
  'wire/unreadable': {
    level: 'error',
    summary: 'The answer cannot be read, for a reason that has no id of its own.',
    fix: 'Read the message and the exchange below it.',
  },
} as const
