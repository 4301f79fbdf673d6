import type { A2AAgent } from '../../src/agent/types.ts'
import { checkList, type ListOptions } from '../../src/checks/list/checkList.ts'
import type { Fault, Json, Step } from '../../src/testing/index.ts'
import { budget, type FaultyAgent } from './faultyAgent.ts'
import { agentFrom } from './baseAgents.ts'
import { errorOf, onParams, onResult } from './methods.ts'

let time = 1_750_000_000_000
/** Each task is later than the one before; messages can ask for a failure. */
const start = agentFrom({
  now: () => (time += 1000),
  respond: ({ text }): Step[] => [
    { artifact: { artifactId: 'a1', name: 'answer', parts: [{ text: 'Oslo' }] } },
    { state: text === 'fail' ? 'failed' : 'completed', text: 'Done.' },
  ],
})

const lists = ['ListTasks']
const pageOf = (result: Json): Json[] => result['tasks'] as Json[]

/** Sends these first, then lists. */
const check =
  (options: ListOptions, ...before: string[]) =>
  async (agent: A2AAgent) => {
    for (const text of before) await agent.send(text)
    return checkList(agent, [options], budget)
  }
const making = check({ message: 'Where?' })
const making4 = check({ message: 'Where?', tasks: 4, pageSize: 2 })

/** An agent that does not read a parameter. */
const deaf = (name: string): Fault => onParams(lists, ({ [name]: _, ...rest }) => rest)

