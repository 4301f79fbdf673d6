import { checkReply } from '../../src/checks/reply/checkReply.ts'
import { checkTaskState } from '../../src/checks/reply/checkTaskState.ts'
import { faults, type Fault, type Json } from '../../src/testing/index.ts'
import { budget, type FaultyAgent } from './faultyAgent.ts'
import { agentFrom, echo03, itself, rest03, rest10, studio01, task03 } from './baseAgents.ts'

const part = (...parts: unknown[]): Fault => faults.resultField('parts', parts)
const rest = { binding: 'HTTP+JSON' } as const

/** A2A 0.1. */
export const oldest: FaultyAgent[] = [
  {
    name: 'answers with a message, which 0.1 does not have',
    finding: 'wire/reply-kind',
    level: 'warning',
    message: 'tasks/send was answered with a message (0.1 answers with a task)',
    start: studio01,
    fault: faults.result(() => ({ role: 'agent', parts: [{ type: 'text', text: 'Oslo' }] })),
  },
  {
    name: 'uses a state of later versions',
    finding: 'wire/state-version',
    level: 'warning',
    message: 'state "auth-required" came with 0.2; this interface speaks 0.1',
    path: 'result.status.state',
    start: studio01,
    fault: faults.resultField('status.state', 'auth-required'),
    check: (agent) => checkReply(agent, ['Hello'], budget),
  },
  {
    name: 'writes parts as 0.3 does',
    finding: 'wire/part-dialect',
    level: 'warning',
    message: 'part {"kind": "text"} is the 0.3 form; this interface speaks 0.1 (expected {"type": "text"})',
    start: studio01,
    fault: faults.resultField('artifacts[0].parts', [{ kind: 'text', text: 'Oslo' }]),
  },
  {
    name: 'spells a state as 1.0 does',
    finding: 'wire/state-spelling',
    level: 'warning',
    message: 'state "TASK_STATE_COMPLETED" is the 1.0 spelling; this interface speaks 0.1',
    start: studio01,
    fault: faults.resultField('status.state', 'TASK_STATE_COMPLETED'),
  },
  {
    name: 'refuses with HTTP 400 and an error',
    finding: 'rpc/error',
    level: 'error',
    message: 'error -32000: "Authentication required"',
    start: studio01,
    fault: faults.callReply({
      status: 400,
      json: { jsonrpc: '2.0', error: { code: -32000, message: 'Authentication required' } },
    }),
  },
]

/** A2A 0.3 over JSON-RPC. */
export const third: FaultyAgent[] = [
  {
    name: 'leaves the kind out',
    finding: 'wire/kind-missing',
    level: 'warning',
    message: 'the message has no kind (0.3 requires kind "message")',
    path: 'result',
    start: echo03,
    fault: faults.resultField('kind', undefined),
  },
  {
    name: 'wraps its message as 1.0 does',
    finding: 'wire/wrapping',
    level: 'warning',
    message: 'message/send result must be the task or the message itself in 0.3, got {"message": …}',
    start: echo03,
    fault: faults.result((message) => ({ message })),
  },
  {
    name: 'spells a state as 1.0 does',
    finding: 'wire/state-spelling',
    level: 'warning',
    message: 'state "TASK_STATE_COMPLETED" is the 1.0 spelling; this interface speaks 0.3',
    start: task03,
    fault: faults.resultField('status.state', 'TASK_STATE_COMPLETED'),
  },
  {
    name: 'spells canceled with two l',
    finding: 'wire/state-spelling',
    level: 'warning',
    message: 'state "cancelled" is not a spelling of A2A (expected "canceled")',
    start: agentFrom({ dialect: '0.3', respond: () => [{ state: 'canceled' }] }),
    fault: faults.resultField('status.state', 'cancelled'),
    check: (agent) => checkTaskState(agent, ['Stop', 'canceled'], budget),
  },
  {
    name: 'writes parts as 0.1 does',
    finding: 'wire/part-dialect',
    level: 'warning',
    message: 'part {"type": "text"} is the 0.1 form; this interface speaks 0.3 (expected {"kind": "text"})',
    start: echo03,
    fault: part({ type: 'text', text: 'Oslo' }),
  },
  {
    name: 'writes parts as 1.0 does',
    finding: 'wire/part-dialect',
    level: 'warning',
    message: 'part {"text"} is the 1.0 form; this interface speaks 0.3',
    start: echo03,
    fault: part({ text: 'Oslo' }),
  },
  {
    name: 'invents a kind of part',
    finding: 'wire/part-dialect',
    level: 'warning',
    message: 'part kind "markdown" is not one of A2A (text, file, data)',
    start: echo03,
    fault: part({ kind: 'markdown', text: '*Oslo*' }),
  },
  {
    name: "keeps a file's bytes under data",
    finding: 'wire/file-data',
    level: 'warning',
    message: 'file part keeps its bytes in "data" (expected file.bytes)',
    start: echo03,
    fault: part({ kind: 'text', text: 'Here:' }, { kind: 'file', file: { name: 'a.txt', data: 'aGk=' } }),
  },
  {
    name: 'sends a file without content',
    finding: 'wire/part-empty',
    level: 'warning',
    message: 'file part has neither bytes nor a uri',
    start: echo03,
    fault: part({ kind: 'text', text: 'Here:' }, { kind: 'file', file: { name: 'a.txt' } }),
  },
  {
    name: 'sends a list as data',
    finding: 'wire/data-type',
    level: 'warning',
    message: 'data part holds an array of 2 items (0.3 allows only an object)',
    start: echo03,
    fault: part({ kind: 'text', text: 'Both:' }, { kind: 'data', data: [1, 2] }),
  },
  {
    name: 'sends a task without a context',
    finding: 'wire/missing-id',
    level: 'warning',
    message: 'the task has no contextId, which 0.3 requires',
    start: task03,
    fault: faults.resultField('contextId', undefined),
  },
]

