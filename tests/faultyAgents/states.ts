import { checkReply } from '../../src/checks/reply/checkReply.ts'
import { checkTaskState } from '../../src/checks/reply/checkTaskState.ts'
import {
  checkArtifact,
  checkReplyData,
  checkReplyFile,
  checkReplyState,
  checkReplyText,
} from '../../src/checks/reply/checkReceivedReply.ts'
import { faults, type Fault, type Json } from '../../src/testing/index.ts'
import { budget, type FaultyAgent } from './faultyAgent.ts'
import { agentFrom, echo10, slow10, task10 } from './baseAgents.ts'

const ending = (state: string): Fault => faults.resultField('task.status.state', state)
const parts = (...all: unknown[]): Fault => faults.resultField('message.parts', all)

/** Ends in a task with a file and data. */
const report10 = agentFrom({
  respond: () => [
    {
      artifact: {
        artifactId: 'a1',
        name: 'report',
        parts: [{ text: 'All green' }, { data: { failed: 0 } }, { raw: 'aWQK', filename: 'orders.csv' }],
      },
    },
    { state: 'completed' },
  ],
})
const artifact = (patch: Json): Fault =>
  faults.result(({ task, ...other }) => {
    if (task === undefined) return other
    const [first] = (task as { artifacts: Json[] }).artifacts
    return { task: { ...(task as Json), artifacts: [{ ...first, ...patch }] } }
  })

/** How a task ends, and how it is waited for. */
export const tasks: FaultyAgent[] = [
  {
    name: 'fails',
    finding: 'reply/task-failed',
    level: 'error',
    message: 'ended in state failed: Found it.',
    start: task10,
    fault: ending('TASK_STATE_FAILED'),
  },
  {
    name: 'rejects a greeting',
    finding: 'reply/task-rejected',
    level: 'error',
    message: 'ended in state rejected',
    start: task10,
    fault: ending('TASK_STATE_REJECTED'),
  },
  {
    name: 'cancels its own task',
    finding: 'reply/task-canceled',
    level: 'error',
    message: 'ended in state canceled',
    start: task10,
    fault: ending('TASK_STATE_CANCELED'),
  },
  {
    name: 'does not know the state of its task',
    finding: 'reply/task-unknown',
    level: 'error',
    message: 'is in state unknown',
    start: task10,
    fault: ending('TASK_STATE_UNSPECIFIED'),
  },
  {
    name: 'asks for a login that its card does not mention',
    finding: 'reply/auth-required',
    level: 'warning',
    message: 'the agent asks for authentication (auth-required): Found it.',
    start: task10,
    fault: ending('TASK_STATE_AUTH_REQUIRED'),
  },
  {
    name: 'never finishes',
    finding: 'wire/unsettled',
    level: 'error',
    message: 'still working after 1000 ms',
    path: 'status.state',
    start: slow10,
    fault: faults.resultField('status.state', 'TASK_STATE_WORKING'),
    options: { waitMs: 1000 },
  },
  {
    name: 'does not find its own task at first',
    finding: 'wire/task-lookup',
    level: 'warning',
    message: 'was not found at once: 1 of 2 calls of GetTask said not found (-32001)',
    start: slow10,
    fault: notFound(1),
  },
  {
    name: 'never finds its own task',
    finding: 'wire/task-lookup',
    level: 'error',
    message: 'but GetTask says not found (-32001), 4 tries',
    start: slow10,
    fault: notFound(Infinity),
  },
  {
    name: 'is asked for a task and answers with a message',
    finding: 'reply/no-task',
    level: 'error',
    message: 'which is not a task',
    start: task10,
    fault: faults.result(() => ({
      message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Oslo' }] },
    })),
    check: (agent) => checkTaskState(agent, ['Where?', 'completed'], budget),
  },
  {
    name: 'settles in another state than it should',
    finding: 'reply/task-state',
    level: 'error',
    message: 'is waiting in state input-required',
    start: task10,
    fault: ending('TASK_STATE_INPUT_REQUIRED'),
    check: (agent) => checkTaskState(agent, ['Where?', 'completed'], budget),
  },
  {
    name: 'hands over a task in another state',
    finding: 'reply/task-state',
    level: 'error',
    message: 'ended in state rejected',
    start: task10,
    fault: ending('TASK_STATE_REJECTED'),
    check: async (agent) => checkReplyState(await agent.send('Where?'), ['completed']),
  },
]

