import { checkSmoke } from '../../src/checks/reply/checkSmoke.ts'
import { faults, type Fault, type Json } from '../../src/testing/index.ts'
import { budget, type Animal } from './faultyAgent.ts'
import { echo10, task10 } from './homes.ts'

const message = (change: (message: Json) => Json): Fault =>
  faults.result((result) => ({ ...result, message: change(result['message'] as Json) }))
const part = (...parts: unknown[]): Fault => faults.resultField('message.parts', parts)

/** What stands in the result of a 1.0 agent, and is read all the same. */
export const shapes: Animal[] = [
  {
    name: 'spells a state as 0.3 does',
    finding: 'wire/state-spelling',
    level: 'warning',
    says: 'state "completed" is the 0.3 spelling; this interface speaks 1.0 (expected "TASK_STATE_COMPLETED")',
    path: 'result.task.status.state',
    home: task10,
    fault: faults.resultField('task.status.state', 'completed'),
  },
  {
    name: 'spells its role as 0.3 does',
    finding: 'wire/role',
    level: 'warning',
    says: 'role "agent" is the 0.3 spelling; this interface speaks 1.0 (expected "ROLE_AGENT")',
    path: 'result.message.role',
    home: echo10,
    fault: faults.resultField('message.role', 'agent'),
  },
  {
    name: 'passes on the role of its model',
    finding: 'wire/role',
    level: 'warning',
    says: 'role "assistant" is not an A2A role',
    home: echo10,
    fault: faults.resultField('message.role', 'assistant'),
  },
  {
    name: 'has no role',
    finding: 'wire/role',
    level: 'warning',
    says: "a message has no role; it is read as the agent's",
    home: echo10,
    fault: faults.resultField('message.role', undefined),
  },
  {
    name: 'answers with the bare message',
    finding: 'wire/wrapping',
    level: 'warning',
    says: 'SendMessage result must be {"task"} or {"message"} in 1.0, got a bare message',
    path: 'result',
    home: echo10,
    fault: faults.result((result) => result['message']),
  },
  {
    name: 'wraps the message twice',
    finding: 'wire/wrapping',
    level: 'warning',
    says: 'got {"result": {"message": …}}',
    home: echo10,
    fault: faults.result((result) => ({ result })),
  },
  {
    name: 'keeps the kind of 0.3',
    finding: 'wire/kind-extra',
    level: 'warning',
    says: 'the message carries kind "message", which 1.0 does not have',
    home: echo10,
    fault: faults.resultField('message.kind', 'message'),
  },
  {
    name: 'writes parts as 0.3 does',
    finding: 'wire/part-dialect',
    level: 'warning',
    says: 'part {"kind": "text"} is the 0.3 form; this interface speaks 1.0',
    path: 'result.message.parts[0]',
    home: echo10,
    fault: part({ kind: 'text', text: 'Oslo' }),
  },
  {
    name: 'writes a part as a bare string',
    finding: 'wire/part-dialect',
    level: 'warning',
    says: 'a part is the string "Oslo" (expected an object)',
    home: echo10,
    fault: part('Oslo'),
  },
  {
    name: 'puts two contents into one part',
    finding: 'wire/part-ambiguous',
    level: 'warning',
    says: 'part has "text" and "data" (expected exactly one)',
    home: echo10,
    fault: part({ text: 'Oslo', data: { city: 'Oslo' } }),
  },
  {
    name: 'sends a part without content',
    finding: 'wire/part-empty',
    level: 'warning',
    says: 'part {"filename"} has no content that A2A knows',
    path: 'result.message.parts[1]',
    home: echo10,
    fault: part({ text: 'Oslo' }, { filename: 'map.png' }),
  },
  {
    name: 'sends one part instead of a list',
    finding: 'wire/parts-type',
    level: 'warning',
    says: 'parts is an object (expected an array of parts)',
    home: echo10,
    fault: faults.resultField('message.parts', { text: 'Oslo' }),
  },
  {
    name: 'calls its parts content',
    finding: 'wire/message-content',
    level: 'warning',
    says: 'the message has "content", the name of 0.3 over HTTP+JSON (expected "parts")',
    home: echo10,
    fault: message(({ parts, ...rest }) => ({ ...rest, content: parts })),
  },
  {
    name: 'keeps a message without parts in its history',
    finding: 'wire/no-parts',
    level: 'warning',
    says: 'the message has no parts',
    path: 'result.task.history[0]',
    home: task10,
    fault: faults.resultField('task.history[0].parts', []),
  },
  {
    name: 'writes snake_case',
    finding: 'wire/snake-case',
    level: 'warning',
    says: '"message_id" is written in snake_case (expected "messageId")',
    home: echo10,
    fault: message(({ messageId, ...rest }) => ({ ...rest, message_id: messageId })),
  },
  {
    name: 'numbers its messages',
    finding: 'wire/id-type',
    level: 'warning',
    says: 'messageId 7 is a number (expected a string)',
    home: echo10,
    fault: faults.resultField('message.messageId', 7),
  },
  {
    name: 'sends no message id',
    finding: 'wire/missing-id',
    level: 'warning',
    says: 'the message has no messageId, which 1.0 requires',
    home: echo10,
    fault: faults.resultField('message.messageId', undefined),
  },
  {
    name: 'sends no artifact id',
    finding: 'wire/missing-id',
    level: 'warning',
    says: 'the artifact has no artifactId',
    home: task10,
    fault: faults.resultField('task.artifacts[0].artifactId', undefined),
  },
  {
    name: 'leaves the zone out of its timestamp',
    finding: 'wire/timestamp',
    level: 'warning',
    says: 'timestamp "2026-01-31T12:00:00" is not an RFC 3339 time',
    path: 'result.task.status.timestamp',
    home: task10,
    fault: faults.resultField('task.status.timestamp', '2026-01-31T12:00:00'),
  },
  {
    name: 'sends one artifact instead of a list',
    finding: 'wire/list-type',
    level: 'warning',
    says: 'artifacts is no array',
    home: task10,
    fault: faults.result(({ task }) => {
      const { artifacts, ...rest } = task as { artifacts: unknown[] }
      return { task: { ...rest, artifacts: artifacts[0] } }
    }),
  },
  {
    name: 'writes its status message as a bare string',
    finding: 'wire/status-message',
    level: 'warning',
    says: 'the status message is a bare string (expected a message)',
    home: task10,
    fault: faults.resultField('task.status.message', 'Found it.'),
  },
  {
    name: 'calls the context a session',
    finding: 'wire/session-id',
    level: 'warning',
    says: '"sessionId" is the name of 0.1 (expected "contextId")',
    home: task10,
    fault: faults.result(({ task }) => {
      const { contextId, ...rest } = task as Json
      return { task: { ...rest, sessionId: contextId } }
    }),
  },
  {
    name: 'answers in another context',
    finding: 'wire/context-changed',
    level: 'warning',
    says: 'the message continued context "c1", but the answer is in context "other"',
    path: 'contextId',
    home: echo10,
    fault: faults.resultField('message.contextId', 'other'),
    check: (agent) => checkSmoke(agent, [{ contextId: 'c1' }], budget),
  },
]

