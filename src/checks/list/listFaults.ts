import type { FindingId } from '../../findings/catalogue.ts'
import { finding, type FindingDetail } from '../../findings/finding.ts'
import type { Finding } from '../../findings/types.ts'
import type { Task } from '../../protocol/model.ts'
import { count, listed, quote } from '../phrases.ts'
import type { Walk } from './readPages.ts'

const source = 'A2A 1.0 §3.1.4'
/** Tasks a page where the client does not say how many. */
const usualPageSize = 50
const shownIds = 3

/** What is wrong with one list, whatever else is going on at the agent. */
export function faultsOf(walk: Walk): Finding[] {
  return [...pageSizes(walk), ...endless(walk), ...strangers(walk), ...artifacts(walk), ...histories(walk)]
}

/** What is wrong with one list, unless tasks changed while it was read. */
export function faultsOfOrder({ tasks, pages, complete }: Walk): Finding[] {
  const found: Finding[] = []
  const twice = [...new Set(tasks.filter(({ id }, at) => tasks.findIndex((one) => one.id === id) < at))]
  if (twice.length > 0) {
    found.push(
      error('list/duplicate', `${ids(twice)} came more than once on ${count(pages.length, 'page')}`, {
        fix: 'Page by a cursor: the place of the last task in the order, not a number of tasks to skip.',
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
        { path: 'tasks', fix: 'Sort by the timestamp of the status, the newest first.' },
      ),
    )
  }
  const { totalSize } = pages.at(-1) ?? {}
  const distinct = new Set(tasks.map(({ id }) => id)).size
  if (complete && totalSize !== undefined && totalSize !== distinct) {
    found.push(
      error('list/total-size', `totalSize is ${totalSize}, but the pages hold ${count(distinct, 'task')}`, {
        path: 'totalSize',
        fix: 'Count all tasks that the filters let through, whatever the page.',
      }),
    )
  }
  return found
}

/** What a list lacks that the same list in larger pages has, or the other way round. */
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
        ? `${ids(lost)} is lost when the list is read in pages of ${size}`
        : `${ids(more)} is only there when the list is read in pages of ${size}`,
      { fix: 'Let each page begin right after the last task of the page before.' },
    ),
  ]
}

/** The tasks that the agent has just made, and does not list. */
export function faultsOfMissing(walk: Walk, made: readonly Task[]): Finding[] {
  const gone = missing(made, walk.tasks)
  // They are the newest, so that pages left unread cannot hold them; but somebody else's may be newer still.
  if (gone.length === 0 || (!walk.complete && walk.repeated === undefined)) return []
  return [
    error('list/missing-task', `${ids(gone)} was made just now, and is not listed`, {
      fix: 'List every task that the client may see, also those that have ended.',
    }),
  ]
}

/** Artifacts that were asked for and are not there. */
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
      fix: 'Put the artifacts into the list when `includeArtifacts` is true.',
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
      fix: 'Put at most `pageSize` tasks on a page, and 50 where the client does not say.',
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
        fix: 'Give each page a token of its own, and "" on the last one.',
      },
    ),
  ]
}

/** Tasks that the filters should have kept out. */
function strangers({ tasks, query }: Walk): Finding[] {
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
      // A time that cannot be read has a finding of its own.
      (task) => Number.isNaN(after) || !(time(task) < after),
      (task) => `with a status of ${task.status.timestamp}`,
    ],
  ]
  return filters.flatMap(([filter, keeps, what]) => {
    const stranger = tasks.find((task) => !keeps(task))
    return stranger === undefined ? [] : [leak(filter, `task ${stranger.id} ${what(stranger)}`)]
  })
}

/** A filter that lets something through that it should not. */
export function leak(filter: string, what: string): Finding {
  return error('list/filter', `${filter} lets ${what} through`, {
    path: 'tasks',
    fix: 'Apply every filter that the request names, and all of them together.',
  })
}

function artifacts({ tasks, query }: Walk): Finding[] {
  if (query.includeArtifacts === true) return []
  const given = tasks.find((task) => task.artifacts.length > 0)
  if (given === undefined) return []
  return [
    error('list/artifacts', `task ${given.id} is listed with its artifacts, which were not asked for`, {
      path: 'tasks[].artifacts',
      fix: 'Leave `artifacts` out unless `includeArtifacts` is true.',
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
        fix: 'Cut the history of every listed task to the last `historyLength` messages.',
        source: 'A2A 1.0 §3.2.4',
      },
    ),
  ]
}

/** The first two neighbours of which the second is newer; tasks without a readable time stand anywhere. */
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

function missing(wanted: readonly Task[], from: readonly Task[]): Task[] {
  const there = new Set(from.map(({ id }) => id))
  return wanted.filter(({ id }) => !there.has(id))
}

/** `task t1`, `task t1 and task t2`, `task t1, task t2, task t3 and 5 more` */
function ids(tasks: readonly Task[]): string {
  const shown = tasks.slice(0, shownIds).map(({ id }) => `task ${id}`)
  return listed(tasks.length > shownIds ? [...shown, `${tasks.length - shownIds} more`] : shown)
}

function error(id: FindingId, message: string, detail: FindingDetail = {}): Finding {
  return finding(id, message, { source, fix: undefined, ...detail })
}