/** What an agent says. */
export const replies: FaultyAgent[] = [
  {
    name: 'answers with blanks',
    finding: 'reply/no-text',
    level: 'error',
    message: 'a Message without any text',
    start: echo10,
    fault: parts({ text: ' \n' }),
  },
  {
    name: 'completes its task without text',
    finding: 'reply/no-text',
    level: 'error',
    message: 'without any text, but with 1 data part',
    start: task10,
    fault: faults.result(({ task }) => {
      const { id, contextId, status } = task as { id: string; contextId: string; status: Json }
      const { message: _, ...bare } = status
      return {
        task: {
          id,
          contextId,
          status: bare,
          artifacts: [{ artifactId: 'a1', parts: [{ data: { city: 'Oslo' } }] }],
        },
      }
    }),
  },
  {
    name: 'answers with data where a text is asked for',
    finding: 'reply/no-text',
    level: 'error',
    message: 'without any text, but with 1 data part',
    start: echo10,
    fault: parts({ data: { city: 'Oslo' } }),
    check: async (agent) => checkReplyText(await agent.send('Where?'), []),
  },
  {
    name: 'answers with nothing at all',
    finding: 'reply/empty',
    level: 'error',
    message: 'a Message without any text',
    start: echo10,
    fault: parts({ text: '' }),
    check: (agent) => checkReply(agent, ['Where?'], budget),
  },
  {
    name: 'says something else',
    finding: 'reply/differs',
    level: 'error',
    message: 'the text does not contain "You said"',
    start: echo10,
    fault: parts({ text: 'As an AI model, I cannot repeat that.' }),
    check: (agent) => checkReply(agent, ['Hello', 'You said'], budget),
  },
  {
    name: 'sends other data',
    finding: 'reply/differs',
    level: 'error',
    message: 'data.failed is not 0, but is 3',
    start: report10,
    fault: faults.resultField('task.artifacts[0].parts[1].data.failed', 3),
    check: async (agent) => checkReplyData(await agent.send('Run'), [{ failed: 0 }]),
  },
  {
    name: 'sends no data',
    finding: 'reply/no-data',
    level: 'error',
    message: 'without data',
    start: report10,
    fault: artifact({ parts: [{ text: 'All green' }] }),
    check: async (agent) => checkReplyData(await agent.send('Run'), []),
  },
  {
    name: 'names its artifact otherwise',
    finding: 'reply/no-artifact',
    level: 'error',
    message: 'with the artifact "summary"',
    start: report10,
    fault: artifact({ name: 'summary' }),
    check: async (agent) => checkArtifact(await agent.send('Run'), ['report']),
  },
  {
    name: 'writes another artifact',
    finding: 'reply/artifact-differs',
    level: 'error',
    message: 'artifact "report" with the text "All red"',
    start: report10,
    fault: artifact({ parts: [{ text: 'All red' }] }),
    check: async (agent) => checkArtifact(await agent.send('Run'), ['report', 'green']),
  },
  {
    name: 'forgets the file',
    finding: 'reply/no-file',
    level: 'error',
    message: 'without files',
    start: report10,
    fault: artifact({ parts: [{ text: 'All green' }] }),
    check: async (agent) => checkReplyFile(await agent.send('Run'), [{ name: 'orders.csv' }]),
  },
]

/** Does not find the task for the first requests. */
function notFound(times: number): Fault {
  let left = times
  const json = { jsonrpc: '2.0', error: { code: -32001, message: 'Task not found' } }
  const fault = faults.method('GetTask', { json })
  return {
    reply: (own, request) =>
      request.body.includes('"GetTask"') && left-- > 0 ? (fault.reply?.(own, request) ?? own) : own,
  }
}
