import { checkSmoke } from '../../src/checks/reply/checkSmoke.ts'
import { faults, type Fault, type Json } from '../../src/testing/index.ts'
import { budget, type FaultyAgent } from './faultyAgent.ts'
import { echo10, task10 } from './baseAgents.ts'

const message = (change: (message: Json) => Json): Fault =>
  faults.result((result) => ({ ...result, message: change(result['message'] as Json) }))
const part = (...parts: unknown[]): Fault => faults.resultField('message.parts', parts)

/** Faulty results of a 1.0 agent that are read anyway. */
export const shapes: FaultyAgent[] = [
  {
    name: 'spells a state as 0.3 does',
    finding: 'wire/state-spelling',
    level: 'warning',
    message:
      'state "completed" is the 0.3 spelling; this interface speaks 1.0 (expected "TASK_STATE_COMPLETED")',
    path: 'result.task.status.state',
    start: task10,
    fault: faults.resultField('task.status.state', 'completed'),
  },
  {
    name: 'spells its role as 0.3 does',
    finding: 'wire/role',
    level: 'warning',
    message: 'role "agent" is the 0.3 spelling; this interface speaks 1.0 (expected "ROLE_AGENT")',
    path: 'result.message.role',
    start: echo10,
    fault: faults.resultField('message.role', 'agent'),
  },
  {
    name: 'passes on the role of its model',
    finding: 'wire/role',
    level: 'warning',
    message: 'role "assistant" is not an A2A role',
    start: echo10,
    fault: faults.resultField('message.role', 'assistant'),
  },
  {
    name: 'has no role',
    finding: 'wire/role',
    level: 'warning',
    message: "a message has no role; it is read as the agent's",
    start: echo10,
    fault: faults.resultField('message.role', undefined),
  },
  {
    name: 'answers with the bare message',
    finding: 'wire/wrapping',
    level: 'warning',
    message: 'SendMessage result must be {"task"} or {"message"} in 1.0, got a bare message',
    path: 'result',
    start: echo10,
    fault: faults.result((result) => result['message']),
  },
  {
    name: 'wraps the message twice',
    finding: 'wire/wrapping',
    level: 'warning',
    message: 'got {"result": {"message": …}}',
    start: echo10,
    fault: faults.result((result) => ({ result })),
  },
  {
    name: 'keeps the kind of 0.3',
    finding: 'wire/kind-extra',
    level: 'warning',
    message: 'the message carries kind "message", which 1.0 does not have',
    start: echo10,
    fault: faults.resultField('message.kind', 'message'),
  },
  {
    name: 'writes parts as 0.3 does',
    finding: 'wire/part-dialect',
    level: 'warning',
    message: 'part {"kind": "text"} is the 0.3 form; this interface speaks 1.0',
    path: 'result.message.parts[0]',
    start: echo10,
    fault: part({ kind: 'text', text: 'Oslo' }),
  },
  {
    name: 'writes a part as a bare string',
    finding: 'wire/part-dialect',
    level: 'warning',
    message: 'a part is the string "Oslo" (expected an object)',
    start: echo10,
    fault: part('Oslo'),
  },
  {
    name: 'puts two contents into one part',
    finding: 'wire/part-ambiguous',
    level: 'warning',
    message: 'part has "text" and "data" (expected exactly one)',
    start: echo10,
    fault: part({ text: 'Oslo', data: { city: 'Oslo' } }),
  },
  {
    name: 'sends a part without content',
    finding: 'wire/part-empty',
    level: 'warning',
    message: 'part {"filename"} has no content that A2A knows',
    path: 'result.message.parts[1]',
    start: echo10,
    fault: part({ text: 'Oslo' }, { filename: 'map.png' }),
  },
  {
    name: 'sends one part instead of a list',
    finding: 'wire/parts-type',
    level: 'warning',
    message: 'parts is an object (expected an array of parts)',
    start: echo10,
    fault: faults.resultField('message.parts', { text: 'Oslo' }),
  },
  {
    name: 'calls its parts content',
    finding: 'wire/message-content',
    level: 'warning',
    message: 'the message has "content", the name of 0.3 over HTTP+JSON (expected "parts")',
    start: echo10,
    fault: message(({ parts, ...rest }) => ({ ...rest, content: parts })),
  },
  {
    name: 'keeps a message without parts in its history',
    finding: 'wire/no-parts',
    level: 'warning',
    message: 'the message has no parts',
    path: 'result.task.history[0]',
    start: task10,
    fault: faults.resultField('task.history[0].parts', []),
  },
  {
    name: 'writes snake_case',
    finding: 'wire/snake-case',
    level: 'warning',
    message: '"message_id" is written in snake_case (expected "messageId")',
    start: echo10,
    fault: message(({ messageId, ...rest }) => ({ ...rest, message_id: messageId })),
  },
  {
    name: 'numbers its messages',
    finding: 'wire/id-type',
    level: 'warning',
    message: 'messageId 7 is a number (expected a string)',
    start: echo10,
    fault: faults.resultField('message.messageId', 7),
  },
  {
    name: 'sends no message id',
    finding: 'wire/missing-id',
    level: 'warning',
    message: 'the message has no messageId, which 1.0 requires',
    start: echo10,
    fault: faults.resultField('message.messageId', undefined),
  },
  {
    name: 'sends no artifact id',
    finding: 'wire/missing-id',
    level: 'warning',
    message: 'the artifact has no artifactId',
    start: task10,
    fault: faults.resultField('task.artifacts[0].artifactId', undefined),
  },
  {
    name: 'leaves the zone out of its timestamp',
    finding: 'wire/timestamp',
    level: 'warning',
    message: 'timestamp "2026-01-31T12:00:00" is not an RFC 3339 time',
    path: 'result.task.status.timestamp',
    start: task10,
    fault: faults.resultField('task.status.timestamp', '2026-01-31T12:00:00'),
  },
  {
    name: 'sends one artifact instead of a list',
    finding: 'wire/list-type',
    level: 'warning',
    message: 'artifacts is not an array',
    start: task10,
    fault: faults.result(({ task }) => {
      const { artifacts, ...rest } = task as { artifacts: unknown[] }
      return { task: { ...rest, artifacts: artifacts[0] } }
    }),
  },
  {
    name: 'writes its status message as a bare string',
    finding: 'wire/status-message',
    level: 'warning',
    message: 'the status message is a bare string (expected a message)',
    start: task10,
    fault: faults.resultField('task.status.message', 'Found it.'),
  },
  {
    name: 'calls the context a session',
    finding: 'wire/session-id',
    level: 'warning',
    message: '"sessionId" is the name of 0.1 (expected "contextId")',
    start: task10,
    fault: faults.result(({ task }) => {
      const { contextId, ...rest } = task as Json
      return { task: { ...rest, sessionId: contextId } }
    }),
  },
  {
    name: 'answers in another context',
    finding: 'wire/context-changed',
    level: 'warning',
    message: 'the message continued context "c1", but the answer is in context "other"',
    path: 'contextId',
    start: echo10,
    fault: faults.resultField('message.contextId', 'other'),
    check: (agent) => checkSmoke(agent, [{ contextId: 'c1' }], budget),
  },
]

