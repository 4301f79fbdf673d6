import type { FindingId } from '../../findings/catalogue.ts'
import { finding, type FindingDetail } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import type { Task } from '../../protocol/model.ts'
import { count, listed, quote } from '../phrases.ts'
import type { Walk } from './readPages.ts'

const source = 'A2A 1.0 §3.1.4'
/** The default page size. */
const usualPageSize = 50
const shownIds = 3

/** The faults of one list that hold even if tasks changed meanwhile. */
export function faultsOf(walk: Walk): Finding[] {
  return [...pageSizes(walk), ...endless(walk), ...notMatching(walk), ...artifacts(walk), ...histories(walk)]
}

/** The faults of one list, unless tasks changed while it was read. */
export function faultsOfOrder({ tasks, pages, complete }: Walk): Finding[] {
  const found: Finding[] = []
  const twice = [...new Set(tasks.filter(({ id }, at) => tasks.findIndex((one) => one.id === id) < at))]
  if (twice.length > 0) {
    found.push(
      error('list/duplicate', `${ids(twice)} appeared more than once on ${count(pages.length, 'page')}`, {
        fix: 'Page by a cursor (the position of the last task), not by a number of tasks to skip.',
      }),
    )
  }
  const newer = outOfOrder(tasks)
  if (newer !== undefined) {
    const [before, after] = newer
    found.push(
      error(
        'list/order',
        `task ${after.id} (status of ${after.status.timestamp}) comes after task ${before.id} (${before.status.timestamp}), which is older`,
        { path: 'tasks', fix: 'Sort by the timestamp of the status, newest first.' },
      ),
    )
  }
  const { totalSize } = pages.at(-1) ?? {}
  const distinct = new Set(tasks.map(({ id }) => id)).size
  if (complete && totalSize !== undefined && totalSize !== distinct) {
    found.push(
      error('list/total-size', `totalSize is ${totalSize}, but the pages hold ${count(distinct, 'task')}`, {
        path: 'totalSize',
        fix: 'Count all tasks that match the filters, on every page.',
      }),
    )
  }
  return found
}

/** Tasks that are missing from one of two lists which differ only in page size. */
export function faultsBetween(small: Walk, large: Walk): Finding[] {
  if (!small.complete || !large.complete) return []
  const lost = missing(large.tasks, small.tasks)
  const more = missing(small.tasks, large.tasks)
  if (lost.length + more.length === 0) return []
  const size = small.query.pageSize ?? usualPageSize
  return [
    error(
      'list/lost',
      lost.length > 0
        ? `${ids(lost)} is missing when the list is read in pages of ${size}`
        : `${ids(more)} is present only when the list is read in pages of ${size}`,
      { fix: 'Start each page right after the last task of the previous page.' },
    ),
  ]
}

/** Tasks that the agent just created but does not list. */
export function faultsOfMissing(walk: Walk, made: readonly Task[]): Finding[] {
  const gone = missing(made, walk.tasks)
  // They are the newest, so unread pages should not contain them; but tasks of other clients may be newer still.
  if (gone.length === 0 || (!walk.complete && walk.repeated === undefined)) return []
  return [
    error('list/missing-task', `${ids(gone)} was just created, but is not listed`, {
      fix: 'List every task that the client may see, including those that have ended.',
    }),
  ]
}

/** Artifacts that were requested but are missing. */
export function faultsOfArtifacts(walk: Walk, made: readonly Task[]): Finding[] {
  if (walk.query.includeArtifacts !== true) return []
  const bare = made.filter(
    ({ id, artifacts }) =>
      artifacts.length > 0 && walk.tasks.some((task) => task.id === id && task.artifacts.length === 0),
  )
  if (bare.length === 0) return []
  return [
    error('list/artifacts', `${ids(bare)} has artifacts, but is listed without them`, {
      path: 'tasks[].artifacts',
      fix: 'Include the artifacts when `includeArtifacts` is true.',
    }),
  ]
}

function pageSizes({ pages, query }: Walk): Finding[] {
  const { pageSize = usualPageSize } = query
  const at = pages.findIndex(({ tasks }) => tasks.length > pageSize)
  if (at < 0) return []
  const asked = query.pageSize === undefined ? `${pageSize} by default` : `pageSize: ${pageSize}`
  return [
    error('list/page-size', `page ${at + 1} has ${count(pages[at]?.tasks.length ?? 0, 'task')} (${asked})`, {
      path: 'tasks',
      fix: 'Return at most `pageSize` tasks on a page, and 50 by default.',
    }),
  ]
}