/** How agents list their tasks. */
export const listings: FaultyAgent[] = [
  {
    name: 'lists the oldest first',
    finding: 'list/order',
    level: 'error',
    message: 'which is older',
    start,
    fault: onResult(lists, (result) => ({ ...result, tasks: pageOf(result).toReversed() })),
    check: making,
  },
  {
    name: 'begins a page with the last task of the page before',
    finding: 'list/duplicate',
    level: 'error',
    message: 'appeared more than once on 2 pages',
    start,
    fault: overlapping(),
    check: check({ message: 'Where?', pageSize: 2 }),
  },
  {
    name: 'loses the first task of every further page',
    finding: 'list/lost',
    level: 'error',
    message: 'is missing when the list is read in pages of 2',
    start,
    fault: onFurtherPages((tasks) => tasks.slice(1)),
    check: making4,
  },
  {
    name: 'gives the same page token again and again',
    finding: 'list/endless',
    level: 'error',
    message: 'nextPageToken "again" came twice',
    start,
    fault: [deaf('pageToken'), onResult(lists, (result) => ({ ...result, nextPageToken: 'again' }))],
    check: making,
  },
  {
    name: 'counts the tasks of the page only',
    finding: 'list/total-size',
    level: 'error',
    message: 'totalSize is 1, but the pages hold 3 tasks',
    start,
    fault: onResult(lists, (result) => ({ ...result, totalSize: Math.min(1, pageOf(result).length) })),
    check: making,
  },
  {
    name: 'does not read pageSize',
    finding: 'list/page-size',
    level: 'error',
    message: 'page 1 has 3 tasks (pageSize: 1)',
    start,
    fault: onParams(lists, ({ pageSize, ...rest }) => (inBounds(pageSize) ? rest : { pageSize, ...rest })),
    check: making,
  },
  {
    name: 'takes any pageSize',
    finding: 'list/page-size-bounds',
    level: 'warning',
    message: 'pageSize 101 and -1 is accepted',
    start,
    fault: onParams(lists, ({ pageSize, ...rest }) => (inBounds(pageSize) ? { pageSize, ...rest } : rest)),
    check: making,
  },
  {
    name: 'cuts a pageSize that is too large',
    finding: 'list/page-size-bounds',
    level: 'warning',
    message: 'pageSize 101 is accepted',
    start,
    fault: onParams(lists, (params) => (params['pageSize'] === 101 ? { ...params, pageSize: 100 } : params)),
    check: making,
  },
  {
    name: 'does not read contextId',
    finding: 'list/filter',
    level: 'error',
    message: 'contextId: "expect-a2a-no-such-context" does not exclude task',
    start,
    fault: deaf('contextId'),
    check: check({}, 'Where?', 'When?'),
  },
  {
    name: 'does not read contextId where there is such a context',
    finding: 'list/filter',
    level: 'error',
    message: 'of context "other"',
    start,
    fault: onResult(lists, (result) => ({
      ...result,
      tasks: pageOf(result).map((task) => ({ ...task, contextId: 'other' })),
    })),
    check: making,
  },
  {
    name: 'does not read status',
    finding: 'list/filter',
    level: 'error',
    message: 'status: "completed" does not exclude task',
    start,
    fault: deaf('status'),
    check: check({ status: 'completed' }, 'Where?', 'fail', 'When?'),
  },
  {
    name: 'does not read statusTimestampAfter',
    finding: 'list/filter',
    level: 'error',
    message: 'statusTimestampAfter: ',
    start,
    fault: deaf('statusTimestampAfter'),
    async check(agent) {
      await agent.send('Long ago')
      const { task } = await agent.send('Where?')
      await agent.send('When?')
      return checkList(agent, [{ statusTimestampAfter: task?.status.timestamp ?? '' }], budget)
    },
  },
  {
    name: 'lists artifacts that were not requested',
    finding: 'list/artifacts',
    level: 'error',
    message: 'which were not requested',
    start,
    fault: onParams(lists, (params) => ({ ...params, includeArtifacts: true })),
    check: making,
  },
  {
    name: 'withholds requested artifacts',
    finding: 'list/artifacts',
    level: 'error',
    message: 'is listed without them',
    start,
    fault: deaf('includeArtifacts'),
    check: check({ message: 'Where?', includeArtifacts: true }),
  },
  {
    name: 'lists the whole history',
    finding: 'list/history',
    level: 'error',
    message: 'of history (historyLength: 0)',
    start,
    fault: deaf('historyLength'),
    check: check({ message: 'Where?', historyLength: 0 }),
  },
  {
    name: 'does not list tasks that have ended',
    finding: 'list/missing-task',
    level: 'error',
    message: 'was just created, but is not listed',
    start,
    fault: onResult(lists, (result) => ({ ...result, tasks: [], totalSize: 0, nextPageToken: '' })),
    check: check({ message: 'Where?' }, 'Before', 'That'),
  },
  {
    name: 'has nothing to list',
    finding: 'list/few-tasks',
    level: 'note',
    message: 'with 0 tasks in the list',
    start,
    fault: onResult(lists, (result) => ({ ...result, tasks: [], totalSize: 0, nextPageToken: '' })),
    check: check({}, 'Where?', 'When?'),
  },
  {
    name: 'leaves out the last page token',
    finding: 'wire/page-members',
    level: 'warning',
    message: 'has no nextPageToken',
    start,
    fault: onResult(lists, ({ nextPageToken, ...rest }) =>
      nextPageToken === '' ? rest : { ...rest, nextPageToken },
    ),
    check: making,
  },
  {
    name: 'of 1.0 cannot list',
    finding: 'rpc/error',
    level: 'error',
    message: 'InternalError',
    start,
    fault: errorOf('ListTasks', -32603, 'Not implemented'),
    check: making,
  },
]

function inBounds(pageSize: unknown): boolean {
  return typeof pageSize === 'number' && pageSize >= 1 && pageSize <= 100
}

/** Changes every page that was asked for by a token. */
function onFurtherPages(change: (tasks: Json[]) => Json[]): Fault {
  let further = false
  return {
    ...onParams(lists, (params) => {
      further = params['pageToken'] !== undefined
      return params
    }),
    ...onResult(lists, (result) => ({ ...result, tasks: further ? change(pageOf(result)) : pageOf(result) })),
  }
}

function overlapping(): Fault {
  let last: Json[] = []
  const fault = onFurtherPages((tasks) => [...last, ...tasks])
  return {
    ...fault,
    reply(own, request) {
      const changed = fault.reply?.(own, request) ?? own
      const result = (own.json as { result?: Json } | undefined)?.result
      if (result?.['tasks'] !== undefined) last = pageOf(result).slice(-1)
      return changed
    },
  }
}
