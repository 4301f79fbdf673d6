import { checkPush, type PushOptions } from '../../src/checks/push/checkPush.ts'
import {
  faults,
  startAgentFrom,
  type Delivery,
  type Fault,
  type Json,
  type Step,
} from '../../src/testing/index.ts'
import { budget, type FaultyAgent, type StartAgent } from './faultyAgent.ts'
import { agentFrom } from './baseAgents.ts'
import { methodOf, onResult } from './methods.ts'

const card = { capabilities: { streaming: true, pushNotifications: true } }
const respond = (): Step[] => [
  { state: 'working', text: 'Looking it up' },
  { artifact: { artifactId: 'a1', name: 'answer', parts: [{ text: 'Oslo' }] } },
  { state: 'completed' },
]
const push10 = agentFrom({ card, respond })
const push03 = agentFrom({ card, respond, dialect: '0.3' })

/** Works on a task only once somebody has asked for this, however often messages came before that. */
function waitingFor(method: string): StartAgent {
  return async (fault) => {
    let go = (): void => {}
    let gate = Promise.resolve()
    let sends = 0
    let deleted = false
    const watch: Fault = {
      request(request) {
        const called = methodOf(request) ?? ''
        deleted ||= called.startsWith('Delete')
        // A second message is the one whose receiver is deleted.
        if (called === 'SendMessage' && (++sends > 1 || method.startsWith('Create'))) {
          gate = new Promise((resolve) => (go = resolve))
        }
        if (called === method && (deleted || method.startsWith('Create'))) go()
        return request
      },
    }
    return startAgentFrom({ card, respond, pace: () => gate, fault: [watch, ...fault] })
  }
}

const secret = { token: 'tok-4711' }
const bearer = { authentication: { scheme: 'Bearer', credentials: 'cb-secret-1' } }

/** Notifications may take a while; `missed` is how long to wait for a broken agent that never posts the end, in ms. */
const check =
  (options: PushOptions = {}, missed = 10_000): Required<FaultyAgent>['check'] =>
  (agent, which) =>
    checkPush(agent, ['Where?', { deliveryMs: which === 'broken' ? missed : 10_000, ...options }], budget)
/** A broken agent posts nothing at all, or something else than the end. */
const [nothing, noEnd] = [150, 1000]

const each = (change: (delivery: Delivery, body: Json) => Partial<Delivery> | undefined): Fault =>
  faults.push((delivery) => {
    const changed = change(delivery, structuredClone(delivery.body as Json))
    return changed === undefined ? [] : [{ ...delivery, ...changed }]
  })
const without = (...names: string[]): Fault =>
  each(({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
  }))
const header = (name: string, value: string): Fault =>
  each(({ headers }) => ({ headers: { ...headers, [name]: value } }))
const stateOf = (body: Json): unknown =>
  ((body['statusUpdate'] ?? body['task'] ?? body) as { status?: { state?: unknown } }).status?.state

