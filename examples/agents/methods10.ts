import { Engine } from './engine.ts'
import { page, readHistoryLength, readQuery } from './listing.ts'
import { createPush, readPushConfig, type Push, type PushForm } from './push.ts'
import { isObject, mapStream, methodOf, textField, type MethodAnswer, type Methods } from './rpc.ts'
import { readMessage, writeEvent, writeMessage, writeState, writeTask } from './shapes10.ts'
import { isTerminal, Refusal, type DemoTask, type Respond } from './task.ts'
import type { DemoOptions, Json } from './wire.ts'

/** A receiver recognizes a 1.0 agent by its credentials (A2A 1.0 §4.3.3), and by the token if the config has one. */
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

/** What the methods share. */
interface Context {
  engine: Engine
  push: Push
  extendedCard: Json | undefined
  /** Throws a refusal if the card does not declare the capability. */
  need(capability: 'streaming' | 'pushNotifications' | 'extendedAgentCard'): void
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
  const context: Context = {
    engine: new Engine(respond, { ids, now, pace, onEvent: push.notify }),
    push,
    extendedCard,
    need(capability) {
      if (capabilities[capability] === true) return
      throw new Refusal(
        capability === 'pushNotifications' ? -32003 : -32004,
        `This agent has no ${capability}`,
      )
    },
  }
  return methodOf({ ...messageMethods(context), ...taskMethods(context), ...pushMethods(context) })
}

const configuration = (params: Json): Json =>
  isObject(params['configuration']) ? params['configuration'] : {}

function messageMethods({ engine, push, need }: Context): Methods {
  /** Registers the receiver that was sent with a message before its task starts. */
  const handling = (params: Json): { onTask?: (task: DemoTask) => void } => {
    const config = configuration(params)['taskPushNotificationConfig']
    if (!isObject(config)) return {}
    need('pushNotifications')
    const read = readPushConfig(config)
    return { onTask: (task) => void push.create({ ...read, taskId: task.id }) }
  }
  return {
    async SendMessage(params) {
      const wait = configuration(params)['returnImmediately'] !== true
      const historyLength = readHistoryLength(configuration(params))
      const more = handling(params)
      const answer = await engine.send(readMessage(params), { wait, ...more })
      if ('role' in answer) return { result: { message: writeMessage(answer) } }
      // A task with a receiver may never be polled, so it continues on its own.
      if (more.onTask) engine.wake(answer.id)
      return { result: { task: writeTask(answer, historyLength) } }
    },
    SendStreamingMessage(params) {
      need('streaming')
      return { stream: mapStream(engine.stream(readMessage(params), handling(params)), writeEvent) }
    },
    SubscribeToTask(params) {
      need('streaming')
      const { id, status } = engine.find(textField(params, 'id'))
      if (isTerminal(status.state)) {
        throw new Refusal(-32004, `Task ${id} is ${status.state}: there is nothing to subscribe to`)
      }
      return { stream: mapStream(engine.subscribe(id), writeEvent) }
    },
  }
}

function taskMethods({ engine, extendedCard, need }: Context): Methods {
  return {
    GetTask(params) {
      const historyLength = readHistoryLength(params)
      return { result: writeTask(engine.get(textField(params, 'id')), historyLength) }
    },
    ListTasks(params) {
      const query = readQuery(params)
      const { tasks, ...rest } = page(engine.list(), query, (task) => writeState(task.status.state))
      const written = tasks.map((task) => {
        const { artifacts, ...without } = writeTask(task, query.historyLength)
        return query.includeArtifacts && artifacts ? { ...without, artifacts } : without
      })
      return { result: { tasks: written, pageSize: query.pageSize, ...rest } }
    },
    CancelTask: (params) => ({ result: writeTask(engine.cancel(textField(params, 'id'))) }),
    GetExtendedAgentCard() {
      need('extendedAgentCard')
      if (!extendedCard) throw new Refusal(-32007, 'This agent has no extended card')
      return { result: extendedCard }
    },
  }
}

function pushMethods({ engine, push, need }: Context): Methods {
  return {
    CreateTaskPushNotificationConfig(params) {
      need('pushNotifications')
      const { id: taskId } = engine.find(textField(params, 'taskId'))
      const created = push.create({ ...readPushConfig(params), taskId })
      engine.wake(taskId)
      return { result: created }
    },
    GetTaskPushNotificationConfig(params) {
      need('pushNotifications')
      return { result: push.get(textField(params, 'taskId'), textField(params, 'id')) }
    },
    ListTaskPushNotificationConfigs(params) {
      need('pushNotifications')
      const configs = push.list(engine.find(textField(params, 'taskId')).id)
      return { result: { configs, nextPageToken: '' } }
    },
    async DeleteTaskPushNotificationConfig(params) {
      need('pushNotifications')
      await push.delete(textField(params, 'taskId'), textField(params, 'id'))
      return { result: null }
    },
  }
}