/** What stands in the result of a 1.0 agent and cannot be read. */
export const unreadable: Animal[] = [
  {
    name: 'answers with neither a message nor a task',
    finding: 'wire/reply-shape',
    level: 'error',
    says: 'the result is neither a Message nor a Task: {"answer"}',
    home: echo10,
    fault: faults.result(() => ({ answer: 'Oslo' })),
  },
  {
    name: 'answers with both',
    finding: 'wire/reply-shape',
    level: 'error',
    says: 'the result has both a task and a message',
    home: task10,
    fault: faults.result((result) => ({
      ...result,
      message: { messageId: 'm', role: 'ROLE_AGENT', parts: [] },
    })),
  },
  {
    name: 'answers with nothing',
    finding: 'wire/reply-empty',
    level: 'error',
    says: 'result is empty: no task and no message',
    home: echo10,
    fault: faults.result(() => ({})),
  },
  {
    name: 'sends a task without a status',
    finding: 'wire/no-status',
    level: 'error',
    says: 'the task has no status',
    home: task10,
    fault: faults.result(({ task }) => {
      const { status: _, ...rest } = task as Json
      return { task: rest }
    }),
  },
  {
    name: 'sends a status without a state',
    finding: 'wire/no-state',
    level: 'error',
    says: 'the status has no task state',
    home: task10,
    fault: faults.resultField('task.status.state', undefined),
  },
  {
    name: 'invents a state',
    finding: 'wire/unknown-state',
    level: 'error',
    says: 'unknown task state "done"',
    home: task10,
    fault: faults.resultField('task.status.state', 'done'),
  },
  {
    name: "gives the user's own message back",
    finding: 'wire/role',
    level: 'error',
    says: 'the reply has role user',
    home: echo10,
    fault: faults.resultField('message.role', 'ROLE_USER'),
  },
  {
    name: 'invents a role',
    finding: 'wire/role',
    level: 'error',
    says: 'role "wizard" is not an A2A role',
    home: echo10,
    fault: faults.resultField('message.role', 'wizard'),
  },
  {
    name: 'hides an error in its result',
    finding: 'rpc/nested-error',
    level: 'error',
    says: 'the result holds a JSON-RPC error: "quota used up" (-32000)',
    home: echo10,
    fault: faults.result(() => ({ jsonrpc: '2.0', error: { code: -32000, message: 'quota used up' } })),
  },
]