function endless({ repeated, pages }: Walk): Finding[] {
  if (repeated === undefined) return []
  return [
    error(
      'list/endless',
      `nextPageToken ${quote(repeated, 40)} came twice on ${count(pages.length, 'page')}`,
      {
        path: 'nextPageToken',
        fix: 'Return a different token for each page, and "" on the last one.',
      },
    ),
  ]
}

/** Tasks that the filters should have excluded. */
function notMatching({ tasks, query }: Walk): Finding[] {
  const { contextId, status, statusTimestampAfter } = query
  const after = statusTimestampAfter === undefined ? NaN : Date.parse(statusTimestampAfter)
  const filters: [filter: string, keeps: (task: Task) => boolean, what: (task: Task) => string][] = [
    [
      `contextId: ${quote(contextId ?? '')}`,
      (task) => contextId === undefined || task.contextId === contextId,
      (task) => `of context ${quote(task.contextId ?? '')}`,
    ],
    [
      `status: ${quote(status ?? '')}`,
      (task) => status === undefined || task.status.state === status,
      (task) => `in state ${task.status.state}`,
    ],
    [
      `statusTimestampAfter: ${quote(statusTimestampAfter ?? '')}`,
      // An unreadable timestamp has its own finding.
      (task) => Number.isNaN(after) || !(time(task) < after),
      (task) => `with a status of ${task.status.timestamp}`,
    ],
  ]
  return filters.flatMap(([filter, keeps, what]) => {
    const unexpected = tasks.find((task) => !keeps(task))
    return unexpected === undefined ? [] : [leak(filter, `task ${unexpected.id} ${what(unexpected)}`)]
  })
}

/** A filter that includes a task it should exclude. */
export function leak(filter: string, what: string): Finding {
  return error('list/filter', `${filter} does not exclude ${what}`, {
    path: 'tasks',
    fix: 'Apply every filter that the request names, and all of them together.',
  })
}

function artifacts({ tasks, query }: Walk): Finding[] {
  if (query.includeArtifacts === true) return []
  const given = tasks.find((task) => task.artifacts.length > 0)
  if (given === undefined) return []
  return [
    error('list/artifacts', `task ${given.id} is listed with its artifacts, which were not requested`, {
      path: 'tasks[].artifacts',
      fix: 'Omit `artifacts` unless `includeArtifacts` is true.',
    }),
  ]
}

function histories({ tasks, query }: Walk): Finding[] {
  const { historyLength } = query
  if (historyLength === undefined) return []
  const long = tasks.find((task) => task.history.length > historyLength)
  if (long === undefined) return []
  return [
    error(
      'list/history',
      `task ${long.id} has ${count(long.history.length, 'message')} of history (historyLength: ${historyLength})`,
      {
        path: 'tasks[].history',
        fix: 'Limit the history of every listed task to the last `historyLength` messages.',
        source: 'A2A 1.0 §3.2.4',
      },
    ),
  ]
}

/** The first two neighbours in the wrong order; tasks without a readable timestamp may be anywhere. */
function outOfOrder(tasks: readonly Task[]): [Task, Task] | undefined {
  const timed = tasks.filter((task) => !Number.isNaN(time(task)))
  for (const [at, task] of timed.entries()) {
    const before = timed[at - 1]
    if (before !== undefined && time(task) > time(before)) return [before, task]
  }
  return undefined
}

function time({ status }: Task): number {
  return status.timestamp === undefined ? NaN : Date.parse(status.timestamp)
}

function missing(expected: readonly Task[], from: readonly Task[]): Task[] {
  const there = new Set(from.map(({ id }) => id))
  return expected.filter(({ id }) => !there.has(id))
}

/** `task t1`, `task t1 and task t2`, `task t1, task t2, task t3 and 5 more` */
function ids(tasks: readonly Task[]): string {
  const shown = tasks.slice(0, shownIds).map(({ id }) => `task ${id}`)
  return listed(tasks.length > shownIds ? [...shown, `${tasks.length - shownIds} more`] : shown)
}

function error(id: FindingId, message: string, detail: FindingDetail = {}): Finding {
  return finding(id, message, { source, fix: undefined, ...detail })
}
