import type { Decoded } from '../findings/types.ts'
import { isRecord } from '../core/guards.ts'
import type { PushConfig, TaskList } from './model.ts'
import { badReply, isEmpty, own, quote, Reading, type JsonObject, type WireForm } from './reading.ts'
import { readItems, readTask } from './shapes.ts'
import type { Operation } from './versions/profile.ts'
import { operationName } from './versions/profiles.ts'

/** Reads a page of tasks. Throws A2AReplyError `BAD_REPLY` for what holds no list of tasks. */
export function decodeTaskList(form: WireForm, value: unknown): Decoded<TaskList> {
  const reading = new Reading(form)
  const { object, path } = unwrap(reading, value, 'tasks', 'listTasks')
  const tasks = readItems(reading, object, 'tasks', path).map(([task, at]) => readTask(reading, task, at))
  const list: TaskList = { tasks, nextPageToken: reading.string(object, 'nextPageToken', path) ?? '' }
  const pageSize = readCount(reading.member(object, 'pageSize', path))
  const totalSize = readCount(reading.member(object, 'totalSize', path))
  if (pageSize !== undefined) list.pageSize = pageSize
  if (totalSize !== undefined) list.totalSize = totalSize
  const missing = ['tasks', 'nextPageToken', 'pageSize', 'totalSize'].filter(
    (name) => reading.member(object, name, path) === undefined,
  )
  if (missing.length > 0) {
    reading.note(
      'wire/page-members',
      path,
      `the page of tasks has no ${missing.join(', ')}, which 1.0 requires`,
      { source: 'A2A 1.0 §3.1.4' },
    )
  }
  return { value: list, findings: reading.findings }
}

/** Reads a push notification config in the form of any version. Throws A2AReplyError `BAD_REPLY` without a url. */
export function decodePushConfig(form: WireForm, value: unknown): Decoded<PushConfig> {
  const reading = new Reading(form)
  if (!isRecord(value) || isEmpty(value)) throw noConfig(form, 'createPushConfig', value)
  return { value: readConfig(reading, value, reading.root), findings: reading.findings }
}

/** Reads the push notification configs of a task; an empty answer is an empty list. Throws A2AReplyError `BAD_REPLY`. */
export function decodePushConfigs(form: WireForm, value: unknown): Decoded<PushConfig[]> {
  const reading = new Reading(form)
  if (isEmpty(value)) return { value: [], findings: reading.findings }
  const bare = Array.isArray(value)
  // ProtoJSON wraps the list; the text of 0.3 does not, over HTTP+JSON either.
  if (bare && form.version.wire.wrapsLists)
    noteShape(reading, 'listPushConfigs', '{"configs": […]}', 'a bare list')
  const { object, path } = bare
    ? { object: { configs: value }, path: reading.root }
    : unwrap(reading, value, 'configs', 'listPushConfigs')
  if (!bare && !form.proto) noteShape(reading, 'listPushConfigs', 'a list', '{"configs": […]}')
  const configs = readItems(reading, object, 'configs', path).map(([config, at]) =>
    readConfig(reading, config, at),
  )
  return { value: configs, findings: reading.findings }
}

/** Reads an agent card as a result. Throws A2AReplyError `BAD_REPLY` for what is no object. */
export function decodeCard(form: WireForm, value: unknown): Decoded<JsonObject> {
  const reading = new Reading(form)
  if (!isRecord(value) || isEmpty(value)) {
    throw badReply(
      'wire/reply-shape',
      `${operationName('extendedCard', form)} was answered with ${isEmpty(value) ? 'nothing' : quote(value)} (expected an agent card)`,
    )
  }
  return { value, findings: reading.findings }
}

