import { randomUUID } from 'node:crypto'
import { isObject, optionalText, textField } from './rpc.ts'
import { Refusal, type DemoEvent } from './task.ts'
import type { DemoOptions, Json } from './wire.ts'

/** A push notification config, in the shape of A2A 1.0. */
export interface PushConfig {
  id: string
  taskId: string
  url: string
  token?: string
  authentication?: { scheme: string; credentials?: string }
}

/** One push notification on its way to the receiver. */
export interface Delivery {
  url: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: unknown
  taskId: string
  configId: string
  /** The config was deleted meanwhile; the notification is not sent. */
  deleted: boolean
}

/** How a version writes a notification; undefined if it sends none for an event. */
export interface PushForm {
  contentType: string
  body: (event: DemoEvent) => unknown
  /** Headers that authenticate the agent to the receiver. */
  proof: (config: PushConfig) => Record<string, string>
}

/** The push notification configs of an agent, and the notifications it sends. */
export interface Push {
  create(config: Omit<PushConfig, 'id'> & { id?: string | undefined }): PushConfig
  get(taskId: string, id: string): PushConfig
  list(taskId: string): PushConfig[]
  /** Resolves when no notification can reach the receiver any more. */
  delete(taskId: string, id: string): Promise<void>
  notify(event: DemoEvent): void
}

/** Longest time for a receiver to answer one notification, in ms. */
const receiverTimeoutMs = 10_000

/** Delivers one after the other to each receiver, each event once, whatever the receiver answers. */
export function createPush(form: PushForm, options: DemoOptions): Push {
  const { ids = randomUUID, fetch: send = fetch } = options
  const faults = [options.fault ?? []].flat()
  const lines = new Map<string, { config: PushConfig; deleted: boolean; last: Promise<void> }>()
  const keyOf = (taskId: string, id: string): string => JSON.stringify([taskId, id])
  const linesOf = (taskId: string) => [...lines.values()].filter((line) => line.config.taskId === taskId)

  const post = async ({ url, headers, body }: Delivery): Promise<void> => {
    const signal = AbortSignal.timeout(receiverTimeoutMs)
    const answer = await send(url, { method: 'POST', headers, body: JSON.stringify(body), signal })
    await answer.arrayBuffer()
  }
  return {
    create({ id = ids(), ...rest }) {
      const config = { ...rest, id }
      const key = keyOf(config.taskId, id)
      lines.set(key, { config, deleted: false, last: lines.get(key)?.last ?? Promise.resolve() })
      return config
    },
    get(taskId, id) {
      const line = lines.get(keyOf(taskId, id))
      if (!line) throw new Refusal(-32001, `Task ${taskId} has no push notification config ${id}`)
      return line.config
    },
    list: (taskId) => linesOf(taskId).map((line) => line.config),
    async delete(taskId, id) {
      const line = lines.get(keyOf(taskId, id))
      if (!line) return
      line.deleted = true
      const deaf = faults.some((fault) => fault.push)
      if (!deaf) lines.delete(keyOf(taskId, id))
      await line.last
    },
    notify(event) {
      if ('message' in event) return
      const body = form.body(event)
      if (body === undefined) return
      for (const line of linesOf(event.task.id)) {
        const { id: configId, taskId, url } = line.config
        const headers = { 'content-type': form.contentType, ...form.proof(line.config) }
        line.last = line.last
          .then(async () => {
            let due: Delivery[] = [{ url, headers, body, taskId, configId, deleted: line.deleted }]
            for (const fault of faults) if (fault.push) due = due.flatMap(fault.push)
            for (const delivery of due) if (!delivery.deleted) await post(delivery)
          })
          // A receiver that is down does not stop the task.
          .catch(() => {})
      }
    },
  }
}

/** Reads a config in the shape of A2A 1.0. Throws a refusal if it is invalid. */
export function readPushConfig(from: Json): Omit<PushConfig, 'id' | 'taskId'> & { id?: string } {
  const { id, url, token, authentication } = readCommon(from)
  const scheme = isObject(authentication) ? textField(authentication, 'scheme') : undefined
  return assemble({ id, url, token, scheme, credentials: credentialsOf(authentication) })
}

/** Reads a config in the shape of A2A 0.3, which lists schemes. */
export function readPushConfig03(from: Json): Omit<PushConfig, 'id' | 'taskId'> & { id?: string } {
  const { id, url, token, authentication } = readCommon(from)
  const schemes = isObject(authentication) ? authentication['schemes'] : undefined
  const scheme = Array.isArray(schemes) ? String(schemes[0]) : undefined
  return assemble({ id, url, token, scheme, credentials: credentialsOf(authentication) })
}

/** Writes a config in the shape of A2A 0.3. */
export function writePushConfig03({ taskId, authentication, ...rest }: PushConfig): Json {
  const { scheme, credentials } = authentication ?? {}
  const written = scheme !== undefined && { schemes: [scheme], ...(credentials && { credentials }) }
  return { taskId, pushNotificationConfig: { ...rest, ...(written && { authentication: written }) } }
}

function readCommon(from: Json) {
  const url = textField(from, 'url')
  if (!/^https?:\/\/./.test(url)) throw new Refusal(-32602, 'Invalid params: url must be an http(s) URL')
  // ProtoJSON writes a field that is not set as an empty string.
  const id = optionalText(from, 'id') || undefined
  return { id, url, token: optionalText(from, 'token') || undefined, authentication: from['authentication'] }
}

function credentialsOf(authentication: unknown): string | undefined {
  return isObject(authentication) ? optionalText(authentication, 'credentials') || undefined : undefined
}

function assemble(read: {
  id: string | undefined
  url: string
  token: string | undefined
  scheme: string | undefined
  credentials: string | undefined
}): Omit<PushConfig, 'id' | 'taskId'> & { id?: string } {
  const { id, url, token, scheme, credentials } = read
  return {
    ...(id !== undefined && { id }),
    url,
    ...(token !== undefined && { token }),
    ...(scheme !== undefined && {
      authentication: { scheme, ...(credentials !== undefined && { credentials }) },
    }),
  }
}
