import { optionalText } from './rpc.ts'
import { Refusal, type DemoTask } from './task.ts'
import type { Json } from './wire.ts'

/** Parameters of ListTasks; over HTTP+JSON every value is a string. */
export interface TaskQuery {
  contextId: string | undefined
  /** As on the wire: `TASK_STATE_WORKING`. */
  status: string | undefined
  pageSize: number
  pageToken: string | undefined
  historyLength: number | undefined
  /** In ms since the epoch, inclusive. */
  changedAfter: number | undefined
  includeArtifacts: boolean
}

const states = [
  'SUBMITTED',
  'WORKING',
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'INPUT_REQUIRED',
  'REJECTED',
].concat('AUTH_REQUIRED')

/** Reads the parameters of ListTasks (A2A 1.0 §3.1.4). Throws a refusal that names what is wrong. */
export function readQuery(params: Json): TaskQuery {
  const status = optionalText(params, 'status')
  if (status !== undefined && !states.includes(status.replace(/^TASK_STATE_/, ''))) {
    throw new Refusal(-32602, `Invalid params: status ${status} is not a task state`)
  }
  const after = optionalText(params, 'statusTimestampAfter')
  const changedAfter = after === undefined ? undefined : Date.parse(after)
  if (Number.isNaN(changedAfter)) {
    throw new Refusal(-32602, 'Invalid params: statusTimestampAfter must be an ISO 8601 timestamp')
  }
  const artifacts = String(params['includeArtifacts'] ?? false)
  if (artifacts !== 'true' && artifacts !== 'false') {
    throw new Refusal(-32602, 'Invalid params: includeArtifacts must be true or false')
  }
  return {
    contextId: optionalText(params, 'contextId') || undefined,
    status,
    pageSize: wholeNumber(params, 'pageSize', 1, 100) ?? 50,
    pageToken: optionalText(params, 'pageToken') || undefined,
    historyLength: readHistoryLength(params),
    changedAfter,
    includeArtifacts: artifacts === 'true',
  }
}

/** Number of messages of the history; undefined is all of them. */
export function readHistoryLength(params: Json): number | undefined {
  return wholeNumber(params, 'historyLength', 0)
}

function wholeNumber(params: Json, name: string, least: number, most = Infinity): number | undefined {
  const value = params[name]
  if (value === undefined) return undefined
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most)
    return number
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`
  throw new Refusal(-32602, `Invalid params: ${name} must be a whole number ${range}`)
}

/** One page of tasks, last changed first, and the token of the next page, which is empty on the last one. */
export function page(
  tasks: DemoTask[],
  query: TaskQuery,
  stateOf: (task: DemoTask) => string,
): { tasks: DemoTask[]; nextPageToken: string; totalSize: number } {
  const matching = tasks
    .filter((task) => query.contextId === undefined || task.contextId === query.contextId)
    .filter((task) => query.status === undefined || stateOf(task) === query.status)
    .filter((task) => query.changedAfter === undefined || changed(task) >= query.changedAfter)
    // The sort is stable: of tasks that changed at the same time, the newest stays first.
    .toSorted((a, b) => changed(b) - changed(a))
  const start = query.pageToken === undefined ? 0 : positionAfter(matching, query.pageToken)
  const shown = matching.slice(start, start + query.pageSize)
  const last = start + shown.length < matching.length ? shown.at(-1) : undefined
  return { tasks: shown, nextPageToken: last ? tokenOf(last) : '', totalSize: matching.length }
}

function changed(task: DemoTask): number {
  return Date.parse(task.status.timestamp)
}

function tokenOf(task: DemoTask): string {
  return Buffer.from(JSON.stringify([changed(task), task.id])).toString('base64url')
}

/** The position after the task that a token names; if that task has changed since, after all tasks that are as new as it was. */
function positionAfter(tasks: DemoTask[], token: string): number {
  try {
    const [at, id] = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as [unknown, unknown]
    const same = tasks.findIndex((task) => task.id === id && changed(task) === at)
    if (same !== -1) return same + 1
    const older = tasks.findIndex((task) => changed(task) <= Number(at))
    if (typeof id === 'string' && typeof at === 'number') return older === -1 ? tasks.length : older
  } catch {
    // Said below.
  }
  throw new Refusal(-32602, 'Invalid params: pageToken is not one that this agent gave out')
}