/** What agents post about their tasks. */
export const pushes: FaultyAgent[] = [
  {
    name: 'of 1.0 posts nothing',
    finding: 'push/none',
    level: 'error',
    message: 'no push notification within 150 ms',
    start: push10,
    fault: each(() => undefined),
    check: check({}, nothing),
  },
  {
    name: 'of 0.3 posts nothing',
    finding: 'push/none',
    level: 'error',
    message: 'no push notification within 150 ms',
    start: push03,
    fault: each(() => undefined),
    check: check({}, nothing),
  },
  {
    name: 'never posts the end',
    finding: 'push/incomplete',
    level: 'error',
    message: 'no notification within 1000 ms says so: of 3 notifications the last one says working',
    start: push10,
    fault: each((_, body) => (stateOf(body) === 'TASK_STATE_COMPLETED' ? undefined : {})),
    check: check({}, noEnd),
  },
  {
    name: 'posts artifacts and no status',
    finding: 'push/incomplete',
    level: 'error',
    message: 'of 1 notification none of them has a status',
    start: push10,
    fault: each((_, body) => ('artifactUpdate' in body ? {} : undefined)),
    check: check({}, noEnd),
  },
  {
    name: 'of 0.3 posts the end before the work',
    finding: 'push/order',
    level: 'error',
    message: 'working was posted after completed',
    start: push03,
    fault: faults.swapPushes(),
    check: check(),
  },
  {
    name: 'of 1.0 posts the second event first',
    finding: 'push/order',
    level: 'error',
    message: 'submitted was posted after working',
    start: push10,
    fault: faults.swapPushes(),
    check: check(),
  },
  {
    name: 'posts an older status after a newer one',
    finding: 'push/order',
    level: 'error',
    message: 'which is newer',
    start: push03,
    fault: each((_, body) => ({
      body: {
        ...body,
        status: {
          ...(body['status'] as Json),
          timestamp: stateOf(body) === 'completed' ? '2026-01-01T00:00:00.000Z' : '2026-01-01T00:00:01.000Z',
        },
      },
    })),
    check: check(),
  },
  {
    name: 'of 0.3 does not show the token',
    finding: 'push/token',
    level: 'error',
    message: 'X-A2A-Notification-Token missing (2 of 2 notifications)',
    start: push03,
    fault: without('x-a2a-notification-token'),
    check: check(secret),
  },
  {
    name: 'shows another token',
    finding: 'push/token',
    level: 'error',
    message: 'X-A2A-Notification-Token is not the token from the config (4 of 4 notifications)',
    start: push10,
    fault: header('x-a2a-notification-token', 'tok-4712'),
    check: check({ ...secret, ...bearer }),
  },
  {
    name: 'of 1.0 has only a token, and does not send it',
    finding: 'push/token',
    level: 'warning',
    message: 'X-A2A-Notification-Token missing',
    start: push10,
    fault: without('x-a2a-notification-token'),
    check: check(secret),
  },
  {
    name: 'of 1.0 does not authenticate',
    finding: 'push/authorization',
    level: 'error',
    message: 'authorization: expected Bearer ***, got none (4 of 4 notifications)',
    path: 'headers.authorization',
    start: push10,
    fault: without('authorization'),
    check: check({ ...secret, ...bearer }),
  },
  {
    name: 'authenticates with other credentials',
    finding: 'push/authorization',
    level: 'error',
    message: 'authorization: expected Bearer ***, got Bearer with other credentials',
    start: push10,
    fault: header('authorization', 'Bearer cb-secret-2'),
    check: check(bearer),
  },
  {
    name: 'authenticates by another scheme',
    finding: 'push/authorization',
    level: 'error',
    message: 'authorization: expected Bearer ***, got Basic ***',
    start: push10,
    fault: header('authorization', 'Basic Y2Itc2VjcmV0LTE='),
    check: check(bearer),
  },
  {
    name: 'sends the credentials without their scheme',
    finding: 'push/authorization',
    level: 'error',
    message: 'got ***, without a scheme',
    start: push10,
    fault: header('authorization', 'cb-secret-1'),
    check: check(bearer),
  },
  {
    name: 'of 0.3 shows the token and does not authenticate',
    finding: 'push/authorization',
    level: 'warning',
    message: 'authorization: expected Bearer ***, got none',
    start: push03,
    fault: without('authorization'),
    check: check({ ...secret, ...bearer }),
  },
  {
    name: 'posts a text',
    finding: 'push/payload',
    level: 'error',
    message: 'the notification is not a JSON object: "\\"completed\\""',
    start: push10,
    fault: each(() => ({ body: 'completed' })),
    check: check({}, noEnd),
  },
  {
    name: 'posts an empty object',
    finding: 'push/payload',
    level: 'error',
    message: 'the notification contains neither a task nor an update',
    start: push03,
    fault: each(() => ({ body: {} })),
    check: check({}, noEnd),
  },
  {
    name: 'of 1.0 posts the task as 0.3 does',
    finding: 'push/form',
    level: 'warning',
    message: 'is a bare object as in 0.3',
    start: push10,
    fault: each(({ taskId }, body) =>
      stateOf(body) === 'TASK_STATE_COMPLETED' ? { body: task03(taskId) } : undefined,
    ),
    check: check(),
  },
  {
    name: 'of 0.3 posts the task as 1.0 does',
    finding: 'push/form',
    level: 'warning',
    message: 'is wrapped as in 1.0, not a bare task',
    start: push03,
    fault: each(({ taskId }, body) =>
      stateOf(body) === 'completed' ? { body: { task: task10(taskId) } } : undefined,
    ),
    check: check(),
  },
  {
    name: 'of 0.3 posts the update in place of the task',
    finding: 'push/form',
    level: 'warning',
    message: 'is a bare status update, not the task',
    start: agentFrom({ card, dialect: '0.3', respond: () => [{ state: 'working' }, { state: 'completed' }] }),
    fault: each(({ taskId }, { status, contextId }) => ({
      body: { kind: 'status-update', taskId, contextId, status, final: stateOf({ status }) === 'completed' },
    })),
    check: check(),
  },
  {
    name: 'of 1.0 does not say that it posts JSON',
    finding: 'push/content-type',
    level: 'warning',
    message:
      'content-type: expected application/a2a+json or application/json, got "application/octet-stream"',
    start: push10,
    fault: header('content-type', 'application/octet-stream'),
    check: check(),
  },
  {
    name: 'of 0.3 posts in the content type of 1.0',
    finding: 'push/content-type',
    level: 'warning',
    message: 'content-type: expected application/json, got "application/a2a+json"',
    start: push03,
    fault: header('content-type', 'application/a2a+json'),
    check: check(),
  },
  {
    name: 'posts updates of another task',
    finding: 'push/task-id',
    level: 'error',
    message: 'names task "other"',
    start: push03,
    fault: each((_, body) => ({ body: { ...body, id: 'other' } })),
    check: check({}, noEnd),
  },
  {
    name: 'of 1.0 posts no artifacts',
    finding: 'push/artifacts',
    level: 'warning',
    message: 'no notification has the artifact "a1"',
    start: push10,
    fault: each((_, body) => ('artifactUpdate' in body ? undefined : {})),
    check: check(),
  },
  {
    name: 'stores another address than requested',
    finding: 'push/config',
    level: 'error',
    message: 'the agent keeps the url "http://127.0.0.1:9/hook" instead of "http://127.0.0.1:',
    start: waitingFor('CreateTaskPushNotificationConfig'),
    fault: onResult(['CreateTaskPushNotificationConfig'], (config) => ({
      ...config,
      url: 'http://127.0.0.1:9/hook',
    })),
    check: check({ register: 'create' }),
  },
  {
    name: 'does not list the config that came with the message',
    finding: 'push/config',
    level: 'error',
    message: 'is not among the configs of task',
    start: waitingFor('GetTask'),
    fault: onResult(['ListTaskPushNotificationConfigs'], () => ({ configs: [], nextPageToken: '' })),
    check: check({ checkDelete: true }),
  },
  {
    name: 'posts to a receiver that was deleted',
    finding: 'push/after-delete',
    level: 'error',
    message: 'arrived after the config was deleted',
    start: waitingFor('GetTask'),
    fault: faults.pushAfterDelete(),
    // Nothing may come, and that takes its time in the twin.
    check: (agent, which) =>
      checkPush(
        agent,
        ['Where?', { deliveryMs: which === 'broken' ? 10_000 : 500, checkDelete: true }],
        budget,
      ),
  },
]

function task03(id: string): Json {
  const part = { kind: 'text', text: 'Oslo' }
  return {
    kind: 'task',
    id,
    contextId: 'c1',
    status: { state: 'completed', timestamp: '2026-01-01T00:00:00.000Z' },
    artifacts: [{ artifactId: 'a1', parts: [part] }],
  }
}

function task10(id: string): Json {
  return {
    id,
    contextId: 'c1',
    status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:00:00.000Z' },
    artifacts: [{ artifactId: 'a1', parts: [{ text: 'Oslo' }] }],
  }
}
