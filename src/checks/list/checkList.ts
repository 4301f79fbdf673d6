import type { A2AAgent } from '../../agent/types.ts'
import type { MessageInput } from '../../client/types.ts'
import { isReplyError } from '../../core/errors.ts'
import { badOption } from '../../core/validate.ts'
import { addFindings } from '../../findings/addFindings.ts'
import { finding } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../types.ts'
import type { Task, TaskQuery } from '../../protocol/model.ts'
import type { Verdict } from '../verdict.ts'
import { limits } from '../reply/sendAndCheck.ts'
import { verdictOn, type DeadlineOption, type CheckResult } from '../checkResult.ts'
import {
  faultsBetween,
  faultsOf,
  faultsOfArtifacts,
  faultsOfMissing,
  faultsOfOrder,
  leak,
} from './listFaults.ts'
import { walk, type Walk } from './readPages.ts'
import { count, quote } from '../phrases.ts'

/** Options of `toListTasks()`. */
export type ListOptions = DeadlineOption &
  Omit<TaskQuery, 'pageToken'> & {
    /** Sent before listing, to create tasks. Default: nothing is sent. */
    message?: MessageInput
    /** How often `message` is sent. Default 3. */
    tasks?: number
    /** Longest wait until the task of each message settles in ms. Default: the handle's. */
    waitMs?: number
    /** The most pages to read of one list. Default 10. */
    maxPages?: number
  }

const expected = 'lists of tasks that are ordered, complete and filtered as requested'
/** A context that cannot exist. */
const nowhere = 'expect-a2a-no-such-context'

/**
 * Lists the agent's tasks, whole and in small pages, and compares. A fault that changing tasks could explain counts only if
 * it is seen twice. Throws A2AUsageError `NOT_DECLARED` for versions before 1.0.
 */
export async function checkList(
  agent: A2AAgent,
  [options = {}]: readonly [options?: ListOptions],
  budget: Budget,
): Promise<Verdict> {
  const { message, maxPages = 10 } = options
  refuseWrong(options)
  return verdictOn({ kind: 'agent', agent }, expected, async () => {
    const findings: Finding[] = []
    const read = (query: TaskQuery): Promise<Walk> => walk(agent, query, { maxPages, budget, findings })

    // First, because it shows whether the agent has the operation; the requests that matter come last.
    findings.push(...(await probes(agent, budget)))
    const made = message === undefined ? undefined : await makeTasks(agent, message, options, budget)
    if (made !== undefined && made.tasks.length === 0) return made.result
    const query = queryOf(options, made?.contextId)
    const expectedTasks = (made?.tasks ?? []).filter(
      ({ status }) => query.status === undefined || status.state === query.status,
    )

    const large = await read(withoutSize(query))
    let small = await readSmall(read, query, large, { maxPages, asked: options.pageSize })
    let faults = timely(small, large)
    if (faults.length > 0) {
      const second = await read(withoutSize(query))
      small = await readSmall(read, query, second, { maxPages, asked: options.pageSize })
      const still = new Set(timely(small, second).map(({ id }) => id))
      faults = faults.filter(({ id }) => still.has(id))
    }
    for (const one of new Set([large, small])) {
      addFindings(findings, [
        ...once(findings, faultsOf(one)),
        ...once(findings, faultsOfArtifacts(one, expectedTasks)),
      ])
    }
    addFindings(findings, [...faults, ...faultsOfMissing(large, expectedTasks)])
    return { ...summary(small, large, findings), findings }
  })
}

function refuseWrong({ tasks, message }: ListOptions): void {
  if (tasks !== undefined && message === undefined) {
    throw badOption('toListTasks', '`tasks` needs `message`, the message that creates those tasks.')
  }
}

