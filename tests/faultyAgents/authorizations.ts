import type { A2AAgent } from '../../src/agent/types.ts'
import {
  checkWaitForAuthorization,
  type WaitForAuthorizationOptions,
} from '../../src/checks/multiTurn/checkWaitForAuthorization.ts'
import { faults, startAgentFrom, startDeployer, type Fault, type Json } from '../../src/testing/index.ts'
import type { Verdict } from '../../src/checks/verdict.ts'
import { manualClock } from '../support/manualClock.ts'
import { budget, type FaultyAgent, type StartAgent } from './faultyAgent.ts'

const token = { headers: { authorization: 'Bearer dpl_test_7c1e4b' } }

/** Deploys once an operator allows it, and notifies subscribers. */
const deployer: StartAgent = async (fault) => ({ ...(await startDeployer({ fault })), options: token })
/** The same without streaming, so that it is polled. */
const polled: StartAgent = async (fault) => ({
  ...(await startDeployer({ fault: [faults.card('capabilities.streaming', false), ...fault] })),
  options: token,
})
/** An agent of 0.3 that waits for an operator. */
const deployer03: StartAgent = (fault) => {
  let approve = (): void => {}
  const approved = new Promise<void>((resolve) => (approve = resolve))
  return startAgentFrom({
    dialect: '0.3',
    fault,
    async *respond() {
      yield { state: 'auth-required', text: 'An operator must allow this.' }
      await approved
      yield { state: 'completed', text: 'It is live on staging' }
    },
    routes: {
      'POST /approve': () => {
        approve()
        return { json: {} }
      },
    },
  })
}

const allowed =
  (
    more: Partial<WaitForAuthorizationOptions> = {},
    path: (id: string) => string = (id) => `/approve/${id}`,
  ) =>
  (agent: A2AAgent): Promise<Verdict> => {
    const approve = ({ id }: { id: string }): unknown => fetch(agent.url + path(id), { method: 'POST' })
    const args = ['Deploy build 7', { approve, ...more }] as const
    return checkWaitForAuthorization(agent, args, budget, undefined, manualClock({ auto: true }))
  }

/** Changes the task wherever it is handed out as a whole. */
const ofTask = (change: (task: Json) => Json): Fault =>
  faults.result((result) => {
    if (result.task !== undefined) return { task: change(result.task as Json) }
    return result.status !== undefined && result.id !== undefined ? change(result) : result
  })
const status = (of: Json): { state: string; message?: unknown } => of.status as { state: string }
const turning = (from: string, to: string): Fault =>
  ofTask((task) => (status(task).state === from ? { ...task, status: { ...status(task), state: to } } : task))
const unexplained = ofTask((task) => ({ ...task, status: { state: status(task).state } }))

/** Agents that wait for an authorization. */
export const authorizations: FaultyAgent[] = [
  {
    name: 'deploys without asking for an authorization',
    finding: 'conversation/not-held',
    level: 'error',
    message: 'no request for authorization: task',
    start: deployer,
    fault: turning('TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_COMPLETED'),
    check: allowed(),
  },
  {
    name: 'asks the client for an authorization as for any input',
    finding: 'conversation/not-held',
    level: 'error',
    message: 'is waiting in state input-required',
    start: deployer,
    fault: turning('TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_INPUT_REQUIRED'),
    check: allowed(),
  },
  {
    name: 'does not say what is to be authorized',
    finding: 'conversation/no-explanation',
    level: 'error',
    message: 'has no status message that says what for',
    start: deployer,
    fault: unexplained,
    check: allowed(),
  },
  {
    name: 'does not say what is to be authorized, in 0.3',
    finding: 'conversation/no-explanation',
    level: 'warning',
    message: 'has no status message that says what for',
    start: deployer03,
    fault: unexplained,
    check: allowed({}, () => '/approve'),
  },
  {
    name: 'asks for an authorization and continues without it',
    finding: 'conversation/did-not-wait',
    level: 'error',
    message: 'reached state completed before it was authorized',
    start: deployer,
    fault: faults.result((result, { body }) =>
      body.includes('"GetTask"') ? { ...result, status: { state: 'TASK_STATE_COMPLETED' } } : result,
    ),
    check: allowed(),
  },
  {
    name: 'ignores the authorization',
    finding: 'conversation/still-waiting',
    level: 'error',
    message: 'is still waiting in state auth-required 60000 ms after approve() was called (65 polls)',
    start: polled,
    fault: { request: (request) => ({ ...request, path: request.path.replace('/approve/', '/deny/') }) },
    check: allowed(),
  },
  {
    name: 'is authorized and never gets done',
    finding: 'wire/unsettled',
    level: 'error',
    message: 'still working 60000 ms after approve() was called',
    start: polled,
    fault: turning('TASK_STATE_COMPLETED', 'TASK_STATE_WORKING'),
    check: allowed(),
  },
  {
    name: 'is authorized and fails',
    finding: 'reply/task-state',
    level: 'error',
    message: 'once authorized: task',
    start: polled,
    fault: turning('TASK_STATE_COMPLETED', 'TASK_STATE_FAILED'),
    check: allowed(),
  },
  {
    name: 'is authorized and has a question',
    finding: 'reply/task-state',
    level: 'error',
    message: 'is waiting in state input-required',
    start: polled,
    fault: turning('TASK_STATE_COMPLETED', 'TASK_STATE_INPUT_REQUIRED'),
    check: allowed(),
  },
  {
    name: 'is authorized and does something else',
    finding: 'reply/differs',
    level: 'error',
    message: 'the text does not match /live/',
    start: polled,
    fault: ofTask((task) => {
      const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Rolled back' }] }
      return status(task).state === 'TASK_STATE_COMPLETED'
        ? { ...task, status: { ...status(task), message } }
        : task
    }),
    check: allowed({ expected: /live/ }),
  },
  {
    name: 'streams, but not what waits for an authorization',
    finding: 'conversation/not-subscribable',
    level: 'warning',
    message: 'waits for authorization, but cannot be subscribed to: ',
    start: deployer,
    fault: faults.method('SubscribeToTask', {
      json: { jsonrpc: '2.0', error: { code: -32004, message: 'The task is not being worked on' } },
    }),
    check: allowed(),
  },
  {
    name: 'loses the task while it waits',
    finding: 'rpc/error',
    level: 'error',
    message: 'Task not found',
    start: polled,
    fault: faults.method('GetTask', {
      json: { jsonrpc: '2.0', error: { code: -32001, message: 'Task not found' } },
    }),
    check: allowed(),
  },
]
