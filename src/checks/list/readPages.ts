import type { A2AAgent } from '../../agent/types.ts'
import type { TaskPage } from '../../client/types.ts'
import { addFindings } from '../../findings/addFindings.ts'
import type { Finding } from '../../findings/types.ts'
import type { Budget } from '../types.ts'
import type { Task, TaskQuery } from '../../protocol/model.ts'
import { limits } from '../reply/sendAndCheck.ts'

/** A list of tasks read page by page. */
export interface Walk {
  query: TaskQuery
  pages: TaskPage[]
  tasks: Task[]
  /** False when pages were left unread. */
  complete: boolean
  /** The page token that appeared twice, so that reading would never end. */
  repeated?: string
}

/** Reads pages until the last one, or until there are `maxPages`. Tolerances go to `findings`. */
export async function walk(
  agent: A2AAgent,
  query: TaskQuery,
  { maxPages, budget, findings }: { maxPages: number; budget: Budget; findings: Finding[] },
): Promise<Walk> {
  const pages: TaskPage[] = []
  const tokens = new Set<string>()
  let pageToken: string | undefined
  const done = (end: Pick<Walk, 'complete' | 'repeated'>): Walk => ({
    query,
    pages,
    tasks: pages.flatMap(({ tasks }) => tasks),
    ...end,
  })
  while (pages.length < maxPages) {
    const asked = pageToken === undefined ? query : { ...query, pageToken }
    const page = await agent.listTasks(asked, limits(budget))
    addFindings(findings, page.findings)
    pages.push(page)
    pageToken = page.nextPageToken
    if (pageToken === '') return done({ complete: true })
    if (tokens.has(pageToken)) return done({ complete: false, repeated: pageToken })
    tokens.add(pageToken)
  }
  return done({ complete: false })
}