/** HTTP+JSON of 1.0. */
export const rest1: FaultyAgent[] = [
  {
    name: 'answers with the bare task',
    finding: 'wire/wrapping',
    level: 'warning',
    message: 'must be {"task"} or {"message"} in 1.0, got a bare task',
    path: 'body',
    start: rest10,
    fault: faults.result(({ task }) => task),
  },
  {
    name: 'spells a state as 0.3 does',
    finding: 'wire/state-spelling',
    level: 'warning',
    message: 'state "completed" is the 0.3 spelling',
    path: 'body.task.status.state',
    start: rest10,
    fault: faults.resultField('task.status.state', 'completed'),
  },
  {
    name: 'answers in the envelope of JSON-RPC',
    finding: 'wire/wrapping',
    level: 'warning',
    message: 'got {"result": {"task": …}}',
    start: rest10,
    fault: faults.result((result) => ({ jsonrpc: '2.0', id: 1, result })),
  },
  {
    name: 'refuses with the error of another version',
    finding: 'rpc/error',
    level: 'error',
    message: 'SendMessage was answered with error -32602 (InvalidParams): "no parts"',
    start: rest10,
    fault: faults.callReply({ status: 400, json: { code: -32602, message: 'no parts' } }),
  },
  {
    name: 'fails with an error that A2A does not know',
    finding: 'http/status',
    level: 'error',
    message: 'answered HTTP 500: "quota used up"',
    start: rest10,
    fault: faults.callReply({
      status: 500,
      json: { error: { status: 'INTERNAL', message: 'quota used up' } },
    }),
  },
  {
    name: 'answers with no content',
    finding: 'wire/reply-empty',
    level: 'error',
    message: 'result is empty: no task and no message',
    start: rest10,
    fault: faults.callReply({ status: 200, text: '' }),
  },
]

/** HTTP+JSON of 0.3. */
export const rest3: FaultyAgent[] = [
  {
    name: 'writes snake_case',
    finding: 'wire/snake-case',
    level: 'warning',
    message: '"message_id" is written in snake_case (expected "messageId")',
    path: 'body.message.message_id',
    start: rest03,
    options: rest,
    fault: faults.result(({ message }) => {
      const { messageId, ...other } = message as Json
      return { message: { ...other, message_id: messageId } }
    }),
  },
  {
    name: 'leaves the message id out',
    finding: 'wire/missing-id',
    level: 'warning',
    message: 'the message has no messageId, which 0.3 requires',
    path: 'body.message',
    start: rest03,
    options: rest,
    fault: faults.resultField('message.messageId', undefined),
  },
  {
    name: 'cannot read the form of the proto',
    finding: 'wire/rest-body',
    level: 'warning',
    message: 'the agent could not read a message with "content" (the ProtoJSON form)',
    start: rest03,
    options: rest,
    fault: {
      reply: (own, { body }) =>
        body.includes('"content"')
          ? { status: 400, json: { code: -32602, message: 'message.parts is missing' } }
          : own,
    },
  },
]

const bare10 = agentFrom({
  card: (url) => ({
    supportedInterfaces: [
      { url: `${url}/a2a/jsonrpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0.1' },
    ],
  }),
})

/** What an agent speaks, against what its card says. */
export const dialects: FaultyAgent[] = [
  {
    name: 'speaks 0.3, though its card says 1.0',
    finding: 'wire/fallback',
    level: 'warning',
    message: 'card says 1.0, but SendMessage → -32601 and message/send works: declare protocolVersion 0.3',
    path: 'supportedInterfaces[0]',
    start: (fault) =>
      fault.length === 0
        ? agentFrom()([])
        : agentFrom({
            dialect: '0.3',
            card: (url) => ({
              url: undefined,
              protocolVersion: undefined,
              preferredTransport: undefined,
              supportedInterfaces: [
                { url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
              ],
            }),
          })([]),
    fault: itself,
  },
  {
    name: 'insists on the patch number of its version',
    finding: 'wire/version-header',
    level: 'warning',
    message: 'A2A-Version "1.0" was rejected (-32009), so "1.0.1" was sent as the card writes it',
    path: 'supportedInterfaces[0]',
    start: bare10,
    fault: {
      request(request) {
        const sent = request.headers['a2a-version']
        return {
          ...request,
          headers: { ...request.headers, 'a2a-version': sent === '1.0.1' ? '1.0' : '0.9' },
        }
      },
    },
  },
]
