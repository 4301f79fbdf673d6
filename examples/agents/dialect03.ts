import { rejectUnauthenticated } from './auth.ts'
import type { Profile } from './dialect10.ts'
import { Engine } from './engine.ts'
import { readHistoryLength } from './listing.ts'
import { createPush, readPushConfig03, writePushConfig03, type Push, type PushForm } from './push.ts'
import {
  answerRpc,
  isObject,
  mapStream,
  methodOf,
  textField,
  type MethodAnswer,
  type Methods,
} from './rpc.ts'
import { readMessage, writeEvent, writeMessage, writeTask } from './shapes03.ts'
import { Refusal, type DemoTask, type Respond } from './task.ts'
import type { DemoOptions, Handler, Json } from './wire.ts'

/** A 0.3 agent posts the whole task whenever its status changes, with the token of the config (A2A 0.3 §9.5). */
const form: PushForm = {
  contentType: 'application/json',
  body: (event) => ('status' in event ? writeTask(event.task) : undefined),
  proof: ({ authentication, token }) => ({
    ...(token !== undefined && { 'x-a2a-notification-token': token }),
    ...(authentication?.credentials !== undefined && {
      authorization: `${authentication.scheme} ${authentication.credentials}`,
    }),
  }),
}

/** Serves A2A 0.3: the card, and JSON-RPC at /a2a. */
export function speak03(
  respond: Respond,
  options: DemoOptions,
  { token, extendedCard }: Profile = {},
): (served: unknown, own: Json) => Handler {
  return (card, own) => {
    const methods = createMethods03(respond, options, { card: own, extendedCard })
    return (request) => {
      if (request.method === 'GET' && request.path === '/.well-known/agent-card.json') return { json: card }
      if (request.path !== '/a2a') return undefined
      const refusal =
        token !== undefined &&
        rejectUnauthenticated(request, { token, realm: String(own['name']), rest: false })
      if (refusal) return refusal
      if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
      return answerRpc(request, ({ method, params }) => methods(method, params))
    }
  }
}

/** What the methods share. */
interface Context {
  engine: Engine
  push: Push
  extendedCard: Json | undefined
  /** Each throws a refusal if the card does not declare the capability. */
  needStreaming(): void
  needPush(): void
}

function createMethods03(
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
    needStreaming() {
      if (capabilities['streaming'] !== true) throw new Refusal(-32004, 'This agent does not stream')
    },
    needPush() {
      if (capabilities['pushNotifications'] !== true) {
        throw new Refusal(-32003, 'This agent sends no push notifications')
      }
    },
  }
  return methodOf({ ...taskMethods(context), ...pushMethods(context) })
}

const configuration = (params: Json): Json =>
  isObject(params['configuration']) ? params['configuration'] : {}

function taskMethods({ engine, push, extendedCard, needStreaming, needPush }: Context): Methods {
  /** Registers the receiver that was sent with a message before its task starts. */
  const handling = (params: Json): { onTask?: (task: DemoTask) => void } => {
    const config = configuration(params)['pushNotificationConfig']
    if (!isObject(config)) return {}
    needPush()
    const read = readPushConfig03(config)
    return { onTask: (task) => void push.create({ ...read, id: read.id ?? task.id, taskId: task.id }) }
  }
  return {
    async 'message/send'(params) {
      const wait = configuration(params)['blocking'] !== false
      const historyLength = readHistoryLength(configuration(params))
      const more = handling(params)
      const answer = await engine.send(readMessage(params), { wait, ...more })
      if ('role' in answer) return { result: writeMessage(answer) }
      // A task with a receiver may never be polled, so it continues on its own.
      if (more.onTask) engine.wake(answer.id)
      return { result: writeTask(answer, historyLength) }
    },
    'message/stream'(params) {
      needStreaming()
      return { stream: mapStream(engine.stream(readMessage(params), handling(params)), writeEvent) }
    },
    'tasks/resubscribe'(params) {
      needStreaming()
      return { stream: mapStream(engine.subscribe(textField(params, 'id')), writeEvent) }
    },
    'tasks/get'(params) {
      const historyLength = readHistoryLength(params)
      return { result: writeTask(engine.get(textField(params, 'id')), historyLength) }
    },
    'tasks/cancel': (params) => ({ result: writeTask(engine.cancel(textField(params, 'id'))) }),
    'agent/getAuthenticatedExtendedCard'() {
      if (!extendedCard) throw new Refusal(-32007, 'This agent has no extended card')
      return { result: extendedCard }
    },
  }
}

function pushMethods({ engine, push, needPush }: Context): Methods {
  return {
    'tasks/pushNotificationConfig/set'(params) {
      needPush()
      const { id: taskId } = engine.find(textField(params, 'taskId'))
      const config = params['pushNotificationConfig']
      if (!isObject(config)) throw new Refusal(-32602, 'Invalid params: pushNotificationConfig is missing')
      const read = readPushConfig03(config)
      // A config without an id is the only one of its task (A2A 0.3 leaves the id open).
      const created = push.create({ ...read, id: read.id ?? taskId, taskId })
      engine.wake(taskId)
      return { result: writePushConfig03(created) }
    },
    'tasks/pushNotificationConfig/get'(params) {
      needPush()
      const { id: taskId } = engine.find(textField(params, 'id'))
      const id = params['pushNotificationConfigId'] ?? push.list(taskId)[0]?.id ?? taskId
      return { result: writePushConfig03(push.get(taskId, String(id))) }
    },
    'tasks/pushNotificationConfig/list'(params) {
      needPush()
      return { result: push.list(engine.find(textField(params, 'id')).id).map(writePushConfig03) }
    },
    async 'tasks/pushNotificationConfig/delete'(params) {
      needPush()
      await push.delete(textField(params, 'id'), textField(params, 'pushNotificationConfigId'))
      return { result: null }
    },
  }
}
