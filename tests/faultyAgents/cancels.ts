import { checkCancel, type CancelOptions } from '../../src/checks/tasks/checkCancel.ts'
import { faults, startSlowAgent, type Fault, type Json } from '../../src/testing/index.ts'
import { budget, type FaultyAgent, type StartAgent } from './faultyAgent.ts'
import { errorOf, methodOf, onResult } from './methods.ts'

/** Works until it is canceled. */
const slow10: StartAgent = (fault) => startSlowAgent({ fault })
const slow03: StartAgent = (fault) => startSlowAgent({ fault, dialect: '0.3' })

const check =
  (options: CancelOptions = {}): Required<FaultyAgent>['check'] =>
  (agent) =>
    checkCancel(agent, ['Think', { stayMs: 1, ...options }], budget)

/** Says that a task is in this state, whatever it is in. */
const saying = (state: string, ...methods: string[]): Fault =>
  onResult(methods, (task) => ({ ...task, status: { ...(task['status'] as Json), state } }))

/** Refuses to cancel a working task. */
const refusing = (cancel: string, get: string, state: string): Fault[] => [
  errorOf(cancel, -32002, 'Deployments cannot be stopped'),
  saying(state, get),
]

/** How agents handle a cancel. */
export const cancels: FaultyAgent[] = [
  {
    name: 'acknowledges a cancel and works on',
    finding: 'cancel/not-canceled',
    level: 'error',
    message:
      'CancelTask returned state working; expected canceled or TaskNotCancelableError; the task is still working',
    start: slow10,
    fault: saying('TASK_STATE_WORKING', 'CancelTask', 'GetTask'),
    check: check({ cancelMs: 60 }),
  },
  {
    name: 'acknowledges a cancel and completes the task',
    finding: 'cancel/not-canceled',
    level: 'error',
    message:
      'tasks/cancel returned state working; expected canceled or TaskNotCancelableError; the task then ended in state completed',
    start: slow03,
    fault: [saying('working', 'tasks/cancel'), saying('completed', 'tasks/get')],
    check: check(),
  },
  {
    name: 'takes a cancel for a failure',
    finding: 'cancel/not-canceled',
    level: 'error',
    message: 'CancelTask returned state failed; expected canceled or TaskNotCancelableError',
    start: slow10,
    fault: saying('TASK_STATE_FAILED', 'CancelTask'),
    check: check(),
  },
  {
    name: 'answers before the task is canceled',
    finding: 'cancel/late',
    level: 'warning',
    message: 'CancelTask returned state working; the task was canceled',
    start: slow10,
    fault: saying('TASK_STATE_WORKING', 'CancelTask'),
    check: check(),
  },
  {
    name: 'completes a task that was canceled',
    finding: 'cancel/undone',
    level: 'error',
    message: 'was canceled, but 1 ms later it is completed',
    start: slow10,
    fault: saying('TASK_STATE_COMPLETED', 'GetTask'),
    check: check(),
  },
  {
    name: 'keeps working on a canceled task',
    finding: 'cancel/undone',
    level: 'error',
    message: 'was canceled, but 1 ms later it is working',
    start: slow03,
    fault: saying('working', 'tasks/get'),
    check: check(),
  },
  {
    name: 'forgets a canceled task at once',
    finding: 'cancel/gone',
    level: 'warning',
    message: 'is no longer found (-32001)',
    start: slow10,
    fault: errorOf('GetTask', -32001, 'Task not found'),
    check: check(),
  },
  {
    name: 'cancels nothing',
    finding: 'cancel/refused',
    level: 'error',
    message: 'Deployments cannot be stopped',
    start: slow10,
    fault: refusing('CancelTask', 'GetTask', 'TASK_STATE_WORKING'),
    check: check(),
  },
  {
    name: 'of 0.3 cancels nothing',
    finding: 'cancel/refused',
    level: 'error',
    message: 'which is working',
    start: slow03,
    fault: refusing('tasks/cancel', 'tasks/get', 'working'),
    check: check(),
  },
  {
    name: 'does not find the task to cancel',
    finding: 'rpc/error',
    level: 'error',
    message: 'TaskNotFound',
    start: slow10,
    fault: errorOf('CancelTask', -32001, 'Task not found'),
    check: check(),
  },
  {
    name: 'fails at a cancel',
    finding: 'rpc/error',
    level: 'error',
    message: 'InternalError',
    start: slow03,
    fault: errorOf('tasks/cancel', -32603, 'Internal error'),
    check: check(),
  },
  {
    name: 'answers a cancel without a task',
    finding: 'wire/reply-empty',
    level: 'error',
    message: 'result is empty: no task',
    start: slow10,
    fault: faults.result((result, request) => (methodOf(request) === 'CancelTask' ? {} : result)),
    check: check(),
  },
]