/** Faulty results of a 1.0 agent that cannot be read. */
export const unreadable: FaultyAgent[] = [
  {
    name: 'answers with neither a message nor a task',
    finding: 'wire/reply-shape',
    level: 'error',
    message: 'the result is neither a Message nor a Task: {"answer"}',
    start: echo10,
    fault: faults.result(() => ({ answer: 'Oslo' })),
  },
  {
    name: 'answers with both',
    finding: 'wire/reply-shape',
    level: 'error',
    message: 'the result has both a task and a message',
    start: task10,
    fault: faults.result((result) => ({
      ...result,
      message: { messageId: 'm', role: 'ROLE_AGENT', parts: [] },
    })),
  },
  {
    name: 'answers with nothing',
    finding: 'wire/reply-empty',
    level: 'error',
    message: 'result is empty: no task and no message',
    start: echo10,
    fault: faults.result(() => ({})),
  },
  {
    name: 'sends a task without a status',
    finding: 'wire/no-status',
    level: 'error',
    message: 'the task has no status',
    start: task10,
    fault: faults.result(({ task }) => {
      const { status: _, ...rest } = task as Json
      return { task: rest }
    }),
  },
  {
    name: 'sends a status without a state',
    finding: 'wire/no-state',
    level: 'error',
    message: 'the status has no task state',
    start: task10,
    fault: faults.resultField('task.status.state', undefined),
  },
  {
    name: 'invents a state',
    finding: 'wire/unknown-state',
    level: 'error',
    message: 'unknown task state "done"',
    start: task10,
    fault: faults.resultField('task.status.state', 'done'),
  },
  {
    name: "gives the user's own message back",
    finding: 'wire/role',
    level: 'error',
    message: 'the reply has role user',
    start: echo10,
    fault: faults.resultField('message.role', 'ROLE_USER'),
  },
  {
    name: 'invents a role',
    finding: 'wire/role',
    level: 'error',
    message: 'role "wizard" is not an A2A role',
    start: echo10,
    fault: faults.resultField('message.role', 'wizard'),
  },
  {
    name: 'hides an error in its result',
    finding: 'rpc/nested-error',
    level: 'error',
    message: 'the result holds a JSON-RPC error: "quota used up" (-32000)',
    start: echo10,
    fault: faults.result(() => ({ jsonrpc: '2.0', error: { code: -32000, message: 'quota used up' } })),
  },
]