/** The object that has the member, under at most one `result`; an empty object has all defaults. */
function unwrap(
  reading: Reading,
  value: unknown,
  member: string,
  operation: Operation,
): { object: JsonObject; path: string } {
  const { form, root } = reading
  if (Array.isArray(value)) {
    noteShape(reading, operation, `{"${member}": […]}`, 'a bare list')
    return { object: { [member]: value }, path: root }
  }
  if (!isRecord(value)) throw noList(form, operation, value)
  const inner = own(value, 'result')
  if (own(value, member) === undefined && isRecord(inner)) {
    noteShape(reading, operation, `{"${member}": […]}`, `{"result": {"${member}": […]}}`)
    return { object: inner, path: `${root}.result` }
  }
  const list = own(value, member)
  if (list === undefined && !isEmpty(value) && own(value, 'nextPageToken') === undefined)
    throw noList(form, operation, value)
  return { object: value, path: root }
}

function readConfig(reading: Reading, outer: JsonObject, path: string): PushConfig {
  const { form } = reading
  const { object, trail } = configWithin(reading, outer, path)
  const at = [path, ...trail].join('.')
  const nested = trail.length > 0
  if (nested === form.version.wire.flatPushConfigs) {
    const rule = nested ? 'the config itself' : '{"pushNotificationConfig": …}'
    noteShape(
      reading,
      'createPushConfig',
      rule,
      nested ? trail.reduceRight((inner, name) => `{"${name}": ${inner}}`, '…') : 'a flat config',
    )
  }
  const url = reading.string(object, 'url', at)
  if (url === undefined) throw noConfig(form, 'createPushConfig', outer)
  const config: PushConfig = { url }
  const id = reading.string(object, 'id', at) ?? idOfName(reading.string(outer, 'name', path))
  if (id !== undefined) config.id = id
  const token = reading.string(object, 'token', at)
  if (token !== undefined) config.token = token
  const authentication = reading.struct(object, 'authentication', at)
  if (authentication !== undefined) {
    const schemes = reading.strings(authentication, 'schemes', `${at}.authentication`)
    const scheme = reading.string(authentication, 'scheme', `${at}.authentication`) ?? schemes?.[0]
    const credentials = reading.string(authentication, 'credentials', `${at}.authentication`)
    if (scheme !== undefined)
      config.authentication = { scheme, ...(credentials !== undefined && { credentials }) }
  }
  return config
}

const configNames = ['pushNotificationConfig', 'taskPushNotificationConfig', 'config'] as const
const deepestConfig = 2

function configWithin(
  reading: Reading,
  outer: JsonObject,
  path: string,
): { object: JsonObject; trail: string[] } {
  const trail: string[] = []
  let object = outer
  while (trail.length < deepestConfig && own(object, 'url') === undefined) {
    const name = configNames.find((one) => isRecord(reading.member(object, one, path)))
    if (name === undefined) break
    object = reading.member(object, name, path) as JsonObject
    trail.push(name)
  }
  return { object, trail }
}

/** `tasks/t1/pushNotificationConfigs/c1` */
function idOfName(name: string | undefined): string | undefined {
  const id = /\/pushNotificationConfigs\/([^/]+)$/.exec(name ?? '')?.[1]
  return id === undefined || id === '' ? undefined : id
}

/** A number, also as the text that ProtoJSON allows for one. */
function readCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined
}

function noteShape(reading: Reading, operation: Operation, rule: string, got: string): void {
  const { form, root } = reading
  const name = operationName(operation, form)
  reading.note('wire/wrapping', root, `${name} result must be ${rule} in ${form.dialect}, got ${got}`)
}

function noList(form: WireForm, operation: Operation, value: unknown): Error {
  const noun = operation === 'listTasks' ? 'a page of tasks' : 'a list of configs'
  return badReply(
    'wire/reply-shape',
    `${operationName(operation, form)} was answered with ${isEmpty(value) ? 'nothing' : quote(value)} (expected ${noun})`,
  )
}

function noConfig(form: WireForm, operation: Operation, value: unknown): Error {
  return badReply(
    'wire/reply-shape',
    `${operationName(operation, form)} was answered with ${isEmpty(value) ? 'nothing' : quote(value)} (expected a push notification config with a url)`,
  )
}