/** What can be checked without any task: a filter that excludes everything, and invalid page sizes. */
async function probes(agent: A2AAgent, budget: Budget): Promise<Finding[]> {
  const found: Finding[] = []
  const none = await agent.listTasks({ contextId: nowhere, pageSize: 1 }, limits(budget))
  const [unexpected] = none.tasks
  if (unexpected !== undefined) found.push(leak(`contextId: ${quote(nowhere)}`, `task ${unexpected.id}`))
  const taken: number[] = []
  for (const pageSize of [101, -1]) {
    try {
      await agent.listTasks({ pageSize }, limits(budget))
      taken.push(pageSize)
    } catch (error) {
      if (!isReplyError(error)) throw error
    }
  }
  if (taken.length > 0) {
    found.push(
      finding(
        'list/page-size-bounds',
        `pageSize ${taken.join(' and ')} is accepted, but a page has 1 to 100 tasks`,
      ),
    )
  }
  return found
}

interface Made {
  tasks: Task[]
  contextId?: string
  /** Why no task was created. */
  result: CheckResult
}

/** Sends the message several times in one context, which distinguishes its tasks from those of other clients. */
async function makeTasks(
  agent: A2AAgent,
  message: MessageInput,
  { tasks: times = 3, contextId: given, waitMs }: ListOptions,
  budget: Budget,
): Promise<Made> {
  const made = new Map<string, Task>()
  let contextId = given
  for (let sent = 0; sent < times; sent++) {
    const { task, contextId: answered } = await agent.send(message, {
      ...limits(budget),
      ...(contextId !== undefined && { contextId }),
      ...(waitMs !== undefined && { waitMs }),
    })
    contextId ??= answered
    if (task !== undefined && task.id !== '') made.set(task.id, task)
  }
  const result: CheckResult = {
    outcome: 'error',
    received: `${count(times, 'message')} created no task that could be listed`,
    fix: 'Pass a message that the agent answers with a task, not with a Message.',
  }
  return { tasks: [...made.values()], result, ...(contextId !== undefined && { contextId }) }
}

function queryOf(options: ListOptions, contextId = options.contextId): TaskQuery {
  const { status, pageSize, historyLength, statusTimestampAfter, includeArtifacts } = options
  const query = { contextId, status, pageSize, historyLength, statusTimestampAfter, includeArtifacts }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

function withoutSize({ pageSize: _, ...query }: TaskQuery): TaskQuery {
  return query
}

/** The same list in at least two pages (three unless `pageSize` is set); the list itself if it is too short. */
async function readSmall(
  read: (query: TaskQuery) => Promise<Walk>,
  query: TaskQuery,
  large: Walk,
  { maxPages, asked }: { maxPages: number; asked: number | undefined },
): Promise<Walk> {
  const total = large.tasks.length
  if (asked === undefined && total < 2) return large
  const pages = Math.min(3, maxPages)
  const pageSize = asked ?? Math.min(Math.max(1, Math.ceil(total / pages)), 100)
  return read({ ...query, pageSize })
}

/** Faults that tasks changing during the listing could also explain. Faults that follow from another one are left out. */
function timely(small: Walk, large: Walk): Finding[] {
  const found: Finding[] = []
  // Repeated pages contain the same tasks.
  if (small.repeated !== undefined || large.repeated !== undefined) return found
  for (const one of new Set([small, large])) found.push(...once(found, faultsOfOrder(one)))
  if (found.some(({ id }) => id === 'list/duplicate')) return found
  const between = faultsBetween(small, large)
  return between.length === 0 ? found : [...found.filter(({ id }) => id !== 'list/total-size'), ...between]
}

/** A fault that shows in both lists is reported once. */
function once(known: readonly Finding[], faults: readonly Finding[]): Finding[] {
  return faults.filter(({ id, path }) => !known.some((one) => one.id === id && one.path === path))
}

function summary(small: Walk, large: Walk, findings: Finding[]): Pick<CheckResult, 'outcome' | 'received'> {
  const total = new Set(large.tasks.map(({ id }) => id)).size
  const more = large.complete ? '' : ' and more'
  const lists = `${count(total, 'task')}${more} on ${count(small.pages.length, 'page')}`
  const faults = findings.filter(({ level }) => level === 'error').length
  if (faults > 0) return { outcome: 'failed', received: `${lists}, with ${count(faults, 'fault')}` }
  if (total < 2) {
    findings.push(
      finding(
        'list/few-tasks',
        `with ${count(total, 'task')} in the list, order and paging cannot be checked`,
      ),
    )
  }
  return { outcome: 'passed', received: `${lists}, newest first` }
}
