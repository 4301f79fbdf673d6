import { refuseStranger } from './auth.ts'
import type { Profile } from './dialect10.ts'
import { createEngine } from './engine.ts'
import { readHistoryLength } from './listing.ts'
import { createPush, readPushConfig03, writePushConfig03, type PushForm } from './push.ts'
import { answerRpc, isObject, mapStream, textField, type MethodAnswer } from './rpc.ts'
import { readMessage, writeEvent, writeMessage, writeTask } from './shapes03.ts'
import { Refusal, type DemoTask, type Respond } from './task.ts'
import type { DemoOptions, Handler, Json } from './wire.ts'

/** A 0.3 agent posts the whole task whenever its status changed, and shows the receiver's token (A2A 0.3 §9.5). */
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
        token !== undefined && refuseStranger(request, { token, realm: String(own['name']), rest: false })
      if (refusal) return refusal
      if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
      return answerRpc(request, ({ method, params }) => methods(method, params))
    }
  }
}

function createMethods03(
  respond: Respond,
  options: DemoOptions,
  { card, extendedCard }: { card: Json; extendedCard?: Json | undefined },
): (method: string, params: Json) => MethodAnswer | Promise<MethodAnswer> {
  const capabilities = isObject(card['capabilities']) ? card['capabilities'] : {}
  const push = createPush(form, options)
  const { ids, now, pace } = options
  const engine = createEngine(respond, { ids, now, pace, onEvent: push.tell })

  const streaming = (): void => {
    if (capabilities['streaming'] !== true) throw new Refusal(-32004, 'This agent does not stream')
  }
  const pushing = (): void => {
    if (capabilities['pushNotifications'] !== true) {
      throw new Refusal(-32003, 'This agent sends no push notifications')
    }
  }
  const configuration = (params: Json): Json =>
    isObject(params['configuration']) ? params['configuration'] : {}
  /** Registers the receiver that came with a message before anything happens to its task. */
  const handling = (params: Json): { onTask?: (task: DemoTask) => void } => {
    const config = configuration(params)['pushNotificationConfig']
    if (!isObject(config)) return {}
    pushing()
    const read = readPushConfig03(config)
    return { onTask: (task) => void push.create({ ...read, id: read.id ?? task.id, taskId: task.id }) }
  }

  const methods: Record<string, (params: Json) => MethodAnswer | Promise<MethodAnswer>> = {
    async 'message/send'(params) {
      const wait = configuration(params)['blocking'] !== false
      const historyLength = readHistoryLength(configuration(params))
      const more = handling(params)
      const answer = await engine.send(readMessage(params), { wait, ...more })
      if ('role' in answer) return { result: writeMessage(answer) }
      // Nobody may ask for a task whose news are sent, so it goes on by itself.
      if (more.onTask) engine.wake(answer.id)
      return { result: writeTask(answer, historyLength) }
    },
    'message/stream'(params) {
      streaming()
      return { stream: mapStream(engine.stream(readMessage(params), handling(params)), writeEvent) }
    },
    'tasks/resubscribe'(params) {
      streaming()
      return { stream: mapStream(engine.subscribe(textField(params, 'id')), writeEvent) }
    },
    'tasks/get'(params) {
      const historyLength = readHistoryLength(params)
      return { result: writeTask(engine.get(textField(params, 'id')), historyLength) }
    },
    'tasks/cancel': (params) => ({ result: writeTask(engine.cancel(textField(params, 'id'))) }),
    'tasks/pushNotificationConfig/set'(params) {
      pushing()
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
      pushing()
      const { id: taskId } = engine.find(textField(params, 'id'))
      const id = params['pushNotificationConfigId'] ?? push.list(taskId)[0]?.id ?? taskId
      return { result: writePushConfig03(push.get(taskId, String(id))) }
    },
    'tasks/pushNotificationConfig/list'(params) {
      pushing()
      return { result: push.list(engine.find(textField(params, 'id')).id).map(writePushConfig03) }
    },
    async 'tasks/pushNotificationConfig/delete'(params) {
      pushing()
      await push.delete(textField(params, 'id'), textField(params, 'pushNotificationConfigId'))
      return { result: null }
    },
    'agent/getAuthenticatedExtendedCard'() {
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
