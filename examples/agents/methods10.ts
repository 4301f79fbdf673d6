import { createEngine } from './engine.ts'
import { page, readHistoryLength, readQuery } from './listing.ts'
import { createPush, readPushConfig, type PushForm } from './push.ts'
import { isObject, mapStream, textField, type MethodAnswer } from './rpc.ts'
import { readMessage, writeEvent, writeMessage, writeState, writeTask } from './shapes10.ts'
import { isTerminal, Refusal, type DemoTask, type Respond } from './task.ts'
import type { DemoOptions, Json } from './wire.ts'

/** A receiver knows a 1.0 agent by its credentials (A2A 1.0 §4.3.3), and by the token where it gave one. */
const form: PushForm = {
  contentType: 'application/a2a+json',
  body: writeEvent,
  proof: ({ authentication, token }) => ({
    ...(authentication && {
      authorization: [authentication.scheme, authentication.credentials].filter(Boolean).join(' '),
    }),
    ...(token !== undefined && { 'x-a2a-notification-token': token }),
  }),
}

/** The operations of A2A 1.0 by their names in JSON-RPC; HTTP+JSON calls the same ones. */
export function createMethods10(
  respond: Respond,
  options: DemoOptions,
  { card, extendedCard }: { card: Json; extendedCard?: Json | undefined },
): (method: string, params: Json) => MethodAnswer | Promise<MethodAnswer> {
  const capabilities = isObject(card['capabilities']) ? card['capabilities'] : {}
  const push = createPush(form, options)
  const { ids, now, pace } = options
  const engine = createEngine(respond, { ids, now, pace, onEvent: push.tell })

  const needs = (capability: string, code: number): void => {
    if (capabilities[capability] !== true) throw new Refusal(code, `This agent has no ${capability}`)
  }
  const streaming = (): void => needs('streaming', -32004)
  const pushing = (): void => needs('pushNotifications', -32003)

  const configuration = (params: Json): Json =>
    isObject(params['configuration']) ? params['configuration'] : {}
  /** Registers the receiver that came with a message before anything happens to its task. */
  const onTask = (params: Json): ((task: DemoTask) => void) | undefined => {
    const config = configuration(params)['taskPushNotificationConfig']
    if (!isObject(config)) return undefined
    pushing()
    const read = readPushConfig(config)
    return (task) => void push.create({ ...read, taskId: task.id })
  }
  const handling = (params: Json) => {
    const register = onTask(params)
    return register ? { onTask: register } : {}
  }

  const send = async (params: Json): Promise<MethodAnswer> => {
    const wait = configuration(params)['returnImmediately'] !== true
    const historyLength = readHistoryLength(configuration(params))
    const more = handling(params)
    const answer = await engine.send(readMessage(params), { wait, ...more })
    if ('role' in answer) return { result: { message: writeMessage(answer) } }
    // Nobody may ask for a task whose news are sent, so it goes on by itself.
    if (more.onTask) engine.wake(answer.id)
    return { result: { task: writeTask(answer, historyLength) } }
  }
  const createConfig = (params: Json): MethodAnswer => {
    pushing()
    const { id: taskId } = engine.find(textField(params, 'taskId'))
    const created = push.create({ ...readPushConfig(params), taskId })
    engine.wake(taskId)
    return { result: created }
  }
  const listTasks = (params: Json): MethodAnswer => {
    const query = readQuery(params)
    const { tasks, ...rest } = page(engine.list(), query, (task) => writeState(task.status.state))
    const written = tasks.map((task) => {
      const { artifacts, ...without } = writeTask(task, query.historyLength)
      return query.includeArtifacts && artifacts ? { ...without, artifacts } : without
    })
    return { result: { tasks: written, pageSize: query.pageSize, ...rest } }
  }

  const methods: Record<string, (params: Json) => MethodAnswer | Promise<MethodAnswer>> = {
    SendMessage: send,
    SendStreamingMessage(params) {
      streaming()
      return { stream: mapStream(engine.stream(readMessage(params), handling(params)), writeEvent) }
    },
    SubscribeToTask(params) {
      streaming()
      const { id, status } = engine.find(textField(params, 'id'))
      if (isTerminal(status.state)) {
        throw new Refusal(-32004, `Task ${id} is ${status.state}: there is nothing to subscribe to`)
      }
      return { stream: mapStream(engine.subscribe(id), writeEvent) }
    },
    GetTask(params) {
      const historyLength = readHistoryLength(params)
      return { result: writeTask(engine.get(textField(params, 'id')), historyLength) }
    },
    ListTasks: listTasks,
    CancelTask: (params) => ({ result: writeTask(engine.cancel(textField(params, 'id'))) }),
    CreateTaskPushNotificationConfig: createConfig,
    GetTaskPushNotificationConfig(params) {
      pushing()
      return { result: push.get(textField(params, 'taskId'), textField(params, 'id')) }
    },
    ListTaskPushNotificationConfigs(params) {
      pushing()
      const configs = push.list(engine.find(textField(params, 'taskId')).id)
      return { result: { configs, nextPageToken: '' } }
    },
    async DeleteTaskPushNotificationConfig(params) {
      pushing()
      await push.delete(textField(params, 'taskId'), textField(params, 'id'))
      return { result: null }
    },
    GetExtendedAgentCard() {
      needs('extendedAgentCard', -32004)
      if (!extendedCard) throw new Refusal(-32007, 'This agent has no extended card')
      return { result: extendedCard }
    },
  }
  return (method, params) => {
    const own = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!own) throw new Refusal(-32601, `Method not found: ${method}`)
    return own(params)
  }
}
