import type { ClientOptions } from './route/connection.ts'
import { fetchExtendedCard } from './operations/extendedCard.ts'
import { largeFiles, toMessage } from './message.ts'
import {
  cancelTaskOperation,
  getTaskOperation,
  listTasksOperation,
  pushOperations,
  streamRequest,
  subscribeRequest,
} from './operations/requests.ts'
import { Recording } from './operations/recording.ts'
import { sendMessage } from './operations/send.ts'
import { Session } from './session.ts'
import type { Client } from './types.ts'

/** A client that can start over. */
export interface ForgetfulClient extends Client {
  /** Forgets what was learned about the agent, for one that was restarted. */
  forget(): void
}

export function createClient(about: ClientOptions): ForgetfulClient {
  const { deps, transport } = about
  const session = new Session(about)

  return {
    send: (input, options) => sendMessage(session, input, options),
    stream(input, options = {}) {
      const message = toMessage(input, options, deps.id())
      const request = streamRequest(message, options, { short: largeFiles(message).length > 0, deps })
      return session.events(request, options, {
        record: new Recording(transport),
        sessionId: request.sessionId,
        contextId: message.contextId,
      })
    },
    subscribe: (taskId, options = {}) =>
      session.events(subscribeRequest(taskId), options, { record: new Recording(transport) }),
    async getTask(id, { historyLength, ...options } = {}) {
      return (await session.call(getTaskOperation(id, { historyLength }), options)).value
    },
    async cancelTask(id, { metadata, ...options } = {}) {
      return (await session.call(cancelTaskOperation(id, metadata), options)).value
    },
    async listTasks(query = {}, options = {}) {
      const { value, findings } = await session.call(listTasksOperation(query), options)
      return { ...value, findings }
    },
    pushConfigs: {
      create: async (taskId, config, options) =>
        (await session.call(pushOperations.create(taskId, config), options, 'pushNotifications')).value,
      get: async (taskId, id, options) =>
        (await session.call(pushOperations.get(taskId, id), options, 'pushNotifications')).value,
      list: async (taskId, options) =>
        (await session.call(pushOperations.list(taskId), options, 'pushNotifications')).value,
      delete: async (taskId, id, options) => {
        await session.call(pushOperations.delete(taskId, id), options, 'pushNotifications')
      },
    },
    extendedCard: (options) => fetchExtendedCard(session, options),
    forget: () => session.forget(),
  }
}
